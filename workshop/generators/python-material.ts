/**
 * Writes `clients/python/src/unitcell/material.py`, a material as a row of a screening has it, from the table of fields, so that
 * the client of Python cannot say another unit than the site. `--check` says whether the committed file is what this writes.
 */
import { type Field, FIELD_NAMES, fieldOf } from '@unitcell/material';
import { writeOrCheck } from './write-or-check.ts';

const FILE = new URL('../../clients/python/src/unitcell/material.py', import.meta.url);
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
const unitOf = (field: Field) => (field.kind === 'number' ? ` [${field.unit}]` : '');

const source = `"""A material with all that can be screened by; written by workshop/generators/python-material.ts."""

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

writeOrCheck(FILE, source);
