/**
 * Draws vertices with WebGL 2, whatever they represent. The viewer can upload all data of the renderer again if the
 * WebGL context is lost.
 */
import type { Vec3 } from '@unitcell/numerics';
import type { Batch, Drawing } from './drawing.ts';
import { type ProgramKind, SHADERS } from './shaders.ts';
import type { Stage, View } from './view.ts';
import { BOND_RADIUS } from './visible.ts';

/** Red, green and blue, each from 0 to 1. */
export type Rgb = readonly [number, number, number];

export interface SceneColors {
  readonly ink: Rgb;
  readonly ground: Rgb;
}

/** `fine`: full balls and sticks; `quick`: points and lines instead of small ones; `bare`: points only. */
export type Detail = 'fine' | 'quick' | 'bare';

export interface CrystalRenderer {
  /** Replaces the buffers loaded before. */
  readonly load: (drawing: Drawing) => void;
  /** Draws with `ratio` pixels of the canvas per pixel of the stage. */
  readonly draw: (view: View, stage: Stage, ratio: number, colors: SceneColors, detail: Detail) => void;
  readonly dispose: () => void;
}

/** Line width in px of the stage, and share of the ink in the colour of the line. */
const LINES = { edges: [1.1, 0.62], cell: [1.5, 0.78] } as const;

/**
 * A compiled program of the graphics card. Its status is queried late, so that the browser may compile several at once.
 */
interface Program {
  readonly program: WebGLProgram;
  /** Waits until the program is compiled. @throws Error when compilation fails */
  readonly finish: () => void;
  readonly at: (name: string) => WebGLUniformLocation | null;
}

function compile(gl: WebGL2RenderingContext, kind: ProgramKind): Program {
  const program = gl.createProgram();
  const sources = [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].map((type, at) => {
    const shader = gl.createShader(type);
    if (!shader) throw new Error('no WebGL shader');
    gl.shaderSource(shader, SHADERS[kind][at] ?? '');
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    return shader;
  });
  gl.linkProgram(program);
  let isFinished = false;
  const finish = (): void => {
    if (isFinished) return;
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(
        [gl.getProgramInfoLog(program), ...sources.map((shader) => gl.getShaderInfoLog(shader))].join('\n'),
      );
    for (const shader of sources) gl.deleteShader(shader);
    isFinished = true;
  };
  const places = new Map<string, WebGLUniformLocation | null>();
  const at = (name: string): WebGLUniformLocation | null => {
    if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name));
    return places.get(name) ?? null;
  };
  return { program, finish, at };
}

/** A program that draws some buffers. */
interface Pass {
  readonly program: Program;
  readonly vertices: WebGLVertexArrayObject;
  readonly draw: () => void;
}

/**
 * Sorts triangles from back to front, so that translucent ones are painted in the right order.
 * @param points three corners for each triangle
 * @returns a function that takes the direction towards the viewer and returns the corner indices in painting order
 */
export function depthSorter(points: ArrayLike<number>): (towards: Vec3) => Uint32Array {
  const count = points.length / 9;
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  const depths = new Float32Array(count);
  const sorted = new Uint32Array(3 * count);
  return (towards) => {
    for (let at = 0; at < count; at++) {
      let depth = 0;
      for (let k = 0; k < 9; k++) depth += (points[9 * at + k] ?? 0) * (towards[k % 3] ?? 0);
      depths[at] = depth;
    }
    order.sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0));
    for (const [place, triangle] of order.entries())
      for (let k = 0; k < 3; k++) sorted[3 * place + k] = 3 * triangle + k;
    return sorted;
  };
}

interface LoadedBatch {
  readonly kind: Batch['kind'];
  /** For translucent triangles: sorts them from back to front in a view. */
  readonly sort: ((towards: Vec3) => void) | null;
  /**
   * Draws squares, strips and triangles or, for less detail, points and lines from the same buffers if
   * possible.
   */
  readonly passFor: (detail: Detail) => Pass;
  readonly dispose: () => void;
}

/** Uploads a batch to the graphics card. */
function upload(
  gl: WebGL2RenderingContext,
  programOf: (kind: ProgramKind) => Program,
  { kind, attributes, indices }: Batch,
): LoadedBatch {
  const stored = attributes.map(({ values }) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    return buffer;
  });
  /** Binds the attributes that a program reads: those of every vertex, or of every `every`-th vertex. */
  const pass = (name: ProgramKind, every: number, draw: () => void): Pass => {
    const program = programOf(name);
    program.finish();
    const vertices = gl.createVertexArray();
    gl.bindVertexArray(vertices);
    for (const [at, { name: attribute, size, values }] of attributes.entries()) {
      const place = gl.getAttribLocation(program.program, attribute);
      if (place < 0) continue;
      const type =
        values instanceof Float32Array ? gl.FLOAT : values instanceof Int8Array ? gl.BYTE : gl.UNSIGNED_BYTE;
      const stride = every === 1 ? 0 : every * size * values.BYTES_PER_ELEMENT;
      gl.bindBuffer(gl.ARRAY_BUFFER, stored[at] ?? null);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, type, values instanceof Uint8Array, stride, 0);
    }
    return { program, vertices, draw };
  };
  const triangles = gl.createBuffer();
  const fine = pass(kind, 1, () => gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_INT, 0));
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, kind === 'faces' ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  const inOrder = kind === 'faces' ? depthSorter(attributes[0]?.values ?? []) : null;
  // Six indices per square of four vertices. In the strip of a stick, every second vertex is an end.
  const count = indices.length / 6;
  const makeQuick = (): Pass | undefined => {
    if (kind === 'balls') return pass('dots', 4, () => gl.drawArrays(gl.POINTS, 0, count));
    return kind === 'sticks' ? pass('sticks', 2, () => gl.drawArrays(gl.LINES, 0, 2 * count)) : undefined;
  };
  let quick: Pass | undefined;
  return {
    kind,
    sort:
      inOrder &&
      ((towards) => {
        gl.bindVertexArray(fine.vertices);
        gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, inOrder(towards));
      }),
    passFor: (detail) => (detail === 'fine' ? fine : ((quick ??= makeQuick()) ?? fine)),
    dispose: () => {
      for (const each of [fine, quick]) if (each) gl.deleteVertexArray(each.vertices);
      for (const buffer of [...stored, triangles]) gl.deleteBuffer(buffer);
    },
  };
}

/** @throws Error when the browser has no WebGL 2 context or the programs do not compile. */
export function createCrystalRenderer(canvas: HTMLCanvasElement): CrystalRenderer {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: false, powerPreference: 'low-power' });
  if (!gl) throw new Error('no WebGL 2 context');
  const programs = new Map<ProgramKind, Program>();
  const programOf = (kind: ProgramKind): Program => {
    const program = programs.get(kind) ?? compile(gl, kind);
    programs.set(kind, program);
    return program;
  };
  let loaded: readonly LoadedBatch[] = [];
  let extent = 1;
  const clear = (): void => {
    for (const batch of loaded) batch.dispose();
    loaded = [];
  };
  gl.enable(gl.DEPTH_TEST);
  // Colours are multiplied by their opacity, as the page expects of a canvas.
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  return {
    load: (drawing) => {
      clear();
      extent = drawing.extent;
      for (const { kind } of drawing.batches) programOf(kind);
      loaded = drawing.batches.map((batch) => upload(gl, programOf, batch));
    },
    draw: (view, { width, height }, ratio, { ink, ground }, detail) => {
      const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
      if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
      gl.viewport(0, 0, w, h);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      const [x, y, z] = view.rotation;
      const rotation = [0, 1, 2].flatMap((axis) => [x[axis] ?? 0, y[axis] ?? 0, z[axis] ?? 0]);
      for (const { kind, sort, passFor } of loaded) {
        if (detail === 'bare' && kind === 'sticks') continue;
        const { program, vertices, draw } = passFor(detail);
        const { at } = program;
        gl.useProgram(program.program);
        gl.uniformMatrix3fv(at('rotation'), false, rotation);
        gl.uniform3fv(at('pivot'), [...view.pivot]);
        gl.uniform2f(at('halfStage'), width / 2, height / 2);
        gl.uniform2f(at('shift'), ...view.shift);
        gl.uniform1f(at('scale'), view.scale);
        gl.uniform1f(at('nearness'), 1 / view.distance);
        gl.uniform1f(at('range'), extent);
        gl.uniform3fv(at('ink'), [...ink]);
        gl.uniform3fv(at('ground'), [...ground]);
        if (kind === 'balls') gl.uniform1f(at('ratio'), ratio);
        if (kind === 'sticks') {
          gl.uniform1f(at('radius'), BOND_RADIUS);
          gl.uniform1f(at('isLine'), detail === 'fine' ? 0 : 1);
        }
        if (kind === 'edges' || kind === 'cell') {
          gl.uniform1f(at('width'), LINES[kind][0]);
          gl.uniform1f(at('strength'), LINES[kind][1]);
        }
        sort?.(view.rotation[2]);
        gl.bindVertexArray(vertices);
        if (sort) {
          gl.enable(gl.BLEND);
          gl.depthMask(false);
        }
        draw();
        if (sort) {
          gl.disable(gl.BLEND);
          gl.depthMask(true);
        }
      }
    },
    dispose: () => {
      clear();
      for (const { program } of programs.values()) gl.deleteProgram(program);
    },
  };
}
