/**
 * Property tables of the seed: elastic, dielectric and piezoelectric tensors, topology, band structures and
 * DOS. Each is a small table keyed by struct_id; the tensors refer to the Cartesian frame of the generated
 * cell (a along x, b in the xy plane).
 */
import { type CsvRecord, parseCsv } from './compound.ts';

export interface Provenance {
  readonly source: string;
  readonly licence: string;
  /** `yes`: taken by program from the source; `no`: the source was named from memory and not looked up. */
  readonly citationChecked: string;
}

export interface Properties {
  readonly elasticTensor?: { readonly value: readonly (readonly number[])[] } & Provenance;
  readonly dielectric?: {
    readonly electronic?: readonly (readonly number[])[];
    readonly total?: readonly (readonly number[])[];
  } & Provenance;
  readonly piezoelectric?: { readonly value: readonly (readonly number[])[] } & Provenance;
  readonly topology?: {
    readonly labels: readonly string[];
    readonly rows: readonly Readonly<Record<string, string>>[];
  } & Provenance;
}

type PropertyTables = Readonly<Record<'elastic' | 'dielectric' | 'piezoelectric' | 'topology', string>>;

/** Index pairs of the upper triangle of a symmetric 6×6 matrix as they are named: `11` … `66`. */
const VOIGT = [1, 2, 3, 4, 5, 6] as const;

/**
 * Relations that complete a stiffness matrix from its independent constants, by Laue class (Nye, Physical
 * Properties of Crystals, table 9). Each is `constant equal-to factor`, factor 1 by default.
 */
const UNIAXIAL = ['22 11', '23 13', '55 44'];
const RELATIONS: Readonly<Record<string, readonly string[]>> = {
  cubic: ['22 11', '33 11', '13 12', '23 12', '55 44', '66 44'],
  hexagonal: UNIAXIAL,
  trigonal: [...UNIAXIAL, '24 14 -1', '56 14'],
  tetragonal: UNIAXIAL,
  orthorhombic: [],
};

/** `C11=165.7 C12=63.9 C44=79.6` of a Laue class as a symmetric 6×6 matrix, GPa. */
export function stiffnessMatrix(laueClass: string, constants: string): readonly (readonly number[])[] {
  const relations = RELATIONS[laueClass];
  if (relations === undefined) throw new Error(`"${laueClass}" is not a Laue class the table knows.`);
  const values = new Map<string, number>();
  for (const word of constants.split(/\s+/)) {
    const match = /^C([1-6][1-6])=(-?[\d.]+)$/.exec(word);
    if (match === null) throw new Error(`"${word}" is not an elastic constant like C11=165.7.`);
    values.set(match[1], Number(match[2]));
  }
  for (const relation of relations) {
    const [target, from, factor = '1'] = relation.split(' ');
    values.set(target, Number(factor) * (values.get(from) ?? 0));
  }
  if (laueClass === 'hexagonal' || laueClass === 'trigonal')
    values.set('66', Number((((values.get('11') ?? 0) - (values.get('12') ?? 0)) / 2).toFixed(3)));
  return VOIGT.map((i) => VOIGT.map((j) => values.get(i <= j ? `${i}${j}` : `${j}${i}`) ?? 0));
}

const numbers = (text: string, count: number): readonly number[] => {
  const values = text.trim().split(/\s+/).map(Number);
  if (values.length !== count || values.some((value) => !Number.isFinite(value)))
    throw new Error(`"${text}" should be ${count} numbers.`);
  return values;
};

/** Six numbers xx yy zz yz xz xy as a symmetric 3×3 matrix. */
export function symmetricMatrix(text: string): readonly (readonly number[])[] {
  const [xx, yy, zz, yz, xz, xy] = numbers(text, 6) as [number, number, number, number, number, number];
  return [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
}

const provenanceOf = (record: CsvRecord): Provenance => ({
  source: record['source'] ?? '',
  licence: record['licence'] ?? '',
  citationChecked: record['citation_checked'] ?? '',
});

/** Columns of `topology.csv` that become rows of the topological table, with their labels. */
const TOPOLOGY_LABELS: readonly (readonly [column: string, label: string])[] = [
  ['class', 'Class'],
  ['indicator', 'Symmetry indicator'],
  ['invariant', 'Invariant'],
  ['soc', 'Spin-orbit coupling'],
  ['feature', 'Feature'],
];

const parsers: Readonly<Record<keyof PropertyTables, (record: CsvRecord) => Properties>> = {
  elastic: (record) => ({
    elasticTensor: {
      value: stiffnessMatrix(record['laue_class'] ?? '', record['constants_gpa'] ?? ''),
      ...provenanceOf(record),
    },
  }),
  dielectric: ({ electronic = '', total = '', ...record }) => ({
    dielectric: {
      ...(electronic === '' ? {} : { electronic: symmetricMatrix(electronic) }),
      ...(total === '' ? {} : { total: symmetricMatrix(total) }),
      ...provenanceOf(record),
    },
  }),
  piezoelectric: (record) => {
    const flat = numbers(record['e_c_m2'] ?? '', 18);
    const value = [flat.slice(0, 6), flat.slice(6, 12), flat.slice(12)];
    return { piezoelectric: { value, ...provenanceOf(record) } };
  },
  topology: (record) => {
    const filled = TOPOLOGY_LABELS.filter(([column]) => (record[column] ?? '') !== '');
    return {
      topology: {
        labels: filled.map(([, label]) => label),
        rows: [Object.fromEntries(filled.map(([column, label]) => [label, record[column]]))],
        ...provenanceOf(record),
      },
    };
  },
};

/** All tables merged: struct_id → properties. @throws Error naming the table and the compound */
export function parseProperties(
  tables: PropertyTables,
): ReadonlyMap<number, Properties & { formula: string }> {
  const merged = new Map<number, Properties & { formula: string }>();
  for (const table of ['elastic', 'dielectric', 'piezoelectric', 'topology'] as const)
    for (const record of parseCsv(tables[table])) {
      const structId = Number(record['struct_id']);
      const formula = record['formula'] ?? '';
      try {
        merged.set(structId, { ...merged.get(structId), ...parsers[table](record), formula });
      } catch (cause) {
        const why = (cause as Error).message;
        throw new Error(`${table}.csv, struct_id ${structId} (${formula}): ${why}`, { cause });
      }
    }
  return merged;
}
