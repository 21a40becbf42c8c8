import { calls as allCalls } from '@unitcell/contract';
import { files } from '@unitcell/contract/matdata';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi-document.ts';

/** The calls for programs, without the administrator's calls. */
const calls = allCalls.filter(({ access }) => access !== 'administrator');

interface Shown {
  readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Shown;
  readonly responses: Readonly<Record<number, Shown>>;
}

/** Paths of schema fields and tuple positions that have no description. */
function undescribed(node: unknown, place = ''): string[] {
  if (Array.isArray(node)) return node.flatMap((member, index) => undescribed(member, `${place}/${index}`));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'example') return [];
    if (key === 'prefixItems' && place.endsWith('results/items'))
      return (value as { title?: string; description?: string }[]).flatMap((position, index) =>
        position.title && (position.description || 'anyOf' in position) ? [] : [`${place}/${index}`],
      );
    if (key !== 'properties') return undescribed(value, `${place}/${key}`);
    return Object.entries(value as Record<string, object>).flatMap(([name, field]) => [
      ...(JSON.stringify(field).includes('"description"') ? [] : [`${place}.${name}`]),
      ...undescribed(field, `${place}/${name}`),
    ]);
  });
}

describe('openApiDocument', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const operationOf = (name: string): Operation => {
    const found = operations.find(({ operationId }) => operationId === name);
    if (!found) throw new Error(`${name} is not in the document`);
    return found;
  };

  it('describes every field and every position of a row', () => {
    expect(undescribed(document)).toEqual([]);
  });

  it('lists the refusals of a call by status, with their codes', () => {
    const detail = operationOf('getStructDetail').responses;
    expect(Object.keys(detail)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '429',
      '500',
      '503',
      '507',
    ]);
    expect(detail[404]).toEqual({ $ref: '#/components/responses/404_material.not-found' });
    expect(JSON.stringify(operationOf('materialXrdCsv').responses[422])).toContain('xrd.bad-wavelength');
  });

  it('contains every call and file of the contract once', () => {
    const ids = operations.map((operation) => operation.operationId);
    const described = [...calls, ...files].map(({ name }) => name);
    expect(ids.length).toBe(described.length);
    expect(new Set(ids)).toEqual(new Set(described));
  });

  it.each(calls.filter(({ body }) => body === 'json'))(
    'shows a request of $name that the contract accepts',
    ({ name, request }) => {
      const shown = operationOf(name).requestBody?.content['application/json'];
      expect(shown).toHaveProperty('example');
      expect(request.safeParse(shown?.example).error).toBeUndefined();
    },
  );

  it.each(calls.filter(({ body }) => typeof body === 'object'))(
    'shows the file field of $name',
    ({ name, body }) => {
      const shown = operationOf(name).requestBody?.content['multipart/form-data'];
      const { fileField } = body as Exclude<typeof body, string>;
      expect(shown?.example).toEqual({ [fileField]: '@file' });
    },
  );

  it.each([...calls])(
    'shows an answer of $name with exactly the fields of the contract',
    ({ name, response, answerType = 'application/json' }) => {
      const shown = operationOf(name).responses[200]?.content[[answerType].flat()[0] ?? ''];
      expect(shown).toHaveProperty('example');
      expect(response.parse(shown?.example)).toEqual(shown?.example);
    },
  );
});
