import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ApiDocument, callsOf, refusalCodesOf, rowsOf, typeOf, withoutRefusal } from './document.ts';

const document = JSON.parse(
  readFileSync(new URL('../../../../../docs/openapi.golden.json', import.meta.url), 'utf8'),
) as ApiDocument;
const call = (name: string) => callsOf(document).find(({ operationId }) => operationId === name)!;
const schemaOf = (name: string) => call(name).responses[200]?.content?.['application/json']?.schema ?? {};

describe('the reference', () => {
  it('lists every call once, each in a group that is described', () => {
    const ids = callsOf(document).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const groups = new Set(document.tags.map(({ name }) => name));
    expect(callsOf(document).filter(({ tags }) => !groups.has(tags[0] ?? ''))).toEqual([]);
  });

  it('shows the positions of a row with name, type, unit and meaning', () => {
    const rows = rowsOf(withoutRefusal(schemaOf('searchByElements')));
    expect(rows.find(({ name }) => name === '4  e_above_hull')).toMatchObject({
      depth: 1,
      type: 'number | null',
      meaning: expect.stringContaining('In eV/atom.'),
    });
    expect(rows.map(({ name }) => name)).not.toContain('code');
  });

  it('goes into lists, unions and records', () => {
    const names = rowsOf(withoutRefusal(schemaOf('getStructDetail'))).map(({ name }) => name);
    for (const name of ['lattice', 'gamma', 'energy_scales', 'debye_temperature', 'matrix'])
      expect(names).toContain(name);
    expect(typeOf({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] })).toBe(
      'list of string | null',
    );
  });

  it('names the situations in which a call answers 200 and refuses', () => {
    expect(refusalCodesOf(schemaOf('searchByElements'))).toContain('search.unknown-elements');
    expect(refusalCodesOf(schemaOf('getData'))).toEqual([]);
  });

  it.each(callsOf(document).map((one) => [one.operationId, one] as const))(
    'has a meaning for every field of %s',
    (_name, one) => {
      const schemas = [one.requestBody, one.responses[200]].flatMap((part) =>
        Object.values(part?.content ?? {}).map(({ schema = {} }) => schema),
      );
      expect(schemas.flatMap((schema) => rowsOf(schema)).filter(({ meaning }) => meaning === '')).toEqual([]);
    },
  );
});
