/** Values that a band plot derives from the data. Energies in eV, distances in 1/Å. */
import type { BandStructure } from '@unitcell/material';
import { type PathPlace, pointKey, pointText } from '../brillouin-zone/path-place.ts';

/** 1/Å. Consecutive k-points closer than this are the two sides of a jump of the path. */
const JUMP_DISTANCE = 1e-9;

const isJump = (kDistance: readonly number[], index: number): boolean =>
  index > 0 && (kDistance[index] ?? 0) - (kDistance[index - 1] ?? 0) <= JUMP_DISTANCE;

export interface PathTick {
  readonly distance: number;
  /** `Γ`, `U|K` at a jump. */
  readonly text: string;
}

export function pathTicks({ labels, kDistance }: BandStructure): PathTick[] {
  const ticks: PathTick[] = [];
  for (const { index, label } of labels) {
    const distance = kDistance[index];
    if (distance === undefined) continue;
    const text = pointText(label);
    const last = ticks.at(-1);
    if (last && distance - last.distance <= JUMP_DISTANCE) {
      if (last.text !== text) ticks[ticks.length - 1] = { distance, text: `${last.text}|${text}` };
    } else ticks.push({ distance, text });
  }
  return ticks;
}

/** All bands of one spin as one broken line: null between bands and across jumps of the path. */
export interface BandLines {
  readonly distances: (number | null)[];
  /** eV above the Fermi level. */
  readonly energies: (number | null)[];
  /** k-point and band of each point, both counted from 0. */
  readonly origins: (readonly [kIndex: number, band: number])[];
}

export function bandLines(
  energies: BandStructure['spinUp'],
  { kDistance, fermiEnergy }: BandStructure,
): BandLines {
  const lines: BandLines = { distances: [], energies: [], origins: [] };
  const add = (distance: number | null, energy: number | null, origin: readonly [number, number]): void => {
    lines.distances.push(distance);
    lines.energies.push(energy);
    lines.origins.push(origin);
  };
  const count = energies[0]?.length ?? 0;
  for (let band = 0; band < count; band++) {
    kDistance.forEach((distance, kIndex) => {
      if (isJump(kDistance, kIndex)) add(null, null, [kIndex, band]);
      const energy = energies[kIndex]?.[band];
      add(distance, energy === undefined ? null : energy - fermiEnergy, [kIndex, band]);
    });
    add(null, null, [-1, band]);
  }
  return lines;
}

interface Segment {
  readonly from: string;
  readonly to: string;
  readonly start: number;
  readonly end: number;
}

/** The straight segments between labelled points, without jumps. */
function segmentsOf({ labels, kDistance }: BandStructure): Segment[] {
  return labels.flatMap((label, position): Segment[] => {
    const next = labels[position + 1];
    if (!next) return [];
    const [start, end] = [kDistance[label.index] ?? 0, kDistance[next.index] ?? 0];
    if (end - start <= JUMP_DISTANCE) return [];
    return [{ from: pointKey(label.label), to: pointKey(next.label), start, end }];
  });
}

/** Position of a k-point on the path, by the labels of the zone; null if the path has no labels. */
export function placeOfPoint(bands: BandStructure, kIndex: number): PathPlace | null {
  const distance = bands.kDistance[kIndex];
  if (distance === undefined) return null;
  const segment = segmentsOf(bands).find(({ start, end }) => distance >= start && distance <= end);
  if (!segment) return null;
  const { from, to, start, end } = segment;
  return { from, to, fraction: (distance - start) / (end - start) };
}

/** The distances along the path at which a point of the zone occurs; empty if the path does not contain it. */
export function distancesOfPlace(bands: BandStructure, { from, to, fraction }: PathPlace): number[] {
  const segments = segmentsOf(bands);
  if (fraction <= 0 || fraction >= 1) {
    // A labelled point is an end of several segments and may occur several times on the path.
    const point = fraction <= 0 ? from : to;
    const ends = segments.flatMap(({ from: a, to: b, start, end }) => [
      ...(a === point ? [start] : []),
      ...(b === point ? [end] : []),
    ]);
    return [...new Set(ends)];
  }
  return segments.flatMap((segment) => {
    const length = segment.end - segment.start;
    if (segment.from === from && segment.to === to) return [segment.start + fraction * length];
    if (segment.from === to && segment.to === from) return [segment.end - fraction * length];
    return [];
  });
}

/**
 * The ticks whose names fit; other ticks are drawn as a line without a name.
 * @param room share of the path a name needs to itself
 */
export function namedTicks(ticks: readonly PathTick[], room: number): PathTick[] {
  const length = (ticks.at(-1)?.distance ?? 0) - (ticks[0]?.distance ?? 0);
  let last = Number.NEGATIVE_INFINITY;
  return ticks.filter(({ distance }) => {
    if (distance - last < room * length) return false;
    last = distance;
    return true;
  });
}

/** Densities of one spin summed over the shells of each element, in the order of their first appearance: `Ti d` → Ti. */
export function densitiesByElement(
  projected: Readonly<Record<string, readonly number[]>> | undefined,
  spin: 'up' | 'down' = 'up',
): ReadonlyMap<string, readonly number[]> {
  const sums = new Map<string, number[]>();
  for (const [name, values] of Object.entries(projected ?? {})) {
    const element = /^[A-Z][a-z]?/.exec(name)?.[0];
    if (element === undefined || /down/i.test(name) !== (spin === 'down')) continue;
    const sum = sums.get(element) ?? values.map(() => 0);
    values.forEach((value, index) => {
      sum[index] = (sum[index] ?? 0) + value;
    });
    sums.set(element, sum);
  }
  return sums;
}
