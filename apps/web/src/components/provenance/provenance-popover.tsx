/** Popover that explains a number: source, scale and release, method, and how to reproduce it. */
import { Popover } from '@mantine/core';
import type { SectionSource } from '@unitcell/contract/matdata';
import { type ReactNode, use, useId } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../i18n/texts.ts';
import { ScaleContext, useScaleName } from '../energy-scale/energy-scale.tsx';
import { METHODS, type MethodId } from './methods.ts';
import classes from './provenance.module.css';
import { SourceFacts } from './source-facts.tsx';
import { provenanceTexts } from './texts.ts';

const ON_A_SCALE: ReadonlySet<MethodId> = new Set(['formation', 'hull', 'window', 'reaction']);

export interface ProvenanceProps {
  /** Display name of the quantity. */
  readonly name: string;
  readonly method: MethodId;
  /** Source of the number. A number without a source is not clickable, unless `isMadeHere` is set. */
  readonly source?: SectionSource | undefined;
  /**
   * True for a number of a list or a tool. The popover then shows the inputs instead of a source, and the
   * energy scale of the surrounding part of the page.
   */
  readonly isMadeHere?: boolean;
  /** For energies: the scale, and the release of the hull. */
  readonly scale?: string;
  readonly release?: number | null;
}

interface ProvenancePopoverProps extends ProvenanceProps {
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
  readonly onClose: () => void;
  /** The element that opens the popover. */
  readonly children: ReactNode;
}

export function ProvenancePopover({
  isOpen,
  onChange,
  onClose,
  children,
  ...explained
}: ProvenancePopoverProps) {
  const titleId = useId();
  return (
    <Popover
      opened={isOpen}
      onChange={onChange}
      onClose={onClose}
      position="bottom-start"
      width={340}
      shadow="md"
      trapFocus
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown aria-labelledby={titleId} className={classes.popover}>
        <Explanation {...explained} titleId={titleId} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface ExplanationProps extends ProvenanceProps {
  readonly titleId: string;
}

function Explanation({ name, method, source, isMadeHere = false, titleId, ...stated }: ExplanationProps) {
  const { t, language } = useTexts(provenanceTexts);
  const { how, recompute, inputs } = METHODS[method];
  const shown = use(ScaleContext);
  const nameOf = useScaleName();
  const of = isMadeHere && ON_A_SCALE.has(method) ? shown : null;
  const { scale = of?.scale ?? '', release = of?.release ?? null } = stated;
  return (
    <>
      <p id={titleId} className={classes.popoverTitle}>
        {name}
      </p>
      {source ? <SourceFacts source={source} /> : <p>{inputs[language]}</p>}
      {scale !== '' && (
        <p>
          {t('scale')}: {nameOf(scale)}
          {release !== null && ` · ${t('release')} ${release}`}
        </p>
      )}
      <p className={classes.popoverPart}>{t('how')}</p>
      <p>
        {how[language]} <Link to={`/methods#${method}`}>{t('method')}</Link>
      </p>
      <p className={classes.popoverPart}>{t('recompute')}</p>
      <p>{recompute[language]}</p>
    </>
  );
}
