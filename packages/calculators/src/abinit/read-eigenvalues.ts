/** `runo_EIG`: k-points, weights and eigenvalues, one block per spin channel. */
import { HARTREE_EV } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';
import type { Eigenvalues } from '../calculator.ts';
import { CalculatorError } from '../error.ts';

const HEADING = /Eigenvalues.* nkpt=\s*(\d+)/;
const K_LINE = /kpt#\s*\d+, nband=\s*(\d+), wtk=\s*(\S+), kpt=\s*(\S+)\s+(\S+)\s+(\S+)/;
/** Five decimals each; without a blank between wide negative numbers. */
const ENERGY = /-?\d+\.\d{5}/g;

interface Channel {
  readonly kPoints: Vec3[];
  readonly weights: number[];
  readonly energies: number[][];
}

/**
 * @returns one channel, or two with spin
 * @throws CalculatorError `output` when a k-point has not the number of bands it announces, or k-points or a spin channel are missing
 */
export function readAbinitEigenvalues(text: string): Eigenvalues[] {
  const channels: Channel[] = [];
  let announced = 0;
  let announcedPoints = 0;
  const check = (): void => {
    const row = channels.at(-1)?.energies.at(-1);
    if (row && row.length !== announced)
      throw new CalculatorError(
        'output',
        `the file of eigenvalues has ${row.length} bands at a k-point that announces ${announced}: it was cut off`,
      );
  };
  for (const line of text.split('\n')) {
    if (line.includes('Eigenvalues')) {
      check();
      announcedPoints = Number(HEADING.exec(line)?.[1] ?? 0);
      if (channels.length === 0 || line.includes('SPIN DOWN'))
        channels.push({ kPoints: [], weights: [], energies: [] });
      continue;
    }
    const channel = channels.at(-1);
    const head = K_LINE.exec(line);
    if (head && channel) {
      check();
      announced = Number(head[1]);
      channel.weights.push(Number(head[2]));
      channel.kPoints.push([Number(head[3]), Number(head[4]), Number(head[5])]);
      channel.energies.push([]);
    } else if (channel && /^[\s\d.+-]+$/.test(line)) {
      for (const [value] of line.matchAll(ENERGY)) channel.energies.at(-1)?.push(Number(value) * HARTREE_EV);
    }
  }
  check();
  if (channels.length === 0 || channels[0].energies.length === 0)
    throw new CalculatorError('output', 'the file of eigenvalues is empty');
  const wantedChannels = /^ *Eigenvalues.*SPIN UP/m.test(text) ? 2 : 1;
  const missing = channels.find(({ kPoints }) => kPoints.length < announcedPoints);
  if (missing || channels.length < wantedChannels)
    throw new CalculatorError(
      'output',
      `the file of eigenvalues has ${channels.map(({ kPoints }) => kPoints.length).join(' and ')} k-points where it announces ${announcedPoints}${wantedChannels === 2 ? ' for each spin' : ''}: it was cut off`,
    );
  return channels;
}
