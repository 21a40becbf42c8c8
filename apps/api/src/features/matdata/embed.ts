/** Frames for other sites, and previews of links to pages. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseStructId } from '@unitcell/contract/common';
import { getEmbeddedMaterial, getEmbedKey } from '@unitcell/contract/matdata';
import { fromCompactCell, orderedSite, type Structure } from '@unitcell/crystal';
import type { Bilingual } from '@unitcell/material';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { embedKeys } from '../../domain/embed-keys.ts';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { PageHead } from '../../http/site.routes.ts';
import { currentStructId } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { crystalSvg, PREVIEW } from './crystal-svg.ts';
import type { DetailOf } from './detail.ts';

/** Number of cached pictures, PNGs of about 60 kB. */
const CACHED_PICTURES = 100;

/** Lattice constant in Å of strontium titanate, which is drawn for pages other than materials. */
const PEROVSKITE: Structure = {
  latticeVectors: [
    [3.905, 0, 0],
    [0, 3.905, 0],
    [0, 0, 3.905],
  ],
  sites: [
    orderedSite('Sr', [0, 0, 0]),
    orderedSite('Ti', [0.5, 0.5, 0.5]),
    orderedSite('O', [0.5, 0.5, 0]),
    orderedSite('O', [0.5, 0, 0.5]),
    orderedSite('O', [0, 0.5, 0.5]),
  ],
};
const SITE_PICTURE = 'site.png';

type PreviewServices = Pick<Services, 'config' | 'database'>;

/**
 * What a preview shows of a material. Programs that preview links have no account, so there are previews only where
 * everybody may read the catalogue by OPTIMADE.
 */
async function previewed({ config, database: { readDb } }: PreviewServices, id: number | null) {
  if (id === null || config.optimadeAccess !== 'public') return undefined;
  return readDb
    .selectFrom('material')
    .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
    .select(['material.struct_id', 'formula', 'space_group', 'conventional'])
    .where('material.struct_id', '=', currentStructId(id))
    .executeTakeFirst();
}

export function embedRoutes(app: FastifyInstance, services: Services, detailOf: DetailOf): void {
  const { keyOf, assertKey } = embedKeys(services.config);
  const pictures = new LRUCache<number, Buffer>({ max: CACHED_PICTURES });
  // Rendering takes place in the threads of the library.
  const render = (structure: Structure) =>
    sharp(Buffer.from(crystalSvg(structure)))
      .png()
      .toBuffer();
  let sitePicture: Promise<Buffer> | undefined;

  serveCall(app, getEmbedKey, async ({ body: { kind, of } }) => ({ ...done, key: keyOf(kind, of) }));

  serveCall(app, getEmbeddedMaterial, async ({ body: { struct_id: typed, key } }) => {
    assertKey('material', String(parseStructId(typed)), key);
    const { structures, ...material } = await detailOf(typed);
    const { struct_id, formula, names, symmetry_data, source, sources } = material;
    const ofStructure = sources.filter(({ section }) => section === 'structure');
    return {
      struct_id,
      formula,
      names,
      symmetry_data,
      source,
      sources: ofStructure,
      structure: structures.conventional,
    };
  });

  app.get<{ Params: { file: string } }>(
    '/preview/:file',
    { onRequest: app.spendBudget('visitors') },
    async ({ params: { file } }, reply) => {
      const send = (picture: Buffer) =>
        reply.type('image/png').header('Cache-Control', 'public, max-age=86400').send(picture);
      if (file === SITE_PICTURE) return send(await (sitePicture ??= render(PEROVSKITE)));
      const id = file.endsWith('.png') ? parseStructId(file.slice(0, -4)) : null;
      const stored = await previewed(services, id);
      if (!stored) throw new AppError('material.not-found', { id: file.slice(0, 20) });
      let picture = pictures.get(stored.struct_id);
      if (!picture) {
        picture = await render(fromCompactCell(stored.conventional));
        pictures.set(stored.struct_id, picture);
      }
      return send(picture);
    },
  );
}

const lowered = (digits: string): string =>
  digits.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x2080 + Number(digit)));

/** A page in `heads.json`, which the build of the web client writes. */
interface ListedPage {
  /** `/matdatades/:id` */
  readonly path: string;
  readonly title: Bilingual;
  readonly hint?: Bilingual;
}

const SITE: Bilingual = {
  en: 'Structures, phase diagrams, diffraction, bands and electrochemical windows of inorganic crystals, each number with its source',
  zh: '无机晶体的结构、相图、衍射、能带与电化学窗口，每个数值都附来源',
};

const isAddressOf = (pattern: string, path: string): boolean => {
  const [asked, parts] = [path.replace(/(?<=.)\/$/, '').split('/'), pattern.split('/')];
  return (
    asked.length === parts.length && parts.every((part, at) => part.startsWith(':') || part === asked[at])
  );
};

/** Title and description of a link to a page of the site, with the picture of the site. */
export const pageHead = (services: PreviewServices) => {
  const { publicUrl, webDist } = services.config;
  const materialHead = materialHeadOf(services);
  let listed: Promise<readonly ListedPage[]> | undefined;
  return async (path: string): Promise<PageHead | null> => {
    const head = await materialHead(path);
    if (head !== null || webDist === null) return head;
    listed ??= readFile(join(webDist, 'heads.json'), 'utf8').then(
      (text) => JSON.parse(text) as readonly ListedPage[],
    );
    const page = (await listed).find((one) => isAddressOf(one.path, path));
    if (!page) return null;
    const { title, hint = SITE } = page;
    return {
      title: `${title.en} · ${title.zh}${path === '/' ? '' : ' · Unitcell'}`,
      description: `${hint.en}. ${hint.zh}。`,
      url: `${publicUrl}${path}`,
      image: { url: `${publicUrl}/preview/${SITE_PICTURE}`, ...PREVIEW },
    };
  };
};

/** Title, description and picture of a link to a material: `/matdatades/142`. */
const materialHeadOf =
  (services: PreviewServices) =>
  async (path: string): Promise<PageHead | null> => {
    const id = parseStructId(/^\/matdatades\/(\d{1,10})\/?$/.exec(path)?.[1] ?? '');
    const stored = await previewed(services, id);
    if (!stored) return null;
    const { publicUrl } = services.config;
    const structId = stored.struct_id;
    // Titles have no markup: TiO₂, P4₂/mnm.
    const formula = stored.formula.replaceAll(/\d+/g, lowered);
    const group = stored.space_group.replaceAll(/_(\d)/g, (_, digit: string) => lowered(digit));
    return {
      title: `${formula}, ${group} · ${structId} · Unitcell`,
      description: `${formula} (${group}): crystal structure, energies, phase diagram, diffraction and sources. 晶体结构、能量、相图、衍射与数据来源。`,
      url: `${publicUrl}/matdatades/${structId}`,
      image: { url: `${publicUrl}/preview/${structId}.png`, ...PREVIEW },
    };
  };
