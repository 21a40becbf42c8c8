/** Files of one material, of what a filter finds, and the dumps of the catalogue. */
import { type CallRequest, downloadScreened, type MaterialDetail } from '@unitcell/contract';
import type { Connection, SendOptions } from './connection.ts';

type Cell = keyof MaterialDetail['structures'];

export function files({ file }: Connection) {
  const text = async (path: string, sending?: SendOptions): Promise<string> =>
    (await file(path, sending)).text();
  return {
    /** A cell as CIF; the conventional one with its space group. */
    cif: (structId: number, cell: Cell = 'conventional', sending?: SendOptions) =>
      text(`/api/materials/${structId}.cif?cell=${cell}`, sending),
    poscar: (structId: number, cell: Cell = 'conventional', sending?: SendOptions) =>
      text(`/api/materials/${structId}.poscar?cell=${cell}`, sending),
    xyz: (structId: number, cell: Cell = 'conventional', sending?: SendOptions) =>
      text(`/api/materials/${structId}.xyz?cell=${cell}`, sending),
    /** All materials a filter finds as one file, while it is written. */
    download: (body: CallRequest<typeof downloadScreened>, sending?: SendOptions): Promise<Response> =>
      file({ call: downloadScreened, body }, sending),
  };
}
