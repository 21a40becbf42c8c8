/** Damaged files of instruments: the readers must return a pattern or a typed refusal. The seed is fixed. */
import { seededRandom } from '@unitcell/numerics';
import { DiffractionError } from '../diffraction-error.ts';
import { readMeasuredPattern } from '../read-measured-pattern.ts';
import { EXAMPLES } from './instrument-files.ts';

/** Returns how many mutants were read and how many refused. @throws Error for a broken pattern or an untyped error */
export function readMutants(count: number): { read: number; refused: number } {
  const random = seededRandom(38);
  const outcomes = { read: 0, refused: 0 };
  const mutate = (original: Uint8Array): Uint8Array => {
    let bytes = Uint8Array.from(original);
    for (let edits = 1 + Math.floor(random() * 6); edits > 0; edits--) {
      const at = Math.floor(random() * bytes.length);
      const kind = random();
      if (kind < 0.4) bytes[at] = Math.floor(random() * 256);
      else if (kind < 0.5) bytes = bytes.slice(0, at);
      else if (kind < 0.7) bytes = Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at - 40)]);
      else bytes.fill(random() < 0.5 ? 0x39 : 0xff, at, at + Math.floor(random() * 9));
    }
    return bytes;
  };
  for (let round = 0; round < count; round++) {
    const [, file, members] = EXAMPLES[round % EXAMPLES.length];
    const mutants = new Map([...members].map(([name, bytes]) => [name, mutate(bytes)]));
    try {
      const { x, y } = readMeasuredPattern(members.size > 0 ? file : mutate(file), mutants);
      if (!x.every((angle, i) => angle >= 0 && angle <= 180 && (i === 0 || angle > x[i - 1])))
        throw new Error(`angles of round ${round}`);
      if (x.length !== y.length || !y.every((value) => value >= 0 && value < Infinity))
        throw new Error(`intensities of round ${round}`);
      outcomes.read += 1;
    } catch (error) {
      if (!(error instanceof DiffractionError)) throw error;
      outcomes.refused += 1;
    }
  }
  return outcomes;
}
