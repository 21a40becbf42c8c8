/**
 * Writes what programs and operators read of the table of fields: `clients/python/src/unitcell/material.py`, a material as a row of
 * a screening has it, and the scalars of a line in docs/operating/import-format.md. `--check` compares them with the committed files.
 */
import { readFileSync } from 'node:fs';
import { type Field, FIELD_NAMES, fieldOf, placedNames } from '@unitcell/material';
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
const unitOf = (field: Field) => (field.kind === 'number' && field.unit !== '' ? ` [${field.unit}]` : '');

const source = `"""A material with all that can be screened by; written by workshop/generators/material-fields.ts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Material:
    """One material; None where a value is not known. Energies are those of \`\`energy_scale\`\`.

    Attributes:
${shown.map((field) => `        ${field.column}:${unitOf(field)} ${field.meaning.en}`).join('\n')}
        has_dos: A density of states is known.
        energy_scale: Scale of the energies; those of different scales cannot be compared.
    """

${shown.map((field) => `    ${field.column}: ${typeOf(field)}`).join('\n')}
    has_dos: bool
    energy_scale: str


UNITS: dict[str, str] = {
${shown
  .flatMap((field) => (field.kind === 'number' ? [`    "${field.column}": "${field.unit}",`] : []))
  .join('\n')}
}
"""Unit of each number that has one."""

FIELDS: tuple[str, ...] = (
${shown.map(({ column }) => `    "${column}",`).join('\n')}
    "has_dos",
)
"""What to ask a screening for."""
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
