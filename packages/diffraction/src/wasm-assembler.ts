/**
 * The few WebAssembly instructions that the search kernel needs, as functions that return their bytes, and the frame
 * around one exported function with its memory. Expressions nest: `f32x4.add(get(a), get(b))`.
 *
 * Encodings: WebAssembly Core Specification 2.0, chapter 5 (https://www.w3.org/TR/wasm-core-2/#binary-format).
 */
export type Code = readonly number[];

/** Value types. */
export const I32 = 0x7f;
export const F32 = 0x7d;
export const V128 = 0x7b;

function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}

function signed(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const binary =
  (...opcode: Code) =>
  (a: Code, b: Code): Code => [...a, ...b, ...opcode];

/** A load: address in bytes, constant offset added to it; `align` is the logarithm of the alignment promised. */
const load =
  (align: number, ...opcode: Code) =>
  (address: Code, offset = 0): Code => [...address, ...opcode, align, ...unsigned(offset)];

const store =
  (align: number, ...opcode: Code) =>
  (address: Code, offset: number, value: Code): Code => [
    ...address,
    ...value,
    ...opcode,
    align,
    ...unsigned(offset),
  ];

const simd = (opcode: number): Code => [0xfd, ...unsigned(opcode)];

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  load: load(2, 0x28),
  load8: load(0, 0x2d),
  load16: load(1, 0x2f),
  add: binary(0x6a),
  shiftLeft: binary(0x74),
  multiply: binary(0x6c),
  and: binary(0x71),
  less: binary(0x48),
  isZero: (value: Code): Code => [...value, 0x45],
};

export const f32 = {
  const: (value: number): Code => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)],
  load: load(2, 0x2a),
  store: store(2, 0x38),
  add: binary(0x92),
  divide: binary(0x95),
  squareRoot: (value: Code): Code => [...value, 0x91],
  least: binary(0x96),
  lessOrEqual: binary(0x5f),
};

export const f32x4 = {
  load: load(2, ...simd(0x00)),
  store: store(2, ...simd(0x0b)),
  zero: [...simd(0x0c), ...Array.from({ length: 16 }, () => 0)] as Code,
  splat: (value: Code): Code => [...value, ...simd(0x13)],
  lane: (value: Code, lane: number): Code => [...value, ...simd(0x1f), lane],
  add: binary(...simd(0xe4)),
  subtract: binary(...simd(0xe5)),
  multiply: binary(...simd(0xe6)),
  /** The larger of each pair (a < b ? b : a, one machine instruction). */
  larger: binary(...simd(0xeb)),
};

/** Sum of the four numbers in a local. */
export const laneSum = (local: number): Code =>
  f32.add(
    f32.add(f32x4.lane(get(local), 0), f32x4.lane(get(local), 1)),
    f32.add(f32x4.lane(get(local), 2), f32x4.lane(get(local), 3)),
  );

/** Runs the body, and again as long as the condition holds afterwards. */
export const repeatWhile = (body: readonly Code[], condition: Code): Code => [
  0x03,
  0x40,
  ...body.flat(),
  ...condition,
  0x0d,
  0x00,
  0x0b,
];

/** Runs the body when the condition holds. */
export const when = (condition: Code, body: readonly Code[]): Code => [
  ...condition,
  0x04,
  0x40,
  ...body.flat(),
  0x0b,
];

const MAGIC_AND_VERSION: Code = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const name = (text: string): Code => [
  ...unsigned(text.length),
  ...Array.from(text, (letter) => letter.charCodeAt(0)),
];

/** A module that exports `memory` (of 64 KiB pages) and the function `run`, which returns nothing. */
export function wasmModule(parts: {
  readonly pages: number;
  readonly parameters: Code;
  readonly locals: Code;
  readonly body: readonly Code[];
}): Uint8Array<ArrayBuffer> {
  const code = [...list(parts.locals.map((type) => [1, type])), ...parts.body.flat(), 0x0b];
  return Uint8Array.from([
    ...MAGIC_AND_VERSION,
    ...section(1, list([[0x60, ...list(parts.parameters.map((type) => [type])), 0x00]])),
    ...section(3, list([[0x00]])),
    ...section(5, list([[0x00, ...unsigned(parts.pages)]])),
    ...section(
      7,
      list([
        [...name('memory'), 0x02, 0x00],
        [...name('run'), 0x00, 0x00],
      ]),
    ),
    ...section(10, list([[...unsigned(code.length), ...code]])),
  ]);
}
