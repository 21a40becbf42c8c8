/** Charge densities of finished calculations: cube files in the scratch folder, one per submission. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { CrystalError, isAbinitVolume, readAbinitVolume, writeCube } from '@unitcell/crystal';
import type { SubmissionState } from '../../../infra/stored-json.ts';
import type { Run4uSettings } from '../run4u-settings.ts';
import type { Submission } from '../submission.ts';
import type { RunContext } from './calculate.ts';

const fileOf = ({ scratch }: Pick<Run4uSettings, 'scratch'>, id: number): string =>
  join(scratch, 'densities', `${id}.cube.gz`);

/**
 * Keeps the density of the static step. A missing or unreadable file, for example if a cluster does not send
 * it back, is not an error.
 * @returns whether a density was kept
 */
export async function keepDensity(
  { id, formula }: Pick<Submission, 'id' | 'formula'>,
  { folders }: SubmissionState,
  { engine, folder, settings }: Pick<RunContext, 'engine' | 'folder' | 'settings'>,
): Promise<boolean> {
  const { densityFile } = engine.calculator;
  if (densityFile === undefined || folders?.static === undefined) return false;
  const bytes = await readFile(join(folder, folders.static, densityFile)).catch(() => null);
  if (!bytes || !isAbinitVolume(bytes)) return false;
  try {
    const text = writeCube(readAbinitVolume(bytes), `${formula}, valence density of ABINIT`);
    const file = fileOf(settings, id);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(`${file}.part`, await promisify(gzip)(text));
    await rename(`${file}.part`, file);
    return true;
  } catch (error) {
    if (error instanceof CrystalError) return false;
    throw error;
  }
}

/** The cube file of a submission; null if no density is kept. */
export async function densityOf(
  settings: Pick<Run4uSettings, 'scratch'>,
  id: number,
): Promise<string | null> {
  const packed = await readFile(fileOf(settings, id)).catch(() => null);
  return packed && (await promisify(gunzip)(packed)).toString('latin1');
}
