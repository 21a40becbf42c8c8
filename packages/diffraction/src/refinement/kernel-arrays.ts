/** Arrays in the memory of the kernel (kernel/pattern.ts), which has the loops over the points of a pattern. */
import { type KernelFunction, KernelMemory } from '@unitcell/numerics';
import { PATTERN_KERNEL } from '../data/pattern-kernel.ts';

const FIRST_PAGES = 32;

/** Bytes per double; addresses count bytes. */
export const BYTES = 8;

/** The table of exp(−t): values per unit of t, and their number, as in the kernel. */
const DECAY = { steps: 64, count: 1819 } as const;

export interface KernelArrays {
  readonly run: Readonly<Record<string, KernelFunction>>;
  /** Address of the values of exp(−t) that the shapes of lines use. */
  readonly table: number;
  readonly memory: KernelMemory;
  /** Address of an array of zeros. It ends with at least one more zero, because the kernel reads pairs. */
  zeros(count: number): number;
  /** Address of a copy. */
  put(values: Float64Array): number;
  /** A copy of an array of the memory. */
  copy(address: number, count: number): Float64Array;
}

let shared: KernelArrays | undefined;

function newArrays(): KernelArrays {
  const memory = new KernelMemory(FIRST_PAGES);
  const zeros = (count: number): number => memory.allocate(2 * (count + 1));
  const put = (values: Float64Array): number => {
    const address = zeros(values.length);
    memory.doubles.set(values, address / BYTES);
    return address;
  };
  return {
    run: memory.start(PATTERN_KERNEL),
    memory,
    table: put(Float64Array.from({ length: DECAY.count }, (_, k) => Math.exp(-k / DECAY.steps))),
    zeros,
    put,
    copy: (address, count) => memory.doubles.slice(address / BYTES, address / BYTES + count),
  };
}

/** A memory larger than this (bytes) is not kept for the next call. */
const KEPT = 2 ** 25;

/** Frees the arrays that `use` makes. Calls may be nested. */
export function withArrays<T>(use: (arrays: KernelArrays) => T): T {
  const arrays = (shared ??= newArrays());
  const { memory } = arrays;
  const { mark } = memory;
  try {
    return use(arrays);
  } finally {
    memory.release(mark);
    if (memory.doubles.byteLength > KEPT) shared = undefined;
  }
}
