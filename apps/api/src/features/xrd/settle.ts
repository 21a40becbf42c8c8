/** Errors of the diffraction package on their way out of a thread, where a thrown error would lose its class. */
import { DiffractionError, type DiffractionErrorCode } from '@unitcell/diffraction';

export interface Refusal {
  readonly code: DiffractionErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type Settled<T> = { readonly value: T } | { readonly refusal: Refusal };

export function settle<T>(make: () => T): Settled<T> {
  try {
    return { value: make() };
  } catch (error) {
    if (!(error instanceof DiffractionError)) throw error;
    const { code, message, details } = error;
    return { refusal: { code, message, details } };
  }
}
