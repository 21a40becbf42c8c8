/** Tools take a material from their address (`?from=142`): they mark it, and lead back to its page. */
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useTexts } from '../i18n/texts.ts';
import classes from './panel.module.css';
import { componentTexts } from './texts.ts';

const FROM_PARAMETER = 'from';

/** The number of the material an address comes from, or null. */
export function readFrom(parameters: URLSearchParams): number | null {
  const text = parameters.get(FROM_PARAMETER) ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : null;
}

/** The address of a tool that begins with a material. */
export const fromMaterial = (
  path: string,
  structId: number,
  parameters: Readonly<Record<string, string>> = {},
): string =>
  `${path}?${new URLSearchParams({ ...parameters, [FROM_PARAMETER]: String(structId) }).toString()}`;

/** The material a visit began with: further steps of the tool write addresses of their own. */
export function useFromMaterial(): number | null {
  const [parameters] = useSearchParams();
  const [from] = useState(() => readFrom(parameters));
  return from;
}

export function BackToMaterial({ structId }: { readonly structId: number | null }) {
  const { t } = useTexts(componentTexts);
  if (structId === null) return null;
  return (
    <p className={classes.back}>
      <Link to={`/matdatades/${structId}`}>
        <IconArrowLeft size={16} aria-hidden="true" /> {t('backToMaterial', { id: structId })}
      </Link>
    </p>
  );
}
