/** `#moyo-wasm` where no file can be read: the host hands the module over by `initSymmetry`. */
export const moyoWasm = (): Uint8Array | null => null;
