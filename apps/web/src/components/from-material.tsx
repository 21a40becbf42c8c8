/** Tools take a material from their address (`?from=142`), highlight it and link back to its page. */
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useTexts } from '../i18n/texts.ts';
import { idOf } from '../lib/format.ts';
import { readScale, withScale } from './energy-scale/energy-scale.tsx';
import classes from './panel.module.css';
import { componentTexts } from './texts.ts';

const FROM_PARAMETER = 'from';

/** The material number in the address, or null. */
export const readFrom = (parameters: URLSearchParams): number | null =>
  idOf(parameters.get(FROM_PARAMETER) ?? '');

/** The address of a tool opened for a material. */
export const fromMaterial = (
  path: string,
  structId: number,
  parameters: Readonly<Record<string, string>> = {},
): string =>
  `${path}?${new URLSearchParams({ ...parameters, [FROM_PARAMETER]: String(structId) }).toString()}`;

/** The material that the visit started from. It is remembered, because later steps of the tool change the address. */
export function useFromMaterial(): number | null {
  const [parameters] = useSearchParams();
  const [from] = useState(() => readFrom(parameters));
  return from;
}

export function BackToMaterial({ structId }: { readonly structId: number | null }) {
  const { t } = useTexts(componentTexts);
  const [parameters] = useSearchParams();
  if (structId === null) return null;
  return (
    <p className={classes.back}>
      <Link to={withScale(`/matdatades/${structId}`, readScale(parameters))}>
        <IconArrowLeft size={16} aria-hidden="true" /> {t('backToMaterial', { id: structId })}
      </Link>
    </p>
  );
}
