/** Powder CIF: the measured or processed profile of each block (dictionary cif_pow). */
import {
  type CifBlock,
  CrystalError,
  parseFileNumber,
  plainText,
  readCifBlocks,
  tableWith,
} from '@unitcell/crystal';
import { type InstrumentFile, type InstrumentScan, positive, TIME_OF_FLIGHT } from './instrument-file.ts';
import { damaged } from '../diffraction-error.ts';

const FORMAT = 'CIF';

const INTENSITIES = [
  '_pd_meas_counts_total',
  '_pd_meas_intensity_total',
  '_pd_proc_intensity_total',
  '_pd_meas_intensity_net',
  '_pd_proc_intensity_net',
];

/** Corrected angles come first, because peak positions of the publication refer to them. */
const ANGLES = ['_pd_proc_2theta_corrected', '_pd_meas_2theta_corrected', '_pd_meas_2theta_scan'];

export const isPowderCif = (text: string): boolean =>
  /^[ \t]*data_\S/m.test(text.slice(0, 65_536)) && /^[ \t]*_pd_(?:meas|proc)[_.]/m.test(text);

/** First angle and step of a scan whose points have no individual angles. */
function rangeOf({ items }: CifBlock): readonly [number, number] | undefined {
  for (const part of ['proc', 'meas']) {
    const [first, step] = ['min', 'inc'].map((end) =>
      parseFileNumber(items.get(`_pd_${part}_2theta_range_${end}`)?.text ?? ''),
    );
    if (first !== undefined && step !== undefined) return [first, step];
  }
  return undefined;
}

function scanOf(text: string, block: CifBlock): InstrumentScan | undefined {
  const table = tableWith(text, block, INTENSITIES);
  const intensity = INTENSITIES.find((tag) => table?.has(tag));
  if (!table || !intensity) return undefined;
  const angle = ANGLES.find((tag) => table.has(tag));
  const range = rangeOf(block);
  if (!angle && !range) return { axis: TIME_OF_FLIGHT, isTwoTheta: false, x: [], y: [] };
  const x: number[] = [];
  const y: number[] = [];
  for (let row = 0; row < table.rows; row++) {
    const counts = table.value(row, intensity)?.text ?? '';
    // Skips points of excluded regions.
    if (counts === '.' || counts === '?') continue;
    const at = angle
      ? parseFileNumber(table.value(row, angle)?.text ?? '')
      : range && Number((range[0] + range[1] * row).toFixed(6));
    x.push(at ?? Number.NaN);
    y.push(parseFileNumber(counts) ?? Number.NaN);
  }
  return { axis: '2θ', isTwoTheta: true, x, y };
}

const WAVELENGTH = '_diffrn_radiation_wavelength';
const PROBE = '_diffrn_radiation_probe';

function wavelengthsOf(text: string, block: CifBlock): readonly (number | undefined)[] {
  const item = block.items.get(WAVELENGTH);
  if (item) return [positive(parseFileNumber(item.text))];
  const table = tableWith(text, block, [WAVELENGTH]);
  return Array.from({ length: Math.min(2, table?.rows ?? 0) }, (_, row) =>
    positive(parseFileNumber(table?.value(row, WAVELENGTH)?.text ?? '')),
  );
}

/** @throws DiffractionError `unreadable-pattern` */
export function readPowderCif(file: string): InstrumentFile {
  try {
    const text = plainText(file);
    const blocks = readCifBlocks(text);
    const measured = blocks.flatMap((block) => {
      const scan = scanOf(text, block);
      return scan ? [{ block, scan }] : [];
    });
    const [first, second] = measured[0] ? wavelengthsOf(text, measured[0].block) : [];
    const isNeutron = measured[0]?.block.items.get(PROBE)?.text.trim().toLowerCase() === 'neutron';
    return {
      format: FORMAT,
      ...(isNeutron && { probe: 'neutron' }),
      scans: measured.map(({ scan }) => scan),
      ...(second === undefined ? { wavelength: first } : { kAlpha1: first, kAlpha2: second }),
    };
  } catch (error) {
    throw error instanceof CrystalError ? damaged(FORMAT) : error;
  }
}
