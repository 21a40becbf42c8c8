/** What the environment says wrong, one sentence a variable; the program does not start. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
