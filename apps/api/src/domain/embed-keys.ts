/**
 * Keys of addresses for frames. A key is derived from the secret of the site, so that it is not stored; members make
 * one per material or diagram, and nobody can list the catalogue with it.
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
