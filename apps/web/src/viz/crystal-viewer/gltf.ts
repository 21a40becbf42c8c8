/**
 * A crystal as glTF 2.0 for slides, print and other programs: one ball and one stick as meshes, placed many
 * times, and the polyhedra as bodies. One metre in the file is 1 Å.
 * https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
 */
import { cross3, dot3, norm3, scale3, subtract3, type Vec3 } from '@unitcell/numerics';
import { groupBy } from '../../lib/rows.ts';
import { channels, type Sector } from './colors.ts';
import { BOND_RADIUS, halvesOf, type Visible } from './visible.ts';

interface Mesh {
  readonly positions: readonly Vec3[];
  readonly normals: readonly Vec3[];
  readonly triangles: readonly (readonly [number, number, number])[];
}

const RINGS = 16;
const SEGMENTS = 24;

/** A sphere of radius 1 about the origin, or a sector of it about z from `from` to `to`, as shares of a full turn. */
function sphere(from = 0, to = 1): Mesh {
  const positions: Vec3[] = [];
  const triangles: [number, number, number][] = [];
  const segments = Math.max(2, Math.round(SEGMENTS * (to - from)));
  for (let ring = 0; ring <= RINGS; ring++)
    for (let at = 0; at <= segments; at++) {
      const theta = (Math.PI * ring) / RINGS;
      const phi = 2 * Math.PI * (from + ((to - from) * at) / segments);
      positions.push([Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)]);
      if (ring === RINGS || at === segments) continue;
      const here = ring * (segments + 1) + at;
      const below = here + segments + 1;
      // At the poles only one triangle, because one side of the quad has no length.
      if (ring < RINGS - 1) triangles.push([here, below, below + 1]);
      if (ring > 0) triangles.push([here, below + 1, here + 1]);
    }
  return { positions, normals: positions, triangles };
}

/** A cylinder of radius 1 from the origin to z = 1. Its open ends are inside balls. */
function cylinder(): Mesh {
  const around = Array.from({ length: SEGMENTS + 1 }, (_, at): Vec3 => {
    const phi = (2 * Math.PI * at) / SEGMENTS;
    return [Math.cos(phi), Math.sin(phi), 0];
  });
  return {
    positions: around.flatMap(([x, y]): Vec3[] => [
      [x, y, 0],
      [x, y, 1],
    ]),
    normals: around.flatMap((normal) => [normal, normal]),
    triangles: Array.from({ length: SEGMENTS }, (_, at) => 2 * at).flatMap(
      (at): [number, number, number][] => [
        [at, at + 2, at + 1],
        [at + 1, at + 2, at + 3],
      ],
    ),
  };
}

/** The smallest rotation that brings z to `direction`, as a quaternion x y z w. */
function turnFromZ(direction: Vec3): readonly [number, number, number, number] {
  const z: Vec3 = [0, 0, 1];
  const cosine = dot3(z, direction);
  if (cosine < -1 + 1e-9) return [1, 0, 0, 0];
  const [x, y, axisZ] = cross3(z, direction);
  const length = Math.hypot(x, y, axisZ, 1 + cosine);
  return [x / length, y / length, axisZ / length, (1 + cosine) / length];
}

/** Converts displayed sRGB to the linear light of glTF. */
const linear = (color: string): readonly number[] =>
  channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCodePoint(byte);
  return btoa(text);
}

/** Collects accessors over one buffer. */
class Buffer {
  readonly accessors: object[] = [];
  readonly views: object[] = [];
  private readonly parts: Uint8Array[] = [];
  private size = 0;

  private append(data: Float32Array | Uint32Array, target: number): number {
    this.views.push({ buffer: 0, byteOffset: this.size, byteLength: data.byteLength, target });
    this.parts.push(new Uint8Array(data.buffer));
    this.size += data.byteLength;
    return this.views.length - 1;
  }

  vectors(values: readonly Vec3[]): number {
    const bufferView = this.append(Float32Array.from(values.flat()), 34_962);
    const along = (pick: (...all: number[]) => number) =>
      [0, 1, 2].map((axis) =>
        Math.fround(values.reduce((best, value) => pick(best, value[axis] ?? 0), values[0]?.[axis] ?? 0)),
      );
    this.accessors.push({
      bufferView,
      componentType: 5126,
      count: values.length,
      type: 'VEC3',
      min: along(Math.min),
      max: along(Math.max),
    });
    return this.accessors.length - 1;
  }

  indices(values: readonly number[]): number {
    const bufferView = this.append(Uint32Array.from(values), 34_963);
    this.accessors.push({ bufferView, componentType: 5125, count: values.length, type: 'SCALAR' });
    return this.accessors.length - 1;
  }

  asset(): object {
    const bytes = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return { byteLength: this.size, uri: `data:application/octet-stream;base64,${base64(bytes)}` };
  }
}

/** The text of a .gltf file with embedded data; y points up, so that c of the crystal is vertical. */
export function writeGltf(visible: Visible, name: string): string {
  const buffer = new Buffer();
  const materials: object[] = [];
  const meshes: object[] = [];
  const nodes: object[] = [];
  const materialOf = memo((color) => {
    materials.push({
      name: color,
      pbrMetallicRoughness: {
        baseColorFactor: [...linear(color), 1],
        metallicFactor: 0,
        roughnessFactor: 0.45,
      },
    });
    return materials.length - 1;
  });
  const attributesOf = ({ positions, normals, triangles }: Mesh) => ({
    attributes: { POSITION: buffer.vectors(positions), NORMAL: buffer.vectors(normals) },
    indices: buffer.indices(triangles.flat()),
  });
  const shapes = new Map<string, ReturnType<typeof attributesOf>>();
  /** Each shape is stored once for all its colours. */
  const painted = (shapeName: string, shape: () => Mesh, color: string) => {
    const geometry = shapes.get(shapeName) ?? attributesOf(shape());
    shapes.set(shapeName, geometry);
    return { ...geometry, material: materialOf(color) };
  };
  const meshOf = memo((key) => {
    const sectors = JSON.parse(key) as readonly Sector[];
    let end = 0;
    const primitives = sectors.map(({ color, share }) => {
      const start = end;
      end += share;
      return painted(`ball ${start} ${end}`, () => sphere(start, end), color);
    });
    return meshes.push({ primitives }) - 1;
  });
  const stick = memo((color) => meshes.push({ primitives: [painted('stick', cylinder, color)] }) - 1);
  for (const { position, radius, sectors } of visible.atoms)
    nodes.push({
      mesh: meshOf(JSON.stringify(sectors)),
      translation: position,
      scale: [radius, radius, radius],
    });
  for (const { from, to, color } of visible.sticks.flatMap(halvesOf)) {
    const arm = subtract3(to, from);
    nodes.push({
      mesh: stick(color),
      translation: from,
      rotation: turnFromZ(scale3(arm, 1 / norm3(arm))),
      scale: [BOND_RADIUS, BOND_RADIUS, norm3(arm)],
    });
  }
  for (const [color, faces] of groupBy(visible.faces, (face) => face.color)) {
    const corners = faces.flatMap((face) => face.corners);
    let start = 0;
    const triangles = faces.flatMap((face): [number, number, number][] => {
      const first = start;
      start += face.corners.length;
      return face.corners.slice(2).map((_, at) => [first, first + at + 1, first + at + 2]);
    });
    const normals = faces.flatMap((face) => face.corners.map(() => face.normal));
    meshes.push({
      primitives: [
        { ...attributesOf({ positions: corners, normals, triangles }), material: materialOf(color) },
      ],
    });
    nodes.push({ mesh: meshes.length - 1 });
  }
  return JSON.stringify({
    asset: { version: '2.0', generator: 'Unitcell' },
    scene: 0,
    scenes: [{ name, nodes: [0] }],
    nodes: [
      { name, rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], children: nodes.map((_, at) => at + 1) },
      ...nodes,
    ],
    meshes,
    materials,
    accessors: buffer.accessors,
    bufferViews: buffer.views,
    buffers: [buffer.asset()],
  });
}

/** Each colour, or set of colours, is stored once. */
function memo(make: (key: string) => number): (key: string) => number {
  const known = new Map<string, number>();
  return (key) => {
    const index = known.get(key) ?? make(key);
    known.set(key, index);
    return index;
  };
}
