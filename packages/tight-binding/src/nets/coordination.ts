import { type PeriodicGraph, spokesOf } from './periodic-graph.ts';

/** Number of sites exactly 1, 2, … `shells` links away from `site`. */
export function coordinationSequence(graph: PeriodicGraph, site: number, shells: number): number[] {
  const spokes = spokesOf(graph);
  const name = (s: number, x: number, y: number) => `${s},${x},${y}`;
  const seen = new Set([name(site, 0, 0)]);
  let shell: (readonly [number, number, number])[] = [[site, 0, 0]];
  return Array.from({ length: shells }, () => {
    const next: [number, number, number][] = [];
    for (const [s, x, y] of shell)
      for (const { to, dx, dy } of spokes[s]) {
        const key = name(to, x + dx, y + dy);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push([to, x + dx, y + dy]);
      }
    shell = next;
    return next.length;
  });
}
