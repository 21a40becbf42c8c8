const done = { error: 'false', message: '' } as const;

const collection = {
  id: 3,
  name: 'Cubic oxides',
  note: 'Candidates for the next round',
  share_key: null,
  release: 6,
  count: 2,
  created_at: '2026-11-22T08:00:00.000Z',
  updated_at: '2026-11-22T08:05:00.000Z',
} as const;
const detail = { ...collection, struct_ids: [134, 137], is_own: true } as const;
const search = {
  id: 1,
  name: 'Wide gaps',
  filter: 'band_gap >= 5',
  scale: '',
  seen_at: '2026-11-22T08:00:00.000Z',
  seen_release: 6,
} as const;

export const examples = {
  listCollections: { request: {}, response: { ...done, collections: [collection], searches: [search] } },
  getCollection: { request: { id: 3 }, response: { ...done, collection: detail } },
  saveCollection: {
    request: { name: 'Cubic oxides', note: 'Candidates for the next round', add: [134, 137] },
    response: { ...done, collection: detail },
  },
  changeCollection: { request: { id: 3, add: [137] }, response: { ...done, collection: detail } },
  shareCollection: {
    request: { id: 3, is_shared: true },
    response: { ...done, share_key: 'pQ3n0bB0Yy2bq1m0b7x8Kw' },
  },
  removeCollection: { request: { id: 3 }, response: done },
  saveSearch: { request: { name: 'Wide gaps', filter: 'band_gap >= 5' }, response: { ...done, search } },
  seeSearch: { request: { id: 1 }, response: { ...done, search } },
  removeSearch: { request: { id: 1 }, response: done },
} as const;
