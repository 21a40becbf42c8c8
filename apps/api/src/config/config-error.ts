/** Invalid environment variables, one sentence each; the program does not start. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
