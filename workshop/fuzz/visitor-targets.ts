/** What visitors send beside files of crystals: pictures, typed searches, numbers of forms, headers, tokens; and pages operators write. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getBandData, searchWindowsByElements, WORKING_IONS } from '@unitcell/contract';
import type { RandomSource } from '@unitcell/numerics';
import { listNets } from '@unitcell/tight-binding';
import { readLimits } from '../../apps/api/src/config/limits.ts';
import { shippedModel } from '../../apps/api/src/domain/prediction/models.ts';
import { predictGiven } from '../../apps/api/src/domain/prediction/predict-given.ts';
import { contentSchemas } from '../../apps/api/src/features/about/content-schema.ts';
import { readDocument, updatedLine } from '../../apps/api/src/features/about/read-document.ts';
import { renderMarkdown } from '../../apps/api/src/features/about/render-markdown.ts';
import { avatars } from '../../apps/api/src/features/account/avatars.service.ts';
import { loginTokens } from '../../apps/api/src/features/account/login-token.ts';
import { proofsOfWork } from '../../apps/api/src/features/account/proof-of-work.ts';
import { redirectTarget } from '../../apps/api/src/features/account/third-party/redirect-target.ts';
import { readWindowFilters } from '../../apps/api/src/features/ecwindow/read-window-search.ts';
import { readComponents } from '../../apps/api/src/features/phase-diagram/read-components.ts';
import { fingerprintOf, readCursor, writeCursor } from '../../apps/api/src/features/screen/cursor.ts';
import {
  type BandRequest,
  readBandRequest,
} from '../../apps/api/src/features/tight-binding/read-band-request.ts';
import { calculateBands } from '../../apps/api/src/features/tight-binding/calculate-bands.ts';
import { canonicalAddress, hostOf, networkOf } from '../../apps/api/src/http/client-network.ts';
import { takesGzip } from '../../apps/api/src/http/representation.ts';
import { AppError } from '../../apps/api/src/messages/app-error.ts';
import { preferredLanguage } from '../../apps/api/src/messages/messages.ts';
import { readEntry } from '../../apps/web/src/features/phase-diagram/own-compound.ts';
import { readOwnFile } from '../../apps/web/src/viz/crystal-viewer/own-file.ts';
import { anyNumber, below, mutateBytes, mutateJson, mutateText, oneOf } from './mutate.ts';
import { CIFS, IMPORT_LINES, POSCARS, STRUCTURE_JSONS } from './seeds.ts';
import { overTheWire, settled, settledLater, target, type Target } from './target.ts';

const text = (sources: readonly string[], follow: (typed: string) => unknown, limit = 3000): Target =>
  target(
    (random) => mutateText(oneOf(random, sources), random, limit),
    (typed) => settled(() => follow(typed)),
  );

/** 4 × 3 pixels as PNG, progressive JPEG and WebP. */
const PICTURES = [
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWMwTjsDRww4OQA/XBC9' +
    'rAe9TAAAAABJRU5ErkJggg==',
  '/9j/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//j/2wBDASst' +
    'LTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wgARCAADAAQDASIAAhEB' +
    'AxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAVAQEBAAAAAAAAAAAAAAAAAAACA//aAAwDAQACEAMQAAABgVH/xAAUEAEAAAAAAAAA' +
    'AAAAAAAAAAAA/9oACAEBAAEFAn//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAEDAQE/AX//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oA' +
    'CAECAQE/AX//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAY/An//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/IX//2gAM' +
    'AwEAAgADAAAAEAv/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAEDAQE/EH//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/EH//' +
    'xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/EH//2Q==',
  'UklGRjoAAABXRUJQVlA4IC4AAADQAQCdASoEAAMAAUAmJaACdLoB+AADsAD+7nZ//q0PlofLQ/c+/+QWlct3YAAA',
].map((bytes) => Buffer.from(bytes, 'base64'));
const pictures = avatars({
  directory: mkdtempSync(join(tmpdir(), 'unitcell-fuzz-avatars-')),
  sealKey: Buffer.alloc(32),
  limits: readLimits({}),
});
const nobody = { owner: '', signal: new AbortController().signal };

function bandRequest(random: RandomSource): BandRequest {
  const typed = (): number | string | null => {
    const kind = below(random, 5);
    return kind === 0
      ? mutateText('0.5', random, 40)
      : kind === 1
        ? null
        : anyNumber(random) * (kind === 2 ? 1 : 0.1);
  };
  const { k_points, ...rest } = getBandData.request.parse({ grid_id: oneOf(random, listNets()).id });
  return {
    ...rest,
    t1_ratio: random() < 0.7 ? 2 * random() - 1 : typed(),
    t2_ratio: random() < 0.7 ? 2 * random() - 1 : typed(),
    onsites_symbol: random() < 0.6 ? [0] : Array.from({ length: below(random, 4) }, typed),
    t2_rule: random() < 0.5 ? 'graph' : 'distance',
    haldane_flux: random() < 0.5 ? 0 : typed(),
    k_points: random() < 0.7 ? 2 + below(random, 60) : random() < 0.5 ? k_points : typed(),
  };
}

const WINDOW_SEARCHES = [
  {
    include: 'Li-O-*',
    collapse_work_ion: WORKING_IONS.join(' '),
    collapse_included_elements: 'P S',
    collapse_excluded_elements: 'Cl,Br',
    collapse_Reduction: [0, 3],
    collapse_Oxidation: '[1, 5]',
    collapse_ehull: '0,0.05',
    collapse_bandgap: 0,
  },
];

const tokens = loginTokens(Buffer.alloc(32, 7));
const proofs = proofsOfWork(Buffer.alloc(32, 7), () => 1_800_000_000_000);
const forMessage = { mobile: '13800000000', purpose: 'login', address: '192.0.2.1' } as const;
const QUERY = fingerprintOf('band_gap > 1', 'PBE');
const cursorPlace = { release: 3, query: QUERY };
const SITE = 'https://unitcell.example';
/** What a person is shown does not matter here. */
const untold = (): string => '';

export const VISITOR_TARGETS: Readonly<Record<string, Target>> = {
  picture: target(
    (random) => Buffer.from(mutateBytes(oneOf(random, PICTURES), random)).toString('base64'),
    (bytes) =>
      settledLater(async () =>
        pictures.remove(await pictures.store(1, Buffer.from(bytes, 'base64'), nobody)),
      ),
  ),
  prediction: text(
    [...CIFS, ...POSCARS],
    (file) =>
      overTheWire(
        predictGiven({ model: shippedModel(), given: { text: file, name: 'fuzz' }, competitors: null }),
      ),
    10_000,
  ),
  'window-search': target(
    (random) => overTheWire(mutateJson(oneOf(random, WINDOW_SEARCHES), random)),
    (request) =>
      settled(() => {
        const read = searchWindowsByElements.request.safeParse(request);
        if (!read.success) throw new AppError('request.invalid', { reason: '' });
        readWindowFilters(read.data);
      }),
  ),
  components: text(['Li Mn O', 'Li2O Mn O', 'Li-Mn-O', 'Na，Cl'], readComponents),
  'band-request': target(bandRequest, (request) =>
    settled(() => {
      const net = listNets().find(({ id }) => id === request.grid_id);
      if (net) calculateBands(readBandRequest(net, request));
    }),
  ),
  'own-file': target(
    (random) => {
      const source = oneOf(random, [
        ...CIFS,
        ...POSCARS,
        ...STRUCTURE_JSONS.map((json) => JSON.stringify(json)),
      ]);
      return mutateText(source, random);
    },
    async (typed) =>
      'problem' in (await readOwnFile(new File([typed], 'x'), untold)) ? 'refused' : 'accepted',
  ),
  'own-compound': target(
    (random) => mutateText(JSON.stringify(oneOf(random, IMPORT_LINES)), random),
    (typed) => (readEntry(typed) === null ? 'refused' : 'accepted'),
  ),
  'login-token': text([tokens.sign('5d1f7c3e-0000-4000-8000-000000000000', 7, 3600)], tokens.read),
  'proof-of-work': text(
    [`${proofs.ask(1, forMessage).challenge}:0,1,2,3,4,5,6,7`, 'a.b.c.d:1,1,1,1,1,1,1,1'],
    (typed) => proofs.check(typed, forMessage),
  ),
  cursor: text([writeCursor({ ...cursorPlace, after: 120 }), 'MS5hLjI'], (typed) =>
    readCursor(typed, cursorPlace),
  ),
  'redirect-target': text(
    [`${SITE}/account?token=1`, `${SITE}/`, `${SITE}:443/x`, 'https://unitcell.example.evil/'],
    (typed) => redirectTarget(typed, SITE),
  ),
  address: text(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:7:7::1%eth0', 'fe80::1'], (typed) => {
    for (const read of [canonicalAddress, hostOf, networkOf]) read(typed);
  }),
  'accept-header': text(['zh-CN,zh;q=0.9,en;q=0.8', 'gzip;q=0.5, br, *;q=0', 'en'], (typed) => {
    preferredLanguage(typed);
    takesGzip(typed);
  }),
  'site-document': text(
    [
      '---\nupdated: 2021-02-01\n---\n# Terms\n\n<!-- operator: your name -->\n\n- [a](https://x.example)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
      '**a** _b_ `c` <script>alert(1)</script> <a href="javascript:1">x</a>\n\n> quoted\n\n1. one\n   - two\n',
    ],
    (typed) => {
      const document = readDocument(typed);
      if (document.updated !== null) updatedLine(document, 'zh');
      const html = renderMarkdown(document.markdown);
      if (/<script|<[^>]*href="\s*javascript:/i.test(html)) throw new Error(`it runs: ${html}`);
      contentSchemas.terms.safeParse({ markdown: typed });
    },
  ),
};
