/**
 * Runs the compiled kernels of the science packages: WebAssembly modules that import their memory. The memory is a
 * stack of zeroed arrays of four-byte numbers, or of doubles; addresses are in bytes.
 */

/** The part of the host's WebAssembly API that this file uses; the types of the language do not include it. */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
export type KernelFunction = (...numbers: readonly number[]) => number | undefined;
interface WebAssemblyHost {
  readonly Memory: new (limits: { initial: number; maximum: number }) => Memory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: Memory } },
  ) => { readonly exports: Readonly<Record<string, KernelFunction>> };
}

const PAGE = 65_536;
const MAX_PAGES = 32_768;

const host = (): WebAssemblyHost =>
  (globalThis as unknown as { readonly WebAssembly: WebAssemblyHost }).WebAssembly;

const compiled = new WeakMap<Uint8Array, object>();

export class KernelMemory {
  private readonly memory: Memory;
  private top = PAGE;
  /** Views of the whole memory; they are replaced when it grows. */
  floats!: Float32Array;
  integers!: Int32Array;
  doubles!: Float64Array;

  /** @param pages initial size in pages of 64 KiB */
  constructor(pages: number) {
    this.memory = new (host().Memory)({ initial: pages, maximum: MAX_PAGES });
    this.view();
  }

  private view(): void {
    this.floats = new Float32Array(this.memory.buffer);
    this.integers = new Int32Array(this.memory.buffer);
    this.doubles = new Float64Array(this.memory.buffer);
  }

  /** The functions of a kernel that works in this memory. */
  start(bytes: Uint8Array<ArrayBuffer>): Readonly<Record<string, KernelFunction>> {
    const module = compiled.get(bytes) ?? new (host().Module)(bytes);
    compiled.set(bytes, module);
    return new (host().Instance)(module, { env: { memory: this.memory } }).exports;
  }

  /** An array that is not zeroed. The operating system provides memory only for the parts that are written. */
  reserve(count: number): number {
    const start = this.top;
    this.top = (start + 4 * count + 63) & ~63;
    if (this.top > this.memory.buffer.byteLength) {
      this.memory.grow(Math.ceil((this.top - this.memory.buffer.byteLength) / PAGE) + 128);
      this.view();
    }
    return start;
  }

  allocate(count: number): number {
    const start = this.reserve(count);
    this.floats.fill(0, start >> 2, this.top >> 2);
    return start;
  }

  put(values: ArrayLike<number>): number {
    const start = this.allocate(values.length);
    this.floats.set(values, start >> 2);
    return start;
  }

  putIntegers(values: ArrayLike<number>): number {
    const start = this.allocate(values.length);
    this.integers.set(values, start >> 2);
    return start;
  }

  /** Numbers at an address. The result is a view and valid only until the next allocation. */
  at(start: number, count: number): Float32Array {
    return this.floats.subarray(start >> 2, (start >> 2) + count);
  }

  get mark(): number {
    return this.top;
  }

  /** Frees everything allocated after a mark. */
  release(mark: number): void {
    this.top = mark;
  }
}
