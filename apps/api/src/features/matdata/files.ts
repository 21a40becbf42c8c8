/** The files of one material, made from the data of its page. */
import {
  materialBandsJson,
  materialCif,
  type MaterialDetail,
  materialJson,
  materialPoscar,
  materialPhononsJson,
  type MaterialXrd,
  materialXrdCsv,
  materialXyz,
  type SourceSection,
} from '@unitcell/contract/matdata';
import {
  fromPymatgenDict,
  isOrdered,
  type Structure,
  writeCif,
  writePoscar,
  writeXyz,
} from '@unitcell/crystal';
import type { FastifyInstance } from 'fastify';
import { serveFile } from '../../http/serve-file.ts';
import { AppError } from '../../messages/app-error.ts';
import type { PatternOf } from './crystal-views.ts';
import type { DetailOf } from './detail.ts';
import type { PhononsOf } from './phonons.ts';

export type CellName = keyof MaterialDetail['structures'];

/** @throws AppError material.no-given-cell */
function cellOf(material: MaterialDetail, cell: CellName): Structure {
  const stored = material.structures[cell];
  if (stored === null) throw new AppError('material.no-given-cell', { id: material.struct_id });
  return fromPymatgenDict(stored);
}

/** @throws AppError material.shared-sites */
function orderedCellOf(material: MaterialDetail, cell: CellName): Structure {
  const structure = cellOf(material, cell);
  if (!isOrdered(structure)) throw new AppError('material.shared-sites', { id: material.struct_id });
  return structure;
}

/** Source, licence, release and address of the data, which every file states. */
function originOf(
  { struct_id, formula, sources, release, address }: MaterialDetail,
  of: SourceSection = 'structure',
) {
  const source = sources.find(({ section }) => section === of);
  return {
    unitcell_id: String(struct_id),
    formula,
    source: source?.statement ?? '',
    licence: source?.licence ?? '',
    ...(release ? { release: String(release.id) } : {}),
    address,
  };
}

const sentence = (material: MaterialDetail): string =>
  Object.entries(originOf(material))
    .filter(([, text]) => text !== '')
    .map(([key, text]) => `${key} ${text}`)
    .join(', ');

function cif(material: MaterialDetail, cell: CellName, symmetry: 'yes' | 'no'): string {
  const written = material.output_structs;
  if (symmetry === 'yes' && cell !== 'given')
    return cell === 'primitive' ? written.output_struct_primitive : written.output_struct_conventional;
  const { source, licence, address, release = '' } = originOf(material);
  return writeCif(cellOf(material, cell), {
    name: `${material.formula}-${material.struct_id}-${cell}`,
    provenance: { source, licence, release, address },
  });
}

function poscar(material: MaterialDetail, cell: CellName): string {
  return writePoscar(orderedCellOf(material, cell), { name: sentence(material) });
}

function json(material: MaterialDetail, cell: CellName): string {
  if (material.structures[cell] === null) cellOf(material, cell);
  return JSON.stringify({
    '@module': 'pymatgen.core.structure',
    '@class': 'Structure',
    ...material.structures[cell],
    properties: { ...originOf(material), cell, ...material.symmetry_data, provenance: material.provenance },
  });
}

const csvText = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function xrdCsv(pattern: MaterialXrd, of: 'peaks' | 'profile'): string {
  const rows =
    of === 'profile'
      ? ['two_theta_deg,intensity', ...pattern.x.map((x, index) => `${x},${pattern.y[index]}`)]
      : [
          'two_theta_deg,integrated_intensity,reflections',
          ...pattern.data.flatMap(({ x, y, text }) =>
            x.map((angle, index) => `${angle},${y[index]},${csvText(text[index] ?? '')}`),
          ),
        ];
  return `${rows.join('\n')}\n`;
}

const nameOf = ({ formula, struct_id }: MaterialDetail, end: string) => `${formula}-${struct_id}-${end}`;

export function filesRoutes(
  app: FastifyInstance,
  detailOf: DetailOf,
  patternOf: PatternOf,
  phononsOf: PhononsOf,
): void {
  const cellFiles = [
    [materialPoscar, 'poscar', poscar],
    [
      materialXyz,
      'xyz',
      (material: MaterialDetail, cell: CellName) =>
        writeXyz(orderedCellOf(material, cell), { info: originOf(material) }),
    ],
    [materialJson, 'json', json],
  ] as const;
  for (const [file, ending, write] of cellFiles)
    serveFile(app, file, async ({ structId, query: { cell } }) => {
      const material = await detailOf(structId);
      return { name: nameOf(material, `${cell}.${ending}`), text: write(material, cell) };
    });

  serveFile(app, materialCif, async ({ structId, query: { cell, symmetry } }) => {
    const material = await detailOf(structId);
    return { name: nameOf(material, `${cell}.cif`), text: cif(material, cell, symmetry) };
  });

  serveFile(app, materialBandsJson, async ({ structId }) => {
    const material = await detailOf(structId);
    const { band_structures, densities_of_states } = material.elec_diagram;
    return {
      name: nameOf(material, 'bands.json'),
      text: JSON.stringify({
        ...originOf(material, 'bands'),
        provenance: material.provenance,
        band_structures,
        densities_of_states,
      }),
    };
  });

  serveFile(app, materialPhononsJson, async ({ structId }) => {
    const [material, phonons] = await Promise.all([detailOf(structId), phononsOf(structId)]);
    return {
      name: nameOf(material, 'phonons.json'),
      text: JSON.stringify({ ...originOf(material, 'phonons'), provenance: material.provenance, phonons }),
    };
  });

  serveFile(app, materialXrdCsv, async ({ structId, query, caller }) => {
    const { wavelength, crystal_size, probe, of } = query;
    const pattern = await patternOf(caller, structId, wavelength, crystal_size, probe);
    const kind = probe === 'neutron' ? 'neutron' : 'xrd';
    return { name: `${Number(structId)}-${kind}-${of}.csv`, text: xrdCsv(pattern, of) };
  });
}
