/**
 * Information about this installation: settings for the web client, the contact for security reports, the API
 * description.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import { type Analytics, SITE_CONFIG_PATH, type SiteConfig } from '@unitcell/contract/site-config';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config/config.ts';
import { AppError } from '../messages/app-error.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { isKnown, type PackedJson, packJson, sendPacked, weakTag } from './serve-call.ts';

/** The empty style element that Plotly fills through the CSSOM: the hash of an empty text. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/**
 * Resources that the browser may load. No inline scripts or style elements; WebAssembly (symmetry in the
 * browser) and blob workers only of our own. Text becomes markup or a script address only through the Trusted
 * Types policies named here: ours (apps/web/src/lib/trusted-types.ts), the sanitiser's, and that of Vue, which
 * renders the documentation.
 *
 * If page views are reported, the provider's script and the host to which it sends are added.
 */
export function contentSecurityPolicy(analytics: Analytics | null) {
  const script = analytics ? [scriptSource(analytics)] : [];
  const hosts = analytics ? hostsOf(analytics) : [];
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...script],
      scriptSrcAttr: ["'none'"],
      styleSrc: ["'self'"],
      // Plotly sets subscripts by style attributes, which can move and colour text but not load or run
      // anything.
      styleSrcAttr: ["'unsafe-inline'"],
      styleSrcElem: ["'self'", EMPTY_STYLE],
      imgSrc: ["'self'", 'data:', 'blob:', ...hosts],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", 'blob:', ...hosts],
      workerSrc: ["'self'", 'blob:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ['default', 'dompurify', 'vue'],
    },
  };
}

/** The address of the script as a CSP source, which may have a path but no query. */
const scriptSource = ({ script }: Analytics): string => script.split('?', 1)[0] ?? script;

const hostsOf = ({ script, endpoint }: Analytics): readonly string[] => [
  ...new Set([script, endpoint ?? script].map((address) => new URL(address).origin)),
];

/** Serves the built web client: hashed assets are cached for a year, the page itself never. */
const ONE_YEAR_SECONDS = 31_536_000;
/** Folders whose file names contain a content hash: the web client's and the documentation's. */
const HASHED = ['assets', 'docs/assets'];

/** Title, description and picture of a page for search engines and for sites that preview links. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  readonly url: string;
  readonly image: { readonly url: string; readonly width: number; readonly height: number };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** The page with a specific title, description and picture, because programs that preview links run no scripts. */
function withHead(html: string, { title, description, url, image }: PageHead): string {
  const meta = {
    'og:site_name': 'Unitcell',
    'og:type': 'article',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': image.url,
    'og:image:width': String(image.width),
    'og:image:height': String(image.height),
  };
  const tags = [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
    ...Object.entries(meta).map(([name, text]) => `<meta property="${name}" content="${escaped(text)}" />`),
  ];
  return html
    .replaceAll(/<title>[^<]*<\/title>|<meta\s+(?:name="description"|property="og:[^"]*")[^>]*>/g, '')
    .replace('</head>', () => `${tags.join('')}</head>`);
}

/** Other sites may show the pages below this address in a frame. These pages contain no data of the visitor. */
const FRAMED = /^\/embed\//;

function allowFraming(reply: FastifyReply): void {
  const policy = String(reply.getHeader('Content-Security-Policy'));
  void reply
    .header('Content-Security-Policy', policy.replace("frame-ancestors 'none'", 'frame-ancestors *'))
    .removeHeader('X-Frame-Options');
}

/** @param headOf head of a page; null for the general head of the site */
export async function registerStaticWeb(
  app: FastifyInstance,
  webDist: string | null,
  headOf: (path: string) => Promise<PageHead | null>,
): Promise<void> {
  const hasPage = webDist !== null && existsSync(join(webDist, 'index.html'));
  if (hasPage) {
    const options: FastifyStaticOptions = {
      root: webDist,
      index: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        const isHashed = HASHED.some((folder) => path.startsWith(join(webDist, folder)));
        void reply.header(
          'Cache-Control',
          isHashed ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'no-cache',
        );
      },
    };
    // Folders have one wildcard route each, because routes for all 1,900 files would take a fifth of the
    // start-up time. The few files at the root have routes too, because a wildcard there would match the
    // addresses of pages.
    const entries = readdirSync(webDist, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const folders = entries.map(({ name }) => name);
    await app.register(fastifyStatic, {
      ...options,
      wildcard: false,
      globIgnore: folders.map((folder) => `${folder}/**`),
    });
    for (const folder of folders)
      await app.register(fastifyStatic, {
        ...options,
        root: join(webDist, folder),
        prefix: `/${folder}/`,
        decorateReply: false,
      });
  }
  app.setNotFoundHandler(async (request, reply) => {
    // A query may end like a file name: …&mu=-0.5
    const [path = ''] = request.url.split('?', 1);
    // A program gets 404; a browser gets the page, which shows its own message.
    const isBrowser = path === '/' || (request.headers.accept ?? 'text/html').includes('text/html');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = isRead && !request.url.startsWith('/api/') && isBrowser;
    const looksLikeFile = /\.\w{1,8}$/.test(path);
    if (hasPage && isRead && /^\/docs(?:\/|$)/.test(path)) return sendDocument(reply, webDist, path);
    if (hasPage && wantsPage && !looksLikeFile) {
      void reply.header('Cache-Control', 'no-cache');
      if (FRAMED.test(path)) allowFraming(reply);
      const head = await headOf(path).catch(() => null);
      if (head === null) return reply.sendFile('index.html');
      const html = await readFile(join(webDist, 'index.html'), 'utf8');
      return reply.type('text/html; charset=utf-8').send(withHead(html, head));
    }
    throw new AppError('request.not-found');
  });
}

/** A page of the documentation: the index of a folder, or the not-found page. */
function sendDocument(reply: FastifyReply, webDist: string, path: string): FastifyReply {
  if (path === '/docs') return reply.redirect('/docs/');
  void reply.header('Cache-Control', 'no-cache');
  // Links between the pages have no extension.
  const file = path.endsWith('/') ? `${path}index.html` : `${path}.html`;
  if (existsSync(join(webDist, file))) return reply.sendFile(file.slice(1));
  return reply.code(404).sendFile('docs/404.html');
}

export function siteConfigRoutes(app: FastifyInstance, analytics: Analytics | null): void {
  const answer: SiteConfig = { analytics };
  app.get(SITE_CONFIG_PATH, (_request, reply) => reply.header('Cache-Control', 'no-cache').send(answer));
}

// ── `/.well-known/security.txt` (RFC 9116): contact for reports of vulnerabilities of this installation ──

const PATH = '/.well-known/security.txt';
/** Validity of the file. RFC 9116, section 2.5.5, recommends less than a year. */
const VALID_MILLISECONDS = 180 * 86_400_000;

export function securityTxtRoute(
  app: FastifyInstance,
  { securityContact, publicUrl }: Pick<Config, 'securityContact' | 'publicUrl'>,
): void {
  app.get(PATH, async (_request, reply) => {
    if (securityContact === null) throw new AppError('request.not-found');
    const expires = new Date(Date.now() + VALID_MILLISECONDS);
    expires.setUTCHours(0, 0, 0, 0);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: zh, en',
      `Canonical: ${publicUrl}${PATH}`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}

/** The public API description, so that applicants for a key can see the calls for programs. */
export function openApiRoutes(app: FastifyInstance): void {
  let kept: Promise<{ readonly packed: PackedJson; readonly tag: string }> | undefined;
  const make = async () => {
    const text = JSON.stringify(openApiDocument());
    return { packed: await packJson(text), tag: weakTag(text) };
  };
  app.get('/api/openapi.json', { onRequest: app.spendBudget('visitors') }, async (request, reply) => {
    const { packed, tag } = await (kept ??= make());
    void reply.headers({ ETag: tag, 'Cache-Control': 'public, max-age=300' });
    if (isKnown(request, tag)) return reply.code(304).send();
    return sendPacked(request, reply, packed);
  });
}
