/** Writes what follows from the table of fields: the Python client's material, and scalars in import-format.md. */
import { readFileSync } from 'node:fs';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { ionElectrodeFields } from '@unitcell/contract/electrodes/rules';
import {
  conditionFields,
  type Field,
  FIELD_NAMES,
  fieldOf,
  placedNames,
  predictedFields,
} from '@unitcell/material';
import { writeOrCheck } from './write-or-check.ts';

const PYTHON = new URL('../../clients/python/src/unitcell/material.py', import.meta.url);
const TYPES: Readonly<Record<Field['kind'], string>> = {
  number: 'float',
  id: 'int',
  count: 'int',
  flag: 'bool',
  text: 'str',
  url: 'str',
  choice: 'str',
  texts: 'list[str]',
};

/** The energy of the cell is known only on the material's own scale, so it cannot be used for screening. */
const shown = FIELD_NAMES.map(fieldOf).filter(({ column }) => column !== 'energy');
const typeOf = (field: Field) => `${TYPES[field.kind]}${field.isNullable ? ' | None' : ''}`;
const unitOf = (field: Field): string => (field.kind === 'number' ? field.unit : '');

interface Column {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly meaning: string;
}

/** Further columns for screening; the client's test compares the list with the columns of a download. */
const columns: readonly Column[] = [
  ...shown.map((field) => ({
    name: field.column,
    type: typeOf(field),
    unit: unitOf(field),
    meaning: field.meaning.en,
  })),
  ...(
    [
      ['has_dos', 'bool', 'A density of states is known.'],
      ['topology_class', 'str | None', 'Class in the first row of its table of topological data.'],
      [
        'prototype',
        'str | None',
        'Space group and occupied Wyckoff positions, whatever the elements: 225:a4 b4.',
      ],
      ['has_predicted', 'bool', 'The network of the site predicts values for it.'],
      ['added', 'str', 'When it was added to the catalogue, ISO 8601 in UTC.'],
    ] as const
  ).map(([name, type, meaning]) => ({ name, type, unit: '', meaning })),
  ...[...predictedFields, ...conditionFields].map(({ name, unit, meaning }) => ({
    name,
    type: 'float | None',
    unit,
    meaning: meaning.en,
  })),
];

/** One per working ion: too many for every row, so they must be requested by name. */
const windows = WORKING_IONS.flatMap((ion) =>
  ['reduction_onset', 'oxidation_onset', 'window_width'].map((name) => `${name}_${ion.toLowerCase()}`),
);

const electrodes = [...ionElectrodeFields(WORKING_IONS)];

const source = `"""The fields of a material that filters can use; written by workshop/generators/material-fields.ts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Material:
    """One material; None where a value is not known. Energies are those of \`\`energy_scale\`\`.

    Attributes:
${columns.map(({ name, unit, meaning }) => `        ${name}:${unit === '' ? '' : ` [${unit}]`} ${meaning}`).join('\n')}
        energy_scale: Scale of the energies; those of different scales cannot be compared.
    """

${columns.map(({ name, type }) => `    ${name}: ${type}`).join('\n')}
    energy_scale: str


UNITS: dict[str, str] = {
${columns
  .filter(({ type }) => type.startsWith('float'))
  .map(({ name, unit }) => `    "${name}": "${unit}",`)
  .join('\n')}
${windows.map((name) => `    "${name}": "V",`).join('\n')}
${electrodes
  .filter(([, { type }]) => type === 'number')
  .map(([name, { unit }]) => `    "${name}": "${unit}",`)
  .join('\n')}
}
"""Unit of each number; empty for a ratio."""

FIELDS: tuple[str, ...] = (
${columns.map(({ name }) => `    "${name}",`).join('\n')}
)
"""The columns of a \`Material\`."""

WINDOW_FIELDS: tuple[str, ...] = (
${windows.map((name) => `    "${name}",`).join('\n')}
)
"""Further columns, to be named in \`\`fields=\`\`: electrochemical windows in V against the metal of the ion."""

ELECTRODE_FIELDS: tuple[str, ...] = (
${electrodes.map(([name]) => `    "${name}",`).join('\n')}
)
"""Further columns, to be named in \`\`fields=\`\`: the insertion electrode whose discharged end the material is, by ion."""
`;

writeOrCheck(PYTHON, source);

const FORMAT = new URL('../../docs/operating/import-format.md', import.meta.url);
const [BEGIN, END] = ['<!-- scalars: npm run generate material-fields -->', '<!-- end of the scalars -->'];

function typeOfLine(field: Field): string {
  switch (field.kind) {
    case 'number':
      return field.per === 'cell' ? `${field.unit} of the cell given` : field.unit || 'number';
    case 'choice':
      return Object.keys(field.options)
        .map((option) => `\`${option}\``)
        .join(', ');
    case 'flag':
      return 'true, false';
    case 'url':
      return 'address';
    default:
      return 'text';
  }
}

const rows = placedNames('line')
  .map(fieldOf)
  .map((field) => `| \`${field.line}\` | ${typeOfLine(field)} | ${field.meaning.en} |`);
const format = readFileSync(FORMAT, 'utf8');
const [before = '', rest = ''] = format.split(BEGIN);
writeOrCheck(
  FORMAT,
  `${before}${BEGIN}\n| field | type, unit | meaning |\n|---|---|---|\n${rows.join('\n')}\n${END}${rest.split(END)[1] ?? ''}`,
);
