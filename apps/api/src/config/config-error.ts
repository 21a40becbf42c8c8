/** Error for invalid environment variables, with one sentence each. The program does not start. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

// ── Requirements on JWT_SECRET ──

export const MINIMAL_SECRET_LENGTH = 32;
/**
 * Least number of distinct characters. A random hexadecimal secret of minimal length has 14 distinct
 * characters on average.
 */
const MINIMAL_DIFFERENT_CHARACTERS = 8;

/** Words of which example secrets consist, with any separators and repetitions. */
const WORDS_OF_EXAMPLES =
  'a|api|app|change|changed|default|dev|development|example|for|here|in|insecure|it|jwt|key|long|me|must|my|password|' +
  'please|prod|production|qwerty|random|replace|sample|secret|secure|signing|some|string|super|test|this|to|token|' +
  'unitcell|use|value|very|with|your';
const MADE_OF_EXAMPLES = new RegExp(`^(?:${WORDS_OF_EXAMPLES})+$`);

/** @returns what is wrong with a secret, as a sentence; null if it is valid */
export function secretProblem(secret: string): string | null {
  const letters = secret.toLowerCase().replaceAll(/[^a-z]/g, '');
  const remedy = 'choose a random one, e.g. `openssl rand -hex 32`';
  if (MADE_OF_EXAMPLES.test(letters)) return `JWT_SECRET is a known default: ${remedy}`;
  if (secret.length < MINIMAL_SECRET_LENGTH)
    return `JWT_SECRET has ${secret.length} characters: expected at least ${MINIMAL_SECRET_LENGTH}`;
  if (new Set(secret).size < MINIMAL_DIFFERENT_CHARACTERS)
    return `JWT_SECRET repeats a few characters: ${remedy}`;
  return null;
}
