/** `#moyo-wasm` where no file can be read: the host passes the module to `initSymmetry`. */
export const moyoWasm = (): Uint8Array | null => null;
