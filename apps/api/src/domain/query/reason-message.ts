/** Errors of the crystal and symmetry packages as messages that stand inside others. */
import type { CrystalError } from '@unitcell/crystal';
import { SymmetryError } from '@unitcell/symmetry';
import type { NestedMessage } from '../../messages/messages.ts';

/** Messages repeat what was typed; what is longer than this says nothing more. */
const MAX_MESSAGE = 400;

/** The reason in the reader's language: `{ reason: reasonMessage(error) }` fills `{{reason}}`. */
export function reasonMessage(error: CrystalError | SymmetryError): NestedMessage {
  const message = error.message.slice(0, MAX_MESSAGE);
  if (error instanceof SymmetryError) return { key: `symmetry.${error.code}`, parameters: { message } };
  return { key: `crystal.${error.reason}`, parameters: { ...error.parameters, message } };
}
