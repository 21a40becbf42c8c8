/**
 * Maps error codes of the science packages to the product's messages. Errors missing here are not caused by
 * users and are answered as server faults.
 */
import { EXPECTED_LINE, MIN_PATTERN_POINTS } from '@unitcell/diffraction';
import { type ErrorParameters, ScienceError } from '@unitcell/errors';
import { AppError } from '../messages/app-error.ts';
import { isMessageKey, type MessageParameters } from '../messages/messages.ts';

/** The parameters that a message can show; long lists are cut after the first items. */
const shown = (parameters: ErrorParameters): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => {
      if (Array.isArray(value)) return [[name, value.join(', ').slice(0, 200)]];
      return typeof value === 'number' || typeof value === 'string' ? [[name, value]] : [];
    }),
  );

const refusal = (key: string, parameters: MessageParameters): AppError | null =>
  isMessageKey(key) ? new AppError(key, parameters) : null;

function ofDiffraction({ code, parameters }: ScienceError): AppError | null {
  const values = shown(parameters);
  switch (code) {
    case 'unreadable-pattern':
      return refusal(`xrd.file.${values.reason}`, {
        ...values,
        expected: EXPECTED_LINE,
        minimum: MIN_PATTERN_POINTS,
      });
    case 'bad-filter':
      return refusal(`xrd.filter.${values.reason}`, values);
    case 'bad-refinement': {
      const reason = `xrd.refine.reason.${values.reason}`;
      return isMessageKey(reason)
        ? new AppError('xrd.refine.impossible', { reason: { key: reason, parameters: values } })
        : null;
    }
    case 'cancelled':
      return new AppError('xrd.cancelled');
    case 'unknown-element':
      return new AppError(
        values.probe === 'neutron' ? 'material.no-scattering-length' : 'material.no-scattering-factor',
        values,
      );
    case 'bad-structure':
      return new AppError('material.no-pattern');
    default:
      return null;
  }
}

function ofFilter({ code, parameters }: ScienceError): AppError | null {
  const values = shown(parameters);
  const expected = `filter.tree.${values.expected}`;
  return refusal(`filter.${code}`, {
    ...values,
    ...(isMessageKey(expected) ? { expected: { key: expected } } : {}),
  });
}

/** Returns null for errors that the user cannot correct. */
export function refusalOf(error: unknown): AppError | null {
  if (!(error instanceof ScienceError)) return null;
  if (error.package === 'phase-equilibria') return refusal(`phase.${error.code}`, shown(error.parameters));
  if (error.package === 'filter') return ofFilter(error);
  return error.package === 'diffraction' ? ofDiffraction(error) : null;
}
