/** `#moyo-wasm` for environments without files: the host passes the module to `initSymmetry`. */
export const moyoWasm = (): Uint8Array | null => null;
