/** `/.well-known/security.txt` (RFC 9116): where to report a weakness of this installation. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { AppError } from '../messages/app-error.ts';

const PATH = '/.well-known/security.txt';
/** RFC 9116, section 2.5.5, asks for less than a year. */
const VALID_MILLISECONDS = 180 * 86_400_000;

export function securityTxtRoute(
  app: FastifyInstance,
  { securityContact, publicUrl }: Pick<Config, 'securityContact' | 'publicUrl'>,
): void {
  app.get(PATH, async (_request, reply) => {
    if (securityContact === null) throw new AppError('request.not-found');
    const expires = new Date(Date.now() + VALID_MILLISECONDS);
    expires.setUTCHours(0, 0, 0, 0);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: zh, en',
      `Canonical: ${publicUrl}${PATH}`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
