/** Philips (PANalytical) UDF: lines `Key, value, /`, then the counts after `RawScan`. */
import { damaged } from '../unreadable.ts';
import { evenAngles, type InstrumentFile, numbersOf, positive, words } from './instrument-file.ts';

const FORMAT = 'Philips UDF';

export const isUdf = (head: string): boolean =>
  head.startsWith('SampleIdent,') || /^DataAngleRange,/m.test(head);

/** @throws DiffractionError `unreadable-pattern` */
export function readUdf(text: string): InstrumentFile {
  const [header = '', data] = text.split(/^RawScan[ \t]*$/m);
  if (data === undefined) throw damaged(FORMAT);
  const keys = new Map<string, string>();
  for (const line of header.split('\n')) {
    const [, key, value] = /^(\w{1,40}),([^/\r]{0,200})/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) keys.set(key, value.replace(/,\s*$/, '').trim());
  }
  const [first, last] = (keys.get('DataAngleRange') ?? '').split(',').map(Number);
  const step = positive(keys.get('ScanStepSize'));
  const y = numbersOf(data.split('/', 1)[0].replaceAll(',', ' '), FORMAT);
  if (first === undefined || last === undefined || step === undefined) throw damaged(FORMAT);
  // Some programs omit the last point of the range.
  if (!(y.length >= Math.round((last - first) / step) - 1)) throw damaged(FORMAT);
  const slit = words(keys.get('DivergenceSlit'));
  return {
    format: FORMAT,
    scans: [
      {
        axis: '2θ',
        isTwoTheta: true,
        x: evenAngles(first, step, y.length),
        y,
        stepSeconds: positive(keys.get('ScanStepTime')),
      },
    ],
    anode: words(keys.get('Anode')),
    kAlpha1: positive(keys.get('LabdaAlpha1')),
    kAlpha2: positive(keys.get('LabdaAlpha2')),
    kAlphaRatio: positive(keys.get('RatioAlpha21')),
    divergenceSlit: slit,
    isSlitVariable: /^auto/i.test(slit ?? ''),
  };
}
