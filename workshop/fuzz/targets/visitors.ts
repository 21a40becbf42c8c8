/** Images, typed searches, form numbers, headers, tokens; and pages written by operators. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchWindowsByElements, WORKING_IONS } from '@unitcell/contract/ecwindow';
import { getBandData } from '@unitcell/contract/tight-binding';
import { listNets } from '@unitcell/tight-binding';
import fc from 'fast-check';
import { readLimits } from '../../../apps/api/src/config/limits.ts';
import { shippedModel } from '../../../apps/api/src/domain/prediction/models.ts';
import { predictSubject } from '../../../apps/api/src/domain/prediction/prediction.thread.ts';
import { renderMarkdown, updatedLine } from '../../../apps/api/src/features/about/about.thread.ts';
import { contentSchemas, readDocument } from '../../../apps/api/src/features/about/content-schema.ts';
import { avatars } from '../../../apps/api/src/features/account/avatars.service.ts';
import { loginTokens } from '../../../apps/api/src/features/account/sessions.ts';
import { proofsOfWork } from '../../../apps/api/src/features/account/proof-of-work.ts';
import { redirectTarget } from '../../../apps/api/src/features/account/third-party/authorize.ts';
import { readWindowFilters } from '../../../apps/api/src/features/ecwindow/ecwindow.feature.ts';
import { readComponents } from '../../../apps/api/src/features/phase-diagram/phase-diagram.feature.ts';
import {
  fingerprintOf,
  readCursor,
  writeCursor,
} from '../../../apps/api/src/features/screen/screen-request.ts';
import {
  type BandRequest,
  readBandRequest,
} from '../../../apps/api/src/features/tight-binding/tight-binding.feature.ts';
import { calculateBands } from '../../../apps/api/src/features/tight-binding/tight-binding.thread.ts';
import { canonicalAddress, hostOf, networkOf } from '../../../apps/api/src/http/client-network.ts';
import { takesGzip } from '../../../apps/api/src/http/serve-call.ts';
import { AppError } from '../../../apps/api/src/messages/app-error.ts';
import { preferredLanguage } from '../../../apps/api/src/messages/messages.ts';
import { readEntry } from '../../../apps/web/src/features/phase-diagram/own-compound.ts';
import { readOwnFile } from '../../../apps/web/src/viz/crystal-viewer/own-file.ts';
import { anyNumber, damagedBytes, damagedJson, damagedText, FRAGMENTS, mostly } from '../damage.ts';
import { CORPUS, settled, settledLater, target, type Target, textTarget } from '../target.ts';

const pictures = avatars({
  directory: mkdtempSync(join(tmpdir(), 'unitcell-fuzz-avatars-')),
  sealKey: Buffer.alloc(32),
  limits: readLimits({}),
});
const nobody = { owner: '', signal: new AbortController().signal };

const anyEntry = fc.oneof(
  damagedText(['0.5'], 40),
  fc.constant(null),
  anyNumber,
  anyNumber.map((x) => 0.1 * x),
);
const ratio = mostly(2, fc.double({ min: -1, max: 1, noNaN: true }), anyEntry);
const USUAL = getBandData.request.parse({ grid_id: listNets()[0]?.id });
const bandRequest: fc.Arbitrary<BandRequest> = fc
  .record({
    grid_id: fc.constantFrom(...listNets().map(({ id }) => id)),
    t1_ratio: ratio,
    t2_ratio: ratio,
    onsites_symbol: mostly(1, fc.constant<number[]>([0]), fc.array(anyEntry, { maxLength: 3 })),
    t2_rule: fc.constantFrom('graph', 'distance'),
    haldane_flux: mostly(1, fc.constant(0), anyEntry),
    k_points: fc.oneof(fc.integer({ min: 2, max: 61 }), fc.constant(USUAL.k_points), anyEntry),
  })
  .map((varied) => ({ ...USUAL, ...varied }));

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
const untold = (): string => '';

export const VISITOR_TARGETS: Readonly<Record<string, Target>> = {
  picture: target(damagedBytes(CORPUS.pictures), (bytes) =>
    settledLater(async () => pictures.remove(await pictures.store(1, Buffer.from(bytes, 'base64'), nobody))),
  ),
  prediction: textTarget(
    [...CORPUS.cifs, ...CORPUS.poscars],
    (file) =>
      JSON.stringify(
        predictSubject({ model: shippedModel(), subject: { text: file, name: 'fuzz' }, competitors: null }),
      ),
    10_000,
  ),
  'window-search': target(damagedJson(WINDOW_SEARCHES), (request) =>
    settled(() => {
      const read = searchWindowsByElements.request.safeParse(request);
      if (!read.success) throw new AppError('request.invalid', { reason: '' });
      readWindowFilters(read.data);
    }),
  ),
  components: textTarget(['Li Mn O', 'Li2O Mn O', 'Li-Mn-O', 'Na，Cl'], readComponents),
  'band-request': target(bandRequest, (request) =>
    settled(() => {
      const net = listNets().find(({ id }) => id === request.grid_id);
      if (net) calculateBands(readBandRequest(net, request));
    }),
  ),
  'own-file': target(
    damagedText([
      ...CORPUS.cifs,
      ...CORPUS.poscars,
      ...CORPUS.structures.map((json) => JSON.stringify(json)),
    ]),
    async (file) =>
      'problem' in (await readOwnFile(new File([file], 'x'), untold)) ? 'refused' : 'accepted',
  ),
  'own-compound': target(damagedText(CORPUS.importLines.map((line) => JSON.stringify(line))), (entry) =>
    readEntry(entry) === null ? 'refused' : 'accepted',
  ),
  'login-token': target(
    damagedText([await tokens.sign('5d1f7c3e-0000-4000-8000-000000000000', 7, 3600)], 3000),
    (token) => settledLater(() => tokens.read(token)),
  ),
  'proof-of-work': textTarget(
    [`${proofs.ask(1, forMessage).challenge}:0,1,2,3,4,5,6,7`, 'a.b.c.d:1,1,1,1,1,1,1,1'],
    (typed) => proofs.check(typed, forMessage),
  ),
  cursor: textTarget([writeCursor({ ...cursorPlace, after: 120 }), 'MS5hLjI'], (typed) =>
    readCursor(typed, cursorPlace),
  ),
  'redirect-target': textTarget(
    [`${SITE}/account?token=1`, `${SITE}/`, `${SITE}:443/x`, 'https://unitcell.example.evil/'],
    (typed) => redirectTarget(typed, SITE),
  ),
  address: textTarget(FRAGMENTS.callers, (typed) => {
    for (const read of [canonicalAddress, hostOf, networkOf]) read(typed);
  }),
  'accept-header': textTarget(['zh-CN,zh;q=0.9,en;q=0.8', 'gzip;q=0.5, br, *;q=0', 'en'], (typed) => {
    preferredLanguage(typed);
    takesGzip(typed);
  }),
  'site-document': textTarget(
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
