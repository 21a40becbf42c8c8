/**
 * Keys in the addresses of pages that other sites embed. A key is derived from the secret of the site, so it
 * is not stored. Members make one for each material or diagram, so nobody can list the catalogue with a key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Config, deriveKey } from '../config/config.ts';
import { AppError } from '../messages/app-error.ts';

type EmbedKind = 'material' | 'phase';

export function embedKeys(config: Pick<Config, 'jwtSecret'>) {
  const secret = deriveKey(config, 'embed');
  const keyOf = (kind: EmbedKind, of: string): string =>
    createHmac('sha256', secret).update(`${kind}:${of}`).digest('base64url').slice(0, 22);
  return {
    keyOf,
    /** @throws AppError embed.bad-key */
    assertKey(kind: EmbedKind, of: string, key: string): void {
      const [own, given] = [Buffer.from(keyOf(kind, of)), Buffer.from(key)];
      if (own.length !== given.length || !timingSafeEqual(own, given)) throw new AppError('embed.bad-key');
    },
  };
}
