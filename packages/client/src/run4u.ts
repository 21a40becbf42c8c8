/** First-principles calculations on structures of one's own. */
import {
  type Dashboard,
  dashboardHandle,
  run4uCancel,
  run4uDetail,
  run4uHandle,
  run4uSubmit,
} from '@unitcell/contract';
import type { Connection, SendOptions } from './connection.ts';
import { SiteError } from './site-error.ts';

export function run4u({ call }: Connection) {
  return {
    dashboard: (sending?: SendOptions): Promise<Dashboard> => call(dashboardHandle, {}, sending),
    detail: (id: number, sending?: SendOptions) => call(run4uDetail, { id }, sending),
    cancel: (id: number, sending?: SendOptions) => call(run4uCancel, { id }, sending),

    /** Submits a CIF or POSCAR. @throws SiteError when it cannot be calculated or the quota is used up */
    async submit(name: string, content: Blob, sending: SendOptions = {}) {
      const form = new FormData();
      form.append('cif-file', content, name);
      const read = await call(run4uHandle, form, sending);
      if (!('structure' in read)) throw new SiteError(200, 'Only CIF or VASP format file is valid !');
      const body = { submit: true, structure: read.structure };
      const done = await call(run4uSubmit, body, { ...sending, again: false });
      if (!('id' in done) || done.id === undefined) throw new SiteError(200, done.message);
      return done;
    },
  };
}
