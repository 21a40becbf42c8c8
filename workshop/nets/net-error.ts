import { type ErrorParameters, ScienceError } from '@unitcell/errors';

export type NetErrorCode =
  /** The text is no Delaney–Dress symbol. */
  | 'invalid-symbol'
  /** The symbol describes a tiling of the sphere or of the hyperbolic plane. */
  | 'not-euclidean'
  /** The net is not connected, or its sites coincide in equilibrium. */
  | 'degenerate-net';

/** What this package throws. */
export class NetError extends ScienceError<NetErrorCode> {
  constructor(code: NetErrorCode, message: string, parameters: ErrorParameters = {}) {
    super('tight-binding-nets', code, message, parameters);
  }
}
