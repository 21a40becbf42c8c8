/**
 * The interface that external programs rely on: method and path of every call, and the fields of its request
 * and answer, as recorded in wire-format.txt (`?` marks an optional field). A line of that file changes only
 * after a decision to change the API; `npx vitest run --project unit wire-format -u` records it. Nested fields
 * are covered by the recorded examples.
 */
import { FIELD_NAMES, fieldOf, SEARCH_ROW } from '@unitcell/material';
import { expect, it } from 'vitest';
import { z } from 'zod';
import * as addresses from './calls.ts';
import { strictRequest } from './common.ts';
import { WINDOW_ROW_FIELDS } from './ecwindow/rules.ts';
import { calls } from './index.ts';
import { MATCH_ROW_FIELDS } from './xrd/rules.ts';

interface Shape {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
}

function fieldsOf({ properties = {}, required = [], anyOf = [] }: Shape): string[] {
  const own = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  return [...new Set([...own, ...anyOf.flatMap(fieldsOf)])];
}

const fields = (schema: z.ZodType, io: 'input' | 'output') =>
  fieldsOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Shape);
const sorted = (names: readonly string[]) => names.toSorted().join(' ');

/**
 * SCALARS: fields of the detail answer with scalars from the table of fields. FIRST_SCALARS: the fields among them that
 * existed in the first release.
 */
const SCALARS = new Set(FIELD_NAMES.flatMap((name) => fieldOf(name).detail?.split('.')[0] ?? []));
const FIRST_SCALARS = new Set(
  'band_gap density elements energies formula names nelements nsites source struct_id symmetry_data total_magnetization'.split(
    ' ',
  ),
);

it('every call keeps its method, its path and its fields', async () => {
  const forPrograms = calls.filter(({ access }) => access !== 'administrator');
  const entries = forPrograms.map(({ method, path, body, request, answer, answerType }) => {
    const takes = typeof body === 'object' ? [body.fileField] : fields(request, 'input');
    const answers = answerType === undefined ? fields(answer, 'output') : [answerType].flat();
    const isKept = (name: string): boolean =>
      !path.endsWith('/get_struct_detail/') || !SCALARS.has(name) || FIRST_SCALARS.has(name);
    const asked = [`${method} ${path}`, ...(takes.length === 0 ? [] : [sorted(takes)])].join(': ');
    return `${asked}\n  -> ${sorted(answers.filter(isKept))}\n`;
  });
  await expect(entries.toSorted().join('')).toMatchFileSnapshot('./wire-format.txt');
});

it('every address in calls.ts has exactly one definition', () => {
  expect(calls.map(({ name }) => name).toSorted()).toEqual(Object.keys(addresses).toSorted());
  expect(Object.values(addresses).map(({ name }) => name)).toEqual(Object.keys(addresses));
});

it('every request in JSON refuses a misspelled field, which would otherwise be ignored silently', () => {
  const accepting = calls.filter((call) => {
    const { error } = strictRequest(call).safeParse({ misspelled: 1 });
    return call.body === 'json' && !JSON.stringify(error?.issues ?? []).includes('unrecognized_keys');
  });
  expect(accepting.map(({ name }) => name)).toEqual([]);
});

it('the positions of a row keep their order', () => {
  const found = SEARCH_ROW.map((name) => fieldOf(name).row?.name);
  // New positions are appended at the end; existing positions never change.
  expect(found.slice(0, 20).join(' ')).toBe(
    'struct_id formula space_group form_energy e_above_hull band_gap nsites efermi crystal_system lattice_type has_band is_hubbard has_hse has_epsilon has_piezo has_elastic observed source source_id licence',
  );
  expect(WINDOW_ROW_FIELDS.join(' ')).toBe(
    'struct_id formula reduction_onset oxidation_onset work_ion ehull bandgap nsites spacegroup crystal_system pointgroup hall',
  );
  expect(MATCH_ROW_FIELDS.join(' ')).toBe('distance struct_id formula space_group nsites ehull');
});

// Texts that are too long are also tested with the pattern of the field, on the event loop of the server, so
// matching must take linear time.
it('the patterns of all requests match a long text in linear time', () => {
  const patterns = new Set<string>();
  for (const { request } of calls)
    JSON.stringify(
      z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' }),
      (key, value: unknown) => {
        if (key === 'pattern' && typeof value === 'string') patterns.add(value);
        return value;
      },
    );
  expect(patterns.size).toBeGreaterThan(5);
  const many = Array.from(' 1.a-@', (one) => one.repeat(200_000));
  const texts = ['', 'a@', '1'].flatMap((start) =>
    many.flatMap((all) => ['!', '@'].map((end) => start + all + end)),
  );
  for (const pattern of patterns)
    expect(texts.map((text) => new RegExp(pattern, 'u').test(text))).not.toContain(true);
});
