/** Bruker UXD: text with `_KEY=value` lines and one block of numbers for each range. */
import { damaged } from '../unreadable.ts';
import {
  evenAngles,
  type InstrumentFile,
  type InstrumentScan,
  numbersOf,
  positive,
} from './instrument-file.ts';

const FORMAT = 'Bruker UXD';

export const isUxd = (head: string): boolean => /^_FILEVERSION\s*=/m.test(head);

/** Drives along which 2θ moves. */
const TWO_THETA_DRIVES = new Set(['COUPLED', '2THETA', 'UNLOCKED']);

interface Range {
  readonly keys: ReadonlyMap<string, string>;
  /** `COUNTS`, `CPS`, `2THETACOUNTS` or `2THETACPS`. */
  readonly kind: string;
  readonly numbers: number[];
}

function scanOf({ keys, kind, numbers }: Range): InstrumentScan {
  const axis = keys.get('DRIVE') ?? 'COUPLED';
  const hasAngles = kind.startsWith('2THETA');
  const [first, step] = [Number(keys.get('START') ?? Number.NaN), positive(keys.get('STEPSIZE'))];
  const isEven = Number.isFinite(first) && step !== undefined;
  if (hasAngles ? numbers.length % 2 !== 0 : !isEven) throw damaged(FORMAT);
  return {
    axis,
    isTwoTheta: TWO_THETA_DRIVES.has(axis),
    x: hasAngles ? numbers.filter((_, i) => i % 2 === 0) : evenAngles(first, step ?? 0, numbers.length),
    y: hasAngles ? numbers.filter((_, i) => i % 2 === 1) : numbers,
    stepSeconds: positive(keys.get('STEPTIME')),
  };
}

/** @throws DiffractionError `unreadable-pattern` */
export function readUxd(text: string): InstrumentFile {
  const ranges: Range[] = [];
  const file = new Map<string, string>();
  let keys = file;
  let open: Range | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.startsWith(';') || line.trim() === '') continue;
    const [, key, value] = /^_(\w{1,60})\s*=\s*'?([^']{0,200})/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) {
      if (key === 'DRIVE') {
        open = undefined;
        keys = new Map(file);
      }
      keys.set(key, value.trim());
    } else if (/^_(?:2THETA)?(?:COUNTS|CPS)\s*$/.test(line)) {
      open = { keys, kind: line.slice(1).trim(), numbers: [] };
      ranges.push(open);
    } else if (line.startsWith('_')) throw damaged(FORMAT);
    else if (open) for (const number of numbersOf(line, FORMAT)) open.numbers.push(number);
  }
  return {
    format: FORMAT,
    scans: ranges.map(scanOf),
    anode: file.get('ANODE'),
    kAlpha1: positive(file.get('WL1')),
    kAlpha2: positive(file.get('WL2')),
    kAlphaRatio: positive(file.get('WLRATIO')),
    divergenceSlit: file.get('FIXED_DIVSLIT'),
  };
}
