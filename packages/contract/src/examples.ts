/** A request and its answer for each call, shown in the OpenAPI document. `npm run generate examples` records the answers. */
import { place, type PlacedName, type Scalars, SEARCH_ROW, unplace } from '@unitcell/material';
import recorded from './examples.json' with { type: 'json' };

export interface CallExample {
  /** Absent if the call takes no JSON. */
  readonly request?: unknown;
  readonly response: unknown;
}

// Fields that are newer than a recorded answer are null in it until the answers are recorded again.

/** A recorded detail answer, extended to all fields of the table. */
export function detailWithAllFields<Detail extends object>(detail: Detail): Detail {
  const known = unplace<'detail', Pick<Scalars, PlacedName<'detail'>>>('detail', detail as never);
  const scalars = Object.fromEntries(Object.entries(known).map(([name, value]) => [name, value ?? null]));
  const groups = Object.entries(place('detail', scalars as typeof known)).map(([key, value]) => {
    const before = (detail as Readonly<Record<string, unknown>>)[key];
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [key, isGroup ? { ...(before as object), ...(value as object) } : value];
  });
  return { ...detail, ...(Object.fromEntries(groups) as object) };
}

const rowWithAllFields = (row: readonly unknown[]): unknown[] => [
  ...row,
  ...SEARCH_ROW.slice(row.length).map(() => null),
];

const searched = (example: {
  readonly request: unknown;
  readonly response: { readonly results: readonly (readonly unknown[])[] };
}): CallExample => ({
  ...example,
  response: { ...example.response, results: example.response.results.map(rowWithAllFields) },
});

const EMBED_KEY = 'J4yqkqKq3wWl6rGk0v2H8A';
const { getStructDetail, phaseDiagramHandle, searchByElements, searchByFormula, searchByStructId } = recorded;

/** The part of a recorded detail answer that is shown in a frame of another site. */
function embeddedOf({ response }: typeof getStructDetail): CallExample['response'] {
  const { struct_id, formula, names, symmetry_data, source, sources, structures } = response;
  return {
    struct_id,
    formula,
    names,
    symmetry_data,
    source,
    sources: sources.filter(({ section }) => section === 'structure'),
    structure: structures.conventional,
  };
}

/** Examples by the name of the call. */
export const examples: Readonly<Record<string, CallExample>> = {
  ...recorded,
  getStructDetail: { ...getStructDetail, response: detailWithAllFields(getStructDetail.response) },
  getEmbedKey: {
    request: { kind: 'material', of: '142' },
    response: { error: 'false', message: '', key: EMBED_KEY },
  },
  getEmbeddedMaterial: {
    request: { ...getStructDetail.request, key: EMBED_KEY },
    response: embeddedOf(getStructDetail),
  },
  getEmbeddedDiagram: {
    request: { include: 'Ti-O', functional: 'PBE (MP 2018)', key: EMBED_KEY },
    response: phaseDiagramHandle.response,
  },
  searchByElements: searched(searchByElements),
  searchByFormula: searched(searchByFormula),
  searchByStructId: searched(searchByStructId),
};
