import { readFileSync } from 'node:fs';
import { calls } from '@unitcell/contract';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

const GOLDEN = new URL('../../../../docs/openapi.golden.json', import.meta.url);

describe('openApiDocument', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };

  it('is what is committed (npm run generate openapi writes it anew)', () => {
    expect(document).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
  });

  it('holds every call of the contract once', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    );
    expect(ids.length).toBe(calls.length);
    expect(new Set(ids)).toEqual(new Set(calls.map((call) => call.name)));
  });

  it.each([...calls])(
    'shows examples of $name the contract accepts',
    ({ example = {}, request, response }) => {
      const isRight = (schema: typeof request, value: unknown): boolean =>
        value === undefined || schema.safeParse(value).success;
      expect({
        request: isRight(request, example.request),
        response: isRight(response, example.response),
      }).toEqual({ request: true, response: true });
    },
  );
});
