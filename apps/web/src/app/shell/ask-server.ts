/** Checks whether the server answers; the client reports it to the shell (lib/server-status.ts). */
import { getData } from '@unitcell/contract/calls';
import { callApi } from '../../lib/api-client.ts';

export async function askServer(): Promise<void> {
  await callApi(getData, undefined).catch(() => undefined);
}
