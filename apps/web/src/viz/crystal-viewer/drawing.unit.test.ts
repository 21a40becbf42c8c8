import { orderedSite, type Structure } from '@unitcell/crystal';
import { validateString } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { channels, colorKeys, schemesOf, sectorsOf, VACANCY_COLOR } from './colors.ts';
import { depthSorter } from './crystal-renderer.ts';
import { drawingOf } from './drawing.ts';
import { writeGltf } from './gltf.ts';
import { angleAt, distanceBetween } from './overlay.ts';
import { buildScene } from './scene.ts';
import { type DrawOptions, halvesOf, visibleOf } from './visible.ts';

const A = 4.6;
const C = 2.96;
const U = 0.305;
/** Rutile whose titanium is partly vanadium, partly missing. */
const mixed: Structure = {
  latticeVectors: [
    [A, 0, 0],
    [0, A, 0],
    [0, 0, C],
  ],
  sites: [
    {
      species: [
        { element: 'Ti', occupancy: 0.5 },
        { element: 'V', occupancy: 0.3 },
      ],
      fractionalCoords: [0, 0, 0],
    },
    orderedSite('Ti', [0.5, 0.5, 0.5]),
    orderedSite('O', [U, U, 0]),
    orderedSite('O', [1 - U, 1 - U, 0]),
    orderedSite('O', [0.5 - U, 0.5 + U, 0.5]),
    orderedSite('O', [0.5 + U, 0.5 - U, 0.5]),
  ],
};
const scene = buildScene(mixed, [1, 1, 1]);
const keys = colorKeys(scene, 'element');
const options: DrawOptions = {
  hasLabels: false,
  hasCell: true,
  hasBonds: true,
  hasPolyhedra: true,
  scheme: 'element',
  hidden: new Set(),
};
const visible = visibleOf(scene, options, keys);
/** Without polyhedra, because bonds inside a polyhedron are not drawn. */
const open = visibleOf(scene, { ...options, hasPolyhedra: false }, keys);
const keyColor = (key: string): string => keys.find(({ name }) => name === key)?.color ?? '';

describe('colours', () => {
  it('of a shared site show its species and its vacancy in proportion', () => {
    const atom = scene.atoms.find(({ species }) => species.length === 2)!;
    const sectors = sectorsOf(atom, 'element', keyColor, 'Ti');
    expect(sectors.map(({ color }) => color)).toEqual([keyColor('Ti'), keyColor('V'), VACANCY_COLOR]);
    for (const [at, share] of [0.5, 0.3, 0.2].entries()) expect(sectors[at]?.share).toBeCloseTo(share, 12);
  });

  it('by Wyckoff letter and by number of bonds have one sorted legend entry for each key', () => {
    expect(colorKeys(scene, 'wyckoff', ['a', 'a', 'f', 'f', 'f', 'f']).map(({ name }) => name)).toEqual([
      'O f',
      'Ti a',
    ]);
    expect(colorKeys(scene, 'coordination').map(({ name }) => name)).toEqual(['3', '6']);
  });
});

describe('colours by moment', () => {
  const ordered = (moments: readonly (number | undefined)[]) =>
    buildScene(
      {
        latticeVectors: mixed.latticeVectors,
        sites: moments.map((moment, i) => ({
          ...orderedSite('Mn', [0, 0, i / moments.length]),
          ...(moment !== undefined && { moment }),
        })),
      },
      [1, 1, 1],
    );

  it('range from spin down through zero to spin up, largest first, with one label for nearly equal moments', () => {
    const up = ordered([4.58, -4.56, 0.02, undefined, 4.61]);
    const byName = colorKeys(up, 'moment');
    expect(byName.map(({ name, count }) => [name, count])).toEqual([
      ['+4.6 μB', 2],
      ['0 μB', 1],
      ['−4.6 μB', 1],
      ['–', 1],
    ]);
    const [red, blue] = [channels(byName[0]!.color), channels(byName[2]!.color)];
    expect(red[0]).toBeGreaterThan(red[2] + 90);
    expect(blue[2]).toBeGreaterThan(blue[0] + 90);
  });

  it('are offered only if a moment is known', () => {
    expect(schemesOf(ordered([1, undefined]), false)).toContain('moment');
    expect(schemesOf(scene, true)).not.toContain('moment');
  });
});

describe('the visible part of a scene', () => {
  it('excludes atoms, bonds and polyhedra of a key that is switched off in the legend', () => {
    const without = visibleOf(scene, { ...options, hidden: new Set(['O']) }, keys);
    expect(without.atoms.every(({ index }) => scene.atoms[index]?.element === 'Ti')).toBe(true);
    expect(without.sticks).toEqual([]);
    expect(visibleOf(scene, { ...options, hidden: new Set(['Ti']) }, keys).faces).toEqual([]);
  });

  it('excludes atoms outside the cells if neither bonds nor polyhedra are shown', () => {
    const bare = visibleOf(scene, { ...options, hasBonds: false, hasPolyhedra: false }, keys);
    expect(bare.atoms).toHaveLength(15);
    expect(bare.atoms.length).toBeLessThan(visible.atoms.length);
  });
});

describe('drawingOf', () => {
  const { batches } = drawingOf(visible);

  it('uses four vertices and two triangles per ball, with balls of shared sites in a separate batch', () => {
    const vertices = (kind: string): number => {
      const batch = batches.find((each) => each.kind === kind)!;
      const [first] = batch.attributes;
      return first!.values.length / first!.size;
    };
    const shared = visible.atoms.filter(({ sectors }) => sectors.length > 1).length;
    expect(shared).toBe(8);
    expect(vertices('shared')).toBe(4 * shared);
    expect(vertices('balls')).toBe(4 * (visible.atoms.length - shared));
  });

  it('draws no bond inside a polyhedron: those of rutile are all inside its octahedra', () => {
    expect(visible.sticks).toEqual([]);
    const sticks = drawingOf(open).batches.find(({ kind }) => kind === 'sticks')!;
    expect(open.sticks.length).toBeGreaterThan(0);
    expect(sticks.attributes[0]!.values).toHaveLength(12 * open.sticks.length);
  });

  it('references no vertex that does not exist', () => {
    for (const { attributes, indices } of batches)
      for (const { values, size } of attributes)
        expect(Math.max(...indices)).toBeLessThan(values.length / size);
  });
});

describe('writeGltf', () => {
  const text = writeGltf(visible, 'TiO2');
  const gltf = JSON.parse(text);
  const bytes = Buffer.from(gltf.buffers[0].uri.split(',')[1], 'base64');

  it('passes the Khronos validator', async () => {
    const { issues } = await validateString(text);
    expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
  });

  it('places every ball and stick, and the counts in the file match its data', () => {
    const bodies = new Set(visible.faces.map(({ color }) => color)).size;
    expect(gltf.nodes).toHaveLength(1 + visible.atoms.length + 2 * visible.sticks.length + bodies);
    expect(bytes).toHaveLength(gltf.buffers[0].byteLength);
    for (const { byteOffset, byteLength } of gltf.bufferViews)
      expect(byteOffset + byteLength).toBeLessThanOrEqual(bytes.length);
    const sizes: Record<string, number> = { VEC3: 3, SCALAR: 1 };
    for (const { bufferView, count, type } of gltf.accessors)
      expect(gltf.bufferViews[bufferView].byteLength).toBe(4 * count * sizes[type]!);
  });

  it('divides the ball of a shared site by occupancy', () => {
    const shared = gltf.meshes.filter(({ primitives }: { primitives: unknown[] }) => primitives.length === 3);
    expect(shared).toHaveLength(1);
    const colors = shared[0].primitives.map(
      ({ material }: { material: number }) => gltf.materials[material].name,
    );
    expect(colors).toEqual([...['Ti', 'V'].map((name) => keyColor(name)), VACANCY_COLOR]);
  });

  it('rotates sticks along their bonds', () => {
    const { nodes } = JSON.parse(writeGltf(open, 'TiO2'));
    expect(nodes).toHaveLength(1 + open.atoms.length + 2 * open.sticks.length);
    const stick = nodes.find(
      (node: { rotation?: number[]; translation?: number[] }) => node.rotation && node.translation,
    );
    const [x, y, z, w] = stick.rotation;
    const [{ from, to }] = halvesOf(open.sticks[0]!);
    const turned = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    const length = distanceBetween(from, to);
    for (const axis of [0, 1, 2]) expect(turned[axis]! * length).toBeCloseTo(to[axis]! - from[axis]!, 10);
  });
});

it('picked atoms of a square give its right angle and its diagonal', () => {
  expect(distanceBetween([0, 0, 0], [1, 1, 0])).toBeCloseTo(Math.SQRT2, 14);
  expect(angleAt([1, 0, 0], [0, 0, 0], [0, 2, 0])).toBeCloseTo(90, 12);
});

it('translucent triangles are sorted from back to front in every view', () => {
  const at = (z: number): readonly number[] => [0, 0, z, 1, 0, z, 0, 1, z];
  const inOrder = depthSorter([...at(2), ...at(-1), ...at(0.5)]);
  expect([...inOrder([0, 0, 1])]).toEqual([3, 4, 5, 6, 7, 8, 0, 1, 2]);
  expect([...inOrder([0, 0, -1])]).toEqual([0, 1, 2, 6, 7, 8, 3, 4, 5]);
});
