/**
 * Writes what programs and operators read of the table of fields: `clients/python/src/unitcell/material.py`, a material as a row of
 * a screening has it, and the scalars of a line in docs/operating/import-format.md. `--check` compares them with the committed files.
 */
import { readFileSync } from 'node:fs';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { type Field, FIELD_NAMES, fieldOf, placedNames, predictedFields } from '@unitcell/material';
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

/** The energy of the cell is known on the material's own scale only and cannot be screened by. */
const shown = FIELD_NAMES.map(fieldOf).filter(({ column }) => column !== 'energy');
const typeOf = (field: Field) => `${TYPES[field.kind]}${field.isNullable ? ' | None' : ''}`;
const unitOf = (field: Field): string => (field.kind === 'number' ? field.unit : '');

interface Column {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly meaning: string;
}

/** What else can be screened by; the test of the client holds the list against the columns of a download. */
const columns: readonly Column[] = [
  ...shown.map((field) => ({
    name: field.column,
    type: typeOf(field),
    unit: unitOf(field),
    meaning: field.meaning.en,
  })),
  { name: 'has_dos', type: 'bool', unit: '', meaning: 'A density of states is known.' },
  {
    name: 'topology_class',
    type: 'str | None',
    unit: '',
    meaning: 'Class in the first row of its table of topological data.',
  },
  {
    name: 'prototype',
    type: 'str | None',
    unit: '',
    meaning: 'Space group and occupied Wyckoff positions, whatever the elements: 225:a4 b4.',
  },
  {
    name: 'has_predicted',
    type: 'bool',
    unit: '',
    meaning: 'The network of the site predicts values for it.',
  },
  {
    name: 'added',
    type: 'str',
    unit: '',
    meaning: 'When it was added to the catalogue, ISO 8601 in UTC.',
  },
  ...predictedFields.map(({ name, unit, meaning }) => ({
    name,
    type: 'float | None',
    unit,
    meaning: meaning.en,
  })),
];

/** One of each for every working ion: too many for every row, so they are asked for by name. */
const windows = WORKING_IONS.flatMap((ion) =>
  ['reduction_onset', 'oxidation_onset', 'window_width'].map((name) => `${name}_${ion.toLowerCase()}`),
);

const source = `"""A material with all that can be screened by; written by workshop/generators/material-fields.ts."""

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
