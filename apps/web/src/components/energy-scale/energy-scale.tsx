/**
 * The energy scale of a page: kept in its address as `?scale=` (without it the site's default applies), shown by its display
 * name, and stated in files and popovers of the content on it. Addresses, calls and files use the stored name.
 */
import type { EnergyScale } from '@unitcell/contract/common';
import type { Completeness } from '@unitcell/contract/phase-diagram';
import { measuredAt } from '@unitcell/contract/phase-diagram/rules';
import { createContext, type ReactNode, useCallback, useMemo } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import type { OriginFact } from '../../lib/file-origin.ts';
import { useAddressState } from '../../lib/use-address-state.ts';
import { FileOrigin } from '../file-origin.tsx';

// ── In the address ──

export const SCALE_PARAMETER = 'scale';

/** The scale named in an address, or null for the site's default. */
export const readScale = (parameters: URLSearchParams): string | null =>
  parameters.get(SCALE_PARAMETER)?.trim() || null;

/** Adds a scale to the query of `path`, which must have no hash. */
export const withScale = (path: string, scale: string | null): string =>
  scale === null
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ [SCALE_PARAMETER]: scale }).toString()}`;

const keep = (parameters: URLSearchParams): URLSearchParams => parameters;

/** Used by pages that have no other query parameter or keep the others unchanged. */
export function useScaleParameter(): readonly [
  scale: string | null,
  setScale: (scale: string | null) => void,
] {
  const { state: parameters, change } = useAddressState({ read: keep, write: keep });
  const setScale = useCallback(
    (scale: string | null) =>
      change((now) => {
        const next = new URLSearchParams(now);
        if (scale === null) next.delete(SCALE_PARAMETER);
        else next.set(SCALE_PARAMETER, scale);
        return next;
      }),
    [change],
  );
  return [readScale(parameters), setScale];
}

// ── Display names ──

export const energyScaleTexts = defineTexts('energy-scale', {
  label: ['Energy scale', '能量基准'],
  materials: ['{{scale}} · {{n}} materials', '{{scale}} · {{n}} 个材料'],
  experiment: ['experiment, {{kelvin}} K', '实验，{{kelvin}} K'],
  released: ['{{scale}} · release {{id}} ({{date}})', '{{scale}} · 版本 {{id}}（{{date}}）'],
  incomplete: ['{{scale}} · incomplete', '{{scale}} · 不完备'],
});

/** The display name: measured scales are translated, functionals keep their names. */
export function useScaleName(): (scale: string) => string {
  const { t } = useTexts(energyScaleTexts);
  return useCallback(
    (scale) => {
      const kelvin = measuredAt(scale);
      return kelvin === null ? scale : t('experiment', { kelvin });
    },
    [t],
  );
}

/** Describes scale and release, as printed on plots and above tables, and whether the system is incomplete. */
export function useProvenance(): (
  answer: EnergyScale & { readonly completeness?: Pick<Completeness, 'status'> | undefined },
) => string {
  const { t } = useTexts(energyScaleTexts);
  const nameOf = useScaleName();
  return useCallback(
    ({ functional, release, completeness }) => {
      const scale =
        release === null ? nameOf(functional) : t('released', { scale: nameOf(functional), ...release });
      return completeness?.status === 'incomplete' ? t('incomplete', { scale }) : scale;
    },
    [t, nameOf],
  );
}

// ── In files and popovers ──

/** The energy scale of a part of a page, and the release of its hulls. */
export const ScaleContext = createContext<{
  readonly scale: string;
  readonly release: number | null;
} | null>(null);

interface ScaleOriginProps {
  readonly scale: EnergyScale;
  readonly children: ReactNode;
}

/** Wraps content on one energy scale. Files and popovers from inside name the scale and the release of its hulls. */
export function ScaleOrigin({ scale: { functional, release }, children }: ScaleOriginProps) {
  // Each answer has a release object of its own; equal ones must not render the content again.
  const { id = null, date = '' } = release ?? {};
  const facts = useMemo(
    (): readonly OriginFact[] => [
      ['scale', functional],
      ...(id === null ? [] : [['release', `${id} of ${date.slice(0, 10)}`] as const]),
      [
        'source',
        'calculated by Unitcell from the energies of the phases; the source and licence of each are on its page',
      ],
    ],
    [functional, id, date],
  );
  const shown = useMemo(() => ({ scale: functional, release: id }), [functional, id]);
  return (
    <ScaleContext value={shown}>
      <FileOrigin facts={facts}>{children}</FileOrigin>
    </ScaleContext>
  );
}
