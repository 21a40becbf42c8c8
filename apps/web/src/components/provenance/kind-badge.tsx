/** Badge for measured, calculated or predicted: a shape and a word. */
import type { SourceKind } from '@unitcell/contract/matdata';
import { useTexts } from '../../i18n/texts.ts';
import type { ReactNode } from 'react';
import classes from './provenance.module.css';
import { provenanceTexts } from './texts.ts';

/** Filled for measured, outlined for calculated, dashed for predicted. */
const SHAPES: Readonly<Record<SourceKind, ReactNode>> = {
  measured: <path d="M6 1 11 6 6 11 1 6Z" fill="currentColor" />,
  calculated: <circle cx="6" cy="6" r="4.1" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  predicted: (
    <path
      d="M6 1.6 10.8 10H1.2Z"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeDasharray="2 1.4"
    />
  ),
  defined: <path d="M1.5 4.2h9M1.5 7.8h9" stroke="currentColor" strokeWidth="1.6" />,
};
const UNSTATED = (
  <circle cx="6" cy="6" r="4.1" fill="none" stroke="currentColor" strokeWidth="1.2" strokeDasharray="1.2 2" />
);

const Shape = ({ children }: { readonly children: ReactNode }) => (
  <svg viewBox="0 0 12 12" className={classes.shape} aria-hidden="true">
    {children}
  </svg>
);

export function KindBadge({ kinds }: { readonly kinds: readonly SourceKind[] }) {
  const { t } = useTexts(provenanceTexts);
  return (
    <span className={classes.badge} data-kind={kinds[0] ?? 'unstated'}>
      {kinds.length === 0 ? (
        <Shape>{UNSTATED}</Shape>
      ) : (
        kinds.map((kind) => <Shape key={kind}>{SHAPES[kind]}</Shape>)
      )}
      {kinds.length === 0 ? t('unstated') : kinds.map((kind) => t(kind)).join(t('and'))}
    </span>
  );
}
