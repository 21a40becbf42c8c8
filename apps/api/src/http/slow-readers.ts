/** Answers that nobody takes are given up: what is made for them would be kept in memory as long as the other end likes. */
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** @param seconds without a byte being taken, after which the connection is closed; streams that stay open have times of their own */
export function giveUpOnSlowReaders(app: FastifyInstance, seconds: number): void {
  app.addHook('onSend', async ({ raw: { socket } }) => {
    // Node closes it when the time is over, and sets another one when the answer is through. Tests without a wire have no socket.
    if (socket instanceof Socket) socket.setTimeout(seconds * 1000);
  });
}
