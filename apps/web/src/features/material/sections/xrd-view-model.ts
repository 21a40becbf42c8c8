/** Values of the controls of the X-ray panel. */
import { RADIATION_SOURCES } from '@unitcell/diffraction';

/** A user-defined wavelength. */
export const CUSTOMIZED = 'Customized';
/** Neutrons of any wavelength. */
export const NEUTRONS = 'Neutrons';
/** Å, a usual wavelength of a neutron monochromator. */
const NEUTRON_WAVELENGTH = 1.54;
/** Limits and initial range of 2θ in degrees (spec §9). */
export const TWO_THETA_LIMITS = [0, 90] as const;
export const TWO_THETA_SHOWN = [10, 70] as const;
export const DEFAULT_SIZE_NM = '200';
export const DEFAULT_SOURCE = RADIATION_SOURCES[0]?.name ?? CUSTOMIZED;

/** Names of the sources, the selected one first. */
export function sourceNames(chosen: string): string[] {
  const names = [...RADIATION_SOURCES.map(({ name }) => name), NEUTRONS, CUSTOMIZED];
  return names.includes(chosen) ? [chosen, ...names.filter((name) => name !== chosen)] : names;
}

/** Content of the wavelength box: the wavelength of the source in Å, or empty for a user-defined one. */
export const wavelengthText = (name: string): string =>
  name === NEUTRONS
    ? String(NEUTRON_WAVELENGTH)
    : String(RADIATION_SOURCES.find((source) => source.name === name)?.wavelength ?? '');
