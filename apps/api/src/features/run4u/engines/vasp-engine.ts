/**
 * VASP for an institute that owns a licence: its program, and its folder of POTCARs (one folder per element).
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataSet, PRESETS, readPotcarHead, vasp } from '@unitcell/calculators';
import { findProgram } from '../executors/executor.ts';
import type { Run4uSettings } from '../run4u-settings.ts';
import type { ProgramDetection } from './engine.ts';

export async function detectVasp(settings: Run4uSettings, searchPath: string): Promise<ProgramDetection> {
  const [name = 'vasp_std', ...parameters] = settings.engines.vasp.command;
  const folder = settings.engines.vasp.potcars;
  if (folder === null || !existsSync(folder))
    return {
      engine: null,
      missing: 'RUN4U_VASP_POTCARS must name the folder of your PBE POTCARs (Si/POTCAR, …)',
    };
  const program = settings.ssh ? name : findProgram(name, searchPath);
  if (!program) return { engine: null, missing: `${name} of RUN4U_VASP_COMMAND is not on this machine` };
  return {
    engine: {
      name: 'vasp',
      version: name,
      calculator: vasp,
      energyScale: (functional) => `${functional} (VASP, ${PRESETS[settings.preset].cutoffHa} Ha)`,
      async dataSets(elements) {
        const found: Record<string, DataSet> = {};
        const missing: string[] = [];
        for (const element of elements) {
          const text = await readFile(join(folder, element, 'POTCAR'), 'latin1').catch(() => null);
          if (text === null) missing.push(element);
          else
            found[element] = {
              element,
              fileName: join(element, 'POTCAR'),
              valence: readPotcarHead(text).valence,
              sha256: createHash('sha256').update(text, 'latin1').digest('hex'),
            };
        }
        return { found, missing };
      },
      async prepare(request, runFolder) {
        const potcar = join(runFolder, 'POTCAR');
        // The species in the POSCAR are in the order of their first sites.
        const elements = [...new Set(request.structure.sites.map((site) => site.species[0]!.element))];
        for (const [index, element] of elements.entries()) {
          const from = join(folder, element, 'POTCAR');
          if (index === 0) await copyFile(from, potcar);
          else await appendFile(potcar, await readFile(from));
        }
      },
      command: () => [program, ...parameters],
    },
  };
}
