import { describe, expect, it } from 'vitest';
import {
  type ApiDocument,
  callsOf,
  refusalCodesOf,
  rowsOf,
  type Schema,
  typeOf,
  withoutRefusal,
} from './document.ts';

const refused: Schema = {
  type: 'object',
  properties: { error: { const: 'true' }, code: { enum: ['search.unknown-elements', 'search.too-many'] } },
};
const answered: Schema = {
  type: 'object',
  required: ['results'],
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'array',
        prefixItems: [
          { title: 'struct_id', type: 'integer', description: 'Number of the material.' },
          {
            title: 'e_above_hull',
            anyOf: [{ type: 'number' }, { type: 'null' }],
            description: 'Energy above the hull. In eV/atom.',
          },
        ],
      },
    },
    lattice: { anyOf: [{ type: 'object', properties: { gamma: { type: 'number' } } }, { type: 'null' }] },
    licences: { type: 'object', additionalProperties: { properties: { count: { type: 'integer' } } } },
  },
};

describe('the reference', () => {
  it('lists each method of each path as a call', () => {
    const operation = { operationId: 'a', summary: '', tags: [], security: [], responses: {} };
    const document: ApiDocument = {
      tags: [],
      paths: { '/x/': { get: operation, post: { ...operation, operationId: 'b' } } },
      components: { responses: {} },
    };
    expect(callsOf(document).map(({ method, path, operationId }) => [method, path, operationId])).toEqual([
      ['GET', '/x/', 'a'],
      ['POST', '/x/', 'b'],
    ]);
  });

  it('lists each position of a row with name, type, unit and meaning, and omits the fields of refusals', () => {
    const rows = rowsOf(withoutRefusal({ anyOf: [answered, refused] }));
    expect(rows.find(({ name }) => name === '1  e_above_hull')).toEqual({
      name: '1  e_above_hull',
      depth: 1,
      type: 'number | null',
      meaning: 'Energy above the hull. In eV/atom.',
      isRequired: true,
    });
    expect(rows.map(({ name }) => name)).not.toContain('code');
  });

  it('descends into lists, unions and records', () => {
    expect(rowsOf(answered).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['results', 'lattice', 'gamma', 'licences', 'count']),
    );
    expect(typeOf({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] })).toBe(
      'list of string | null',
    );
  });

  it('lists the refusals of a call that answer with status 200', () => {
    expect(refusalCodesOf({ anyOf: [answered, refused] })).toEqual([
      'search.unknown-elements',
      'search.too-many',
    ]);
    expect(refusalCodesOf(answered)).toEqual([]);
  });
});
