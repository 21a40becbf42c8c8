/** Client of a Unitcell site, typed by the contract. */
export * from '@unitcell/contract';
export * from './client.ts';
export type { ConnectionOptions, SendOptions } from './connection.ts';
export * from './site-error.ts';
export * from './snippets.ts';
export * from './wire.ts';
