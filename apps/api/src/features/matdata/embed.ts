/** Frames for other sites, and previews of links to pages. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseStructId } from '@unitcell/contract/common';
import { getEmbeddedMaterial, getEmbedKey } from '@unitcell/contract/matdata';
import { fromCompactCell, orderedSite, type Structure } from '@unitcell/crystal';
import type { Bilingual } from '@unitcell/material';
import type { FastifyInstance } from 'fastify';
import { embedKeys } from '../../domain/embed-keys.ts';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { PageHead } from '../../http/site.routes.ts';
import { currentStructId } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import type { DetailOf } from './detail.ts';
import { elementBySymbol } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';

/** Number of cached pictures, PNGs of about 60 kB. */
const CACHED_PICTURES = 100;

/** Strontium titanate (lattice constant in Å), which is drawn for pages other than those of materials. */
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
  const pictures = services.catalogueCaches.create<Buffer>(CACHED_PICTURES);
  // Rendering takes place in the threads of the library.
  const render = async (structure: Structure) => {
    // Loaded for the first picture, not at every start.
    const { default: sharp } = await import('sharp');
    return sharp(Buffer.from(crystalSvg(structure)))
      .png()
      .toBuffer();
  };
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
      const draw = () => render(fromCompactCell(stored.conventional));
      return send(await pictures.remember(String(stored.struct_id), draw));
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

// ── A crystal as a picture without text, for previews of links: the server may have no fonts ──

/** px, the size that sites show beside a link. */
const PREVIEW = { width: 1200, height: 630 } as const;

const MARGIN = 50;
/** Largest number of drawn atoms; with more, atoms would be too small to see. */
const MOST_ATOMS = 600;
/** Radius of a ball relative to the covalent radius; and radius in Å for elements without a covalent radius. */
const BALL = 0.55;
const USUAL_RADIUS = 1.4;
/**
 * Fractional distance within which an atom counts as on a face of the cell; it is repeated on the opposite
 * face.
 */
const ON_FACE = 0.02;

/** Degrees by which the crystal is turned about c and tilted towards the viewer. */
const [TURN, TILT] = [-28, 16];

interface Point {
  readonly x: number;
  readonly y: number;
  /** Larger is nearer. */
  readonly depth: number;
}

function project([x, y, z]: Vec3): Point {
  const [turn, tilt] = [(TURN * Math.PI) / 180, (TILT * Math.PI) / 180];
  const right = x * Math.cos(turn) - y * Math.sin(turn);
  const back = x * Math.sin(turn) + y * Math.cos(turn);
  return {
    x: right,
    y: -z * Math.cos(tilt) - back * Math.sin(tilt),
    depth: z * Math.sin(tilt) - back * Math.cos(tilt),
  };
}

/** The fractional coordinate within the cell, and its image on the opposite face if the atom is on a face. */
const images = (value: number): readonly number[] => {
  const inside = value - Math.floor(value);
  if (inside < ON_FACE) return [inside, inside + 1];
  return inside > 1 - ON_FACE ? [inside, inside - 1] : [inside];
};

/** @returns an SVG of {@link PREVIEW} with the cell and its atoms, seen from slightly above */
function crystalSvg({ latticeVectors: [a, b, c], sites }: Structure): string {
  const at = (u: number, v: number, w: number): Point =>
    project([u * a[0] + v * b[0] + w * c[0], u * a[1] + v * b[1] + w * c[1], u * a[2] + v * b[2] + w * c[2]]);
  const corners = [0, 1].flatMap((u) => [0, 1].flatMap((v) => [0, 1].map((w) => [u, v, w] as const)));
  const edges = corners.flatMap((from, i) =>
    corners
      .slice(i + 1)
      .filter((to) => to.filter((value, axis) => value !== from[axis]).length === 1)
      .map((to) => [at(...from), at(...to)] as const),
  );
  const balls = sites
    .flatMap(({ species, fractionalCoords: [x, y, z] }) => {
      const element = species[0]?.element ?? '';
      const radius = BALL * (elementBySymbol(element).covalentRadius ?? USUAL_RADIUS);
      return images(x).flatMap((u) =>
        images(y).flatMap((v) => images(z).map((w) => ({ ...at(u, v, w), element, radius }))),
      );
    })
    .slice(0, MOST_ATOMS)
    .sort((one, other) => one.depth - other.depth);
  const points = edges.flat();
  const largest = Math.max(...balls.map(({ radius }) => radius));
  const [left, right] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const [top, bottom] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
  const { width, height } = PREVIEW;
  const scale = Math.min(
    (width - 2 * MARGIN) / (right - left + 2 * largest),
    (height - 2 * MARGIN) / (bottom - top + 2 * largest),
  );
  const px = (value: number): string => value.toFixed(1);
  const toX = (x: number): string => px(width / 2 + scale * (x - (left + right) / 2));
  const toY = (y: number): string => px(height / 2 + scale * (y - (top + bottom) / 2));
  const elements = [...new Set(balls.map(({ element }) => element))];
  const line = ([from, to]: readonly [Point, Point]): string =>
    `<path d="M${toX(from.x)} ${toY(from.y)}L${toX(to.x)} ${toY(to.y)}"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="#fffefb"/><defs>`,
    ...elements.map((element, index) => {
      const { viewerColor: color } = elementBySymbol(element);
      return `<radialGradient id="e${index}" cx="0.36" cy="0.32" r="0.75"><stop offset="0" stop-color="#fff" stop-opacity="0.85"/><stop offset="0.35" stop-color="${color}"/><stop offset="1" stop-color="${color}"/></radialGradient>`;
    }),
    '</defs>',
    `<g stroke="#6b7280" stroke-width="2.5">${edges.map(line).join('')}</g>`,
    ...balls.map(
      ({ x, y, element, radius }) =>
        `<circle cx="${toX(x)}" cy="${toY(y)}" r="${px(scale * radius)}" fill="url(#e${elements.indexOf(element)})" stroke="#1f2937" stroke-opacity="0.55" stroke-width="1.5"/>`,
    ),
    '</svg>',
  ].join('');
}
