import { BOHR_RADIUS_ANGSTROM, elementBySymbol } from '@unitcell/elements';
import { rowTimesMatrix3, scale3 } from '@unitcell/numerics';
import type { Volume } from './read-volume.ts';

const VALUES_PER_LINE = 6;

/**
 * Writes a charge density as a Gaussian cube file: lengths in bohr, values in e/bohr³, the index along c fastest.
 * `readVolume` reads it back.
 * @param volume values in e/Å³
 * @param title first line; line breaks become blanks
 */
export function writeCube({ structure, gridSizes, values }: Volume, title: string): string {
  const { latticeVectors, sites } = structure;
  const [na, nb, nc] = gridSizes;
  const number = (value: number): string => value.toFixed(6).padStart(12);
  const lines = [
    title.replaceAll(/\s+/g, ' '),
    'Electron density, e/bohr^3',
    [String(sites.length).padStart(5), ...[0, 0, 0].map(number)].join(' '),
    ...latticeVectors.map((vector, axis) => {
      const step = scale3(vector, 1 / (gridSizes[axis] * BOHR_RADIUS_ANGSTROM));
      return [String(gridSizes[axis]).padStart(5), ...step.map(number)].join(' ');
    }),
    ...sites.map(({ species, fractionalCoords }) => {
      const { number: charge } = elementBySymbol(species[0].element);
      const place = scale3(rowTimesMatrix3(fractionalCoords, latticeVectors), 1 / BOHR_RADIUS_ANGSTROM);
      return [String(charge).padStart(5), number(charge), ...place.map(number)].join(' ');
    }),
  ];
  const perBohr3 = BOHR_RADIUS_ANGSTROM ** 3;
  for (let i = 0; i < na; i++)
    for (let j = 0; j < nb; j++)
      for (let k = 0; k < nc; k += VALUES_PER_LINE) {
        const row = Array.from({ length: Math.min(VALUES_PER_LINE, nc - k) }, (_, at) =>
          (values[i + na * (j + nb * (k + at))] * perBohr3).toExponential(5),
        );
        lines.push(row.join(' '));
      }
  return `${lines.join('\n')}\n`;
}
