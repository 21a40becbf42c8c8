/**
 * The functions of the kernel that depend on the model, in AssemblyScript: for each shape of layer one that sums the
 * messages of all pairs and one that propagates gradients backwards. Loops over components are unrolled and
 * coefficients that are zero left out; the innermost loops run over channels, with the coupling contracted with the
 * harmonics of the pair before.
 */
import { layerKinds, type ModelManifest, type TensorPath } from '@unitcell/potential';
import { readFileSync } from 'node:fs';
import { compileLayers } from '../compile-assemblyscript.ts';

const sum = (terms: readonly string[]): string =>
  terms.reduce((left, right) => (left ? `f32x4.add(${left}, ${right})` : right), '');

const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

/** One non-zero element of a path's coupling contracted with the harmonics: between component m1 of the input and m3 of the output. */
interface Element {
  readonly m1: number;
  readonly m3: number;
  /** [index of the harmonic, factor] */
  readonly terms: readonly (readonly [number, number])[];
}

function elementsOf({ coupling }: ModelManifest, { input, edge, output }: TensorPath): Element[] {
  const elements = new Map<string, Element & { terms: [number, number][] }>();
  for (const [m1, m2, m3, value] of coupling[`${input}${edge}${output}`]) {
    const key = `${m1} ${m3}`;
    const element = elements.get(key) ?? { m1, m3, terms: [] };
    element.terms.push([edge * edge + m2, Math.fround(value * Math.sqrt(2 * output + 1))]);
    elements.set(key, element);
  }
  return [...elements.values()].sort((a, b) => a.m1 - b.m1 || a.m3 - b.m3);
}

const m = ({ m1, m3 }: Element): string => `m${m1}_${m3}`;

/** Declares the coupling elements as vectors of four equal numbers. */
const contracted = (elements: readonly Element[]): string =>
  elements
    .map((element) => {
      const value = element.terms
        .map(([y, factor]) => `<f32>${factor} * load<f32>(Y + ${4 * y})`)
        .join(' + ');
      return `const ${m(element)} = f32x4.splat(${value});`;
    })
    .join('\n');

interface Sizes {
  /** Channels by degree. */
  readonly inputs: readonly number[];
  readonly messages: readonly number[];
}

function addresses(path: TensorPath, { inputs, messages }: Sizes) {
  const source = (m1: number): string => `${path.input} + ${4 * m1 * inputs[path.input]} + c`;
  return {
    sent: (m1: number): string => `xb${source(m1)}`,
    bySent: (m1: number): string => `dxb${source(m1)}`,
    target: (m3: number): string =>
      `ab${path.output} + ${4 * (path.channelOffset + m3 * messages[path.output])} + c`,
    weight: `${4 * path.weightOffset} + c`,
    loop: `for (let c: usize = 0; c < ${4 * path.channels}; c += 16) {`,
  };
}

function forwardPath(manifest: ModelManifest, path: TensorPath, sizes: Sizes): string {
  const elements = elementsOf(manifest, path);
  const at = addresses(path, sizes);
  const into = (m3: number): string =>
    sum([
      `ld(${at.target(m3)})`,
      ...elements.filter((e) => e.m3 === m3).map((e) => `f32x4.mul(${m(e)}, v${e.m1})`),
    ]);
  return `{
${contracted(elements)}
${at.loop}
const w = ld(W + ${at.weight});
${distinct(elements.map((e) => e.m1))
  .map((m1) => `const v${m1} = f32x4.mul(w, ld(${at.sent(m1)}));`)
  .join('\n')}
${distinct(elements.map((e) => e.m3))
  .map((m3) => `v128.store(${at.target(m3)}, ${into(m3)});`)
  .join('\n')}
}
}`;
}

function backwardPath(manifest: ModelManifest, path: TensorPath, sizes: Sizes): string {
  const elements = elementsOf(manifest, path);
  const at = addresses(path, sizes);
  const from = distinct(elements.map((e) => e.m1));
  const byHarmonic = distinct(elements.flatMap((e) => e.terms.map(([y]) => y)));
  const gathered = (m1: number): string =>
    sum(elements.filter((e) => e.m1 === m1).map((e) => `f32x4.mul(${m(e)}, d${e.m3})`));
  return `{
${contracted(elements)}
${elements.map((e) => `let s${m(e)} = f32x4.splat(0);`).join('\n')}
${at.loop}
const w = ld(W + ${at.weight});
${distinct(elements.map((e) => e.m3))
  .map((m3) => `const d${m3} = ld(${at.target(m3)});`)
  .join('\n')}
${from
  .map(
    (m1) => `const x${m1} = ld(${at.sent(m1)});
const t${m1} = ${gathered(m1)};
v128.store(${at.bySent(m1)}, muladd(ld(${at.bySent(m1)}), w, t${m1}));
const v${m1} = f32x4.mul(w, x${m1});`,
  )
  .join('\n')}
v128.store(DW + ${at.weight}, ${sum([`ld(DW + ${at.weight})`, ...from.map((m1) => `f32x4.mul(x${m1}, t${m1})`)])});
${elements.map((e) => `s${m(e)} = muladd(s${m(e)}, v${e.m1}, d${e.m3});`).join('\n')}
}
${elements.map((e) => `const h${m(e)} = total(s${m(e)});`).join('\n')}
${byHarmonic
  .map((y) => {
    const terms = elements.flatMap((e) =>
      e.terms.filter(([other]) => other === y).map(([, factor]) => `<f32>${factor} * h${m(e)}`),
    );
    return `store<f32>(DY + ${4 * y}, load<f32>(DY + ${4 * y}) + ${terms.join(' + ')});`;
  })
  .join('\n')}
}`;
}

/** Declares the address of each degree's block of an atom; blocks are ordered by degree, then atom. */
function blocks(prefix: string, base: string, channels: readonly number[], atom: string): string {
  let before = 0;
  return channels
    .map((count, degree) => {
      const width = (2 * degree + 1) * count;
      const line = `const ${prefix}${degree} = ${base} + <usize>(atoms * ${4 * before} + ${atom} * ${4 * width});`;
      before += width;
      return count > 0 ? line : '';
    })
    .join('\n');
}

export function kernelSource(manifest: ModelManifest): string {
  const stride = 4 * (manifest.maxDegree + 1) ** 2;
  const kinds = layerKinds(manifest);
  return [...new Set(kinds)]
    .map((kind) => {
      const layer = kinds.indexOf(kind);
      const paths = manifest.paths[layer];
      const degrees = Array.from({ length: manifest.maxDegree + 1 }, (_, degree) => degree);
      const messages = degrees.map((degree) =>
        paths.reduce((count, path) => count + (path.output === degree ? path.channels : 0), 0),
      );
      const sizes = { inputs: manifest.channels[layer], messages };
      const bytes = 4 * paths.reduce((count, path) => count + path.channels, 0);
      const paired = (call: (receiver: string, sender: string, at: string) => string): string => `
    const i = load<i32>(FIRST + (<usize>pair << 2)), j = load<i32>(SECOND + (<usize>pair << 2));
    const y = HARMONICS + <usize>pair * ${2 * stride};
    ${call('i', 'j', '')}
    ${call('j', 'i', ` + ${stride}`)}`;
      const locate = `
    const T = TABLE + <usize>load<i32>(INTERVAL + (<usize>pair << 2)) * ${4 * bytes};
    const u = v128.load32_splat(FRACTION + (<usize>pair << 2));`;
      return `
function send${kind}(i: i32, j: i32, atoms: i32, Y: usize, W: usize, X: usize, A: usize): void {
${blocks('xb', 'X', sizes.inputs, 'j')}
${blocks('ab', 'A', messages, 'i')}
${paths.map((path) => forwardPath(manifest, path, sizes)).join('\n')}
}

/** A of the receiving atoms gains the messages of all pairs. W has room for the weights of one pair. */
export function forward${kind}(
  pairs: i32, atoms: i32, FIRST: usize, SECOND: usize, HARMONICS: usize, INTERVAL: usize, FRACTION: usize,
  TABLE: usize, W: usize, X: usize, A: usize,
): void {
  for (let pair = 0; pair < pairs; pair++) {${locate}
    interpolate(T, ${bytes}, u, W);
    ${paired((receiver, sender, at) => `send${kind}(${receiver}, ${sender}, atoms, y${at}, W, X, A);`)}
  }
}

function return${kind}(
  i: i32, j: i32, atoms: i32, Y: usize, W: usize, X: usize, A: usize, DX: usize, DW: usize, DY: usize,
): void {
${blocks('xb', 'X', sizes.inputs, 'j')}
${blocks('dxb', 'DX', sizes.inputs, 'j')}
${blocks('ab', 'A', messages, 'i')}
${paths.map((path) => backwardPath(manifest, path, sizes)).join('\n')}
}

/** From the gradient A of the sums: gradients of what was sent, of the harmonics and, times the step of the table, of the distances. */
export function backward${kind}(
  pairs: i32, atoms: i32, FIRST: usize, SECOND: usize, HARMONICS: usize, INTERVAL: usize, FRACTION: usize,
  TABLE: usize, W: usize, X: usize, A: usize, DX: usize, DHARMONICS: usize, DDISTANCE: usize,
): void {
  const S = W + ${bytes}, DW = W + ${2 * bytes};
  for (let pair = 0; pair < pairs; pair++) {${locate}
    interpolateBoth(T, ${bytes}, u, W, S);
    memory.fill(DW, 0, ${bytes});
    const dy = DHARMONICS + <usize>pair * ${2 * stride};
    ${paired((receiver, sender, at) => `return${kind}(${receiver}, ${sender}, atoms, y${at}, W, X, A, DX, DW, dy${at});`)}
    const D = DDISTANCE + (<usize>pair << 2);
    store<f32>(D, load<f32>(D) + dot(DW, S, ${bytes}));
  }
}
`;
    })
    .join('\n');
}

const COMMON = new URL('../../../packages/potential/kernel/common.ts', import.meta.url);

/** The kernel of the fast engine for a model, as WebAssembly that imports its memory. */
export const compileKernel = (manifest: ModelManifest): Uint8Array =>
  compileLayers(readFileSync(COMMON, 'utf8'), kernelSource(manifest));
