/** Tests frames for other sites, and previews of links to pages. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';

const web = mkdtempSync(join(tmpdir(), 'unitcell-web-'));
writeFileSync(
  join(web, 'index.html'),
  '<html><head><meta\n name="description" content="site" /><meta property="og:title" content="site" /><title>Unitcell</title></head><body></body></html>',
);

writeFileSync(
  join(web, 'heads.json'),
  JSON.stringify([
    {
      path: '/xrd',
      title: { en: 'XRD Matcher', zh: 'XRD 物相匹配' },
      hint: { en: 'Identify phases', zh: '识别物相' },
    },
    { path: '/matdatades/:id', title: { en: 'Material', zh: '材料详情' } },
  ]),
);

const ENV = { WEB_DIST: web, PUBLIC_URL: 'https://materials.example.org', OPTIMADE_ACCESS: 'public' };

let test: TestApp;
let member: string;
beforeAll(async () => {
  test = await buildTestApp({ env: ENV });
  member = await test.signIn();
  await storeMaterials(test.database, [
    rockSalt('Mg', 'O', 4.21, { struct_id: 11 }),
    rockSalt('Ca', 'O', 4.8, { struct_id: 12 }),
  ]);
});
afterAll(async () => {
  await test.close();
  rmSync(web, { recursive: true, force: true });
});

const keyOf = async (kind: string, of: string): Promise<string> =>
  (await test.post('/api/matdata/embed_key/', { kind, of }, { token: member })).json<{ key: string }>().key;
const page = (url: string) => test.app.inject({ url, headers: { accept: 'text/html' } });

describe('a frame', () => {
  it('shows a visitor only the material for which its key was made', async () => {
    const key = await keyOf('material', '11');
    const embedded = (structId: number, own: string) =>
      test.post('/api/matdata/embedded_material/', { struct_id: structId, key: own });
    const shown = await embedded(11, key);
    expect(shown.json()).toMatchObject({
      struct_id: 11,
      formula: 'MgO',
      structure: { sites: { length: 8 } },
    });
    expect(Object.keys(shown.json())).not.toContain('energies');
    expect((await embedded(12, key)).statusCode).toBe(404);
    expect((await embedded(11, await keyOf('phase', '11'))).statusCode).toBe(404);
    expect((await embedded(11, '')).statusCode).toBe(404);
  });

  it('of a phase diagram needs a key made for the same components and scale', async () => {
    const key = await keyOf('phase', 'Mg-O@PBE');
    const asked = { include: 'Mg-O', functional: 'PBE', key };
    const embedded = (body: object) => test.post('/api/phase_diagram/embedded/', body);
    expect((await embedded(asked)).statusCode).toBe(200);
    expect((await embedded({ ...asked, include: 'Ca-O' })).statusCode).toBe(404);
    expect((await embedded({ ...asked, functional: 'SCAN' })).statusCode).toBe(404);
  });

  it('is allowed on other sites only for addresses under /embed/', async () => {
    const framed = (await page('/embed/material/11?key=x')).headers;
    expect(framed['content-security-policy']).toContain('frame-ancestors *');
    expect(framed).not.toHaveProperty('x-frame-options');
    for (const url of ['/', '/matdatades/11', '/embed', '/matdata?q=/embed/']) {
      const { headers } = await page(url);
      expect([url, headers['content-security-policy']]).toEqual([
        url,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
      expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    }
  });
});

describe('a link to a material', () => {
  it('has title, description and picture of the material in the page that the server sends', async () => {
    const { body, headers } = await page('/matdatades/11');
    expect(headers['content-type']).toContain('text/html');
    expect(body).toContain('<title>MgO, Fm-3m · 11 · Unitcell</title>');
    expect(body).toContain(
      '<meta property="og:image" content="https://materials.example.org/preview/11.png" />',
    );
    expect(body).not.toContain('content="site"');
    expect((await page('/matdatades/4711')).body).toContain('<title>Material · 材料详情 · Unitcell</title>');
  });

  it('has a picture of the crystal in the size that other sites show', async () => {
    const { rawPayload, headers } = await test.get('/preview/11.png');
    expect(headers['content-type']).toBe('image/png');
    const picture = sharp(rawPayload);
    expect(await picture.metadata()).toMatchObject({ width: 1200, height: 630 });
    // The picture shows two elements on a light background, so it has more than one colour.
    const channels = (await picture.stats()).channels.slice(0, 3);
    expect(Math.min(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(10);
    expect((await test.get('/preview/4711.png')).statusCode).toBe(404);
    expect((await test.get('/preview/11.svg')).statusCode).toBe(404);
  });

  it('shows nothing of the material if the catalogue requires an account', async () => {
    const closed = await buildTestApp({ env: { ...ENV, OPTIMADE_ACCESS: 'key' } });
    await storeMaterials(closed.database, [rockSalt('Mg', 'O', 4.21, { struct_id: 11 })]);
    const { body } = await closed.app.inject({ url: '/matdatades/11', headers: { accept: 'text/html' } });
    expect(body).toContain('<title>Material · 材料详情 · Unitcell</title>');
    expect(body).not.toContain('MgO');
    expect((await closed.get('/preview/11.png')).statusCode).toBe(404);
    await closed.close();
  });
});

describe('a link to another page', () => {
  it('has the title, the description and the picture of the site', async () => {
    const { body } = await page('/xrd/?sample');
    expect(body).toContain('<title>XRD Matcher · XRD 物相匹配 · Unitcell</title>');
    expect(body).toContain('content="Identify phases. 识别物相。"');
    const address = 'https://materials.example.org/preview/site.png';
    expect(body).toContain(`<meta property="og:image" content="${address}" />`);
    const { rawPayload } = await test.get('/preview/site.png');
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
  });

  it('has the general title and description of the site if no page has its address', async () => {
    expect((await page('/nothing/here')).body).toContain('content="site"');
  });
});
