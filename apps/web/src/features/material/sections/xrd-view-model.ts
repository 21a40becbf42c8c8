/** The controls of the X-ray panel as values. */
import { RADIATION_SOURCES } from '@unitcell/diffraction';

/** Any wavelength of the user's own. */
export const CUSTOMIZED = 'Customized';
/** Spec §9. */
export const TWO_THETA_LIMITS = [0, 90] as const;
export const TWO_THETA_SHOWN = [10, 70] as const;
export const DEFAULT_SIZE_NM = '200';
export const DEFAULT_SOURCE = RADIATION_SOURCES[0]?.name ?? CUSTOMIZED;

/** Names of the sources, the chosen one moved to the front. */
export function sourceNames(chosen: string): string[] {
  const names = [...RADIATION_SOURCES.map(({ name }) => name), CUSTOMIZED];
  return names.includes(chosen) ? [chosen, ...names.filter((name) => name !== chosen)] : names;
}

/** What the wavelength box shows for a source: its wavelength in Å, nothing for one's own. */
export const wavelengthText = (name: string): string =>
  String(RADIATION_SOURCES.find((source) => source.name === name)?.wavelength ?? '');

/** A number as people type it: spaces around it, a comma for the point. Null for everything that is none. */
export function readNumber(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  const value = Number(text);
  return text === '' || !Number.isFinite(value) ? null : value;
}
