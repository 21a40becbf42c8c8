/** Draws vertices with WebGL 2. It knows nothing of crystals, and keeps nothing the viewer could not hand it again. */
import type { Batch, Drawing } from './drawing.ts';
import { type ProgramKind, SHADERS } from './shaders.ts';
import type { Stage, View } from './view.ts';
import { BOND_RADIUS } from './visible.ts';

/** 0 to 1 each. */
export type Rgb = readonly [number, number, number];

export interface SceneColors {
  readonly ink: Rgb;
  readonly ground: Rgb;
}

/** Balls and sticks as they are; points and lines for them; points alone. */
export type Detail = 'fine' | 'quick' | 'bare';

export interface CrystalRenderer {
  /** Takes the place of what was loaded before. */
  readonly load: (drawing: Drawing) => void;
  /** Draws at so many pixels of the canvas to one of the stage. */
  readonly draw: (view: View, stage: Stage, ratio: number, colors: SceneColors, detail: Detail) => void;
  readonly dispose: () => void;
}

/** px of the stage, and how much of the ink. */
const LINES = { edges: [1.1, 0.62], cell: [1.5, 0.78] } as const;

function compile(gl: WebGL2RenderingContext, kind: ProgramKind): WebGLProgram {
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
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(
      [gl.getProgramInfoLog(program), ...sources.map((shader) => gl.getShaderInfoLog(shader))].join('\n'),
    );
  for (const shader of sources) gl.deleteShader(shader);
  return program;
}

/** One way of drawing what is in some buffers. */
interface Pass {
  readonly program: WebGLProgram;
  readonly vertices: WebGLVertexArrayObject;
  readonly draw: () => void;
}

interface LoadedBatch {
  readonly kind: Batch['kind'];
  readonly buffers: readonly WebGLBuffer[];
  /** Squares, strips and triangles. */
  readonly fine: Pass;
  /** Points and lines from the same buffers, where they do. */
  readonly quick?: Pass;
}

/** A batch on the graphics card. */
function upload(
  gl: WebGL2RenderingContext,
  programOf: (kind: ProgramKind) => WebGLProgram,
  { kind, attributes, indices }: Batch,
): LoadedBatch {
  const stored = attributes.map(({ values }) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    return buffer;
  });
  /** The attributes a program reads, of every so many vertices. */
  const pass = (name: ProgramKind, every: number, draw: () => void): Pass => {
    const program = programOf(name);
    const vertices = gl.createVertexArray();
    gl.bindVertexArray(vertices);
    for (const [at, { name: attribute, size, values }] of attributes.entries()) {
      const place = gl.getAttribLocation(program, attribute);
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
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  // A square has four vertices and six indices; of a strip, every second vertex is an end.
  const count = indices.length / 6;
  const quick =
    kind === 'balls'
      ? pass('dots', 4, () => gl.drawArrays(gl.POINTS, 0, count))
      : kind === 'sticks'
        ? pass('sticks', 2, () => gl.drawArrays(gl.LINES, 0, 2 * count))
        : undefined;
  gl.bindVertexArray(null);
  return { kind, buffers: [...stored, triangles], fine, ...(quick && { quick }) };
}

/** @throws Error when the browser gives no WebGL 2 context or its programs do not compile. */
export function createCrystalRenderer(canvas: HTMLCanvasElement): CrystalRenderer {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: false, powerPreference: 'low-power' });
  if (!gl) throw new Error('no WebGL 2 context');
  const programs = new Map<ProgramKind, WebGLProgram>();
  const programOf = (kind: ProgramKind): WebGLProgram => {
    const program = programs.get(kind) ?? compile(gl, kind);
    programs.set(kind, program);
    return program;
  };
  let loaded: readonly LoadedBatch[] = [];
  let extent = 1;
  const clear = (): void => {
    for (const { buffers, fine, quick } of loaded) {
      for (const pass of [fine, quick]) if (pass) gl.deleteVertexArray(pass.vertices);
      for (const buffer of buffers) gl.deleteBuffer(buffer);
    }
    loaded = [];
  };
  gl.enable(gl.DEPTH_TEST);
  return {
    load: (drawing) => {
      clear();
      extent = drawing.extent;
      loaded = drawing.batches.map((batch) => upload(gl, programOf, batch));
    },
    draw: (view, { width, height }, ratio, { ink, ground }, detail) => {
      const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
      if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
      gl.viewport(0, 0, w, h);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      const [x, y, z] = view.turn;
      const turn = [0, 1, 2].flatMap((axis) => [x[axis] ?? 0, y[axis] ?? 0, z[axis] ?? 0]);
      for (const { kind, fine, quick } of loaded) {
        if (detail === 'bare' && kind === 'sticks') continue;
        const { program, vertices, draw } = (detail !== 'fine' && quick) || fine;
        gl.useProgram(program);
        const at = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
        gl.uniformMatrix3fv(at('turn'), false, turn);
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
        gl.bindVertexArray(vertices);
        draw();
      }
    },
    dispose: () => {
      clear();
      for (const program of programs.values()) gl.deleteProgram(program);
    },
  };
}
