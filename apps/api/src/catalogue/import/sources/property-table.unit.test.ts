import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPropertyTable } from './property-table.ts';

it('a property table with blanks around its cells is joined by its ids, and an empty cell stays empty', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unitcell-table-'));
  try {
    const path = join(folder, 'gaps.csv');
    await writeFile(path, 'id , band_gap, note\nmp-1 ,     , none\nmp-2 , 1.5 , \n');
    const table = await readPropertyTable(path);
    const rowOf = (id: string) =>
      table.join({ label: 'x', format: 'json', text: JSON.stringify({ source: { id } }) }).row;
    expect(rowOf('mp-1')).toEqual({ id: 'mp-1', band_gap: '', note: 'none' });
    expect(rowOf('mp-2')).toEqual({ id: 'mp-2', band_gap: '1.5', note: '' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
