import { aboutData } from '@unitcell/contract/about';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { about, aboutRepository, siteContents } from './about.feature.ts';

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp();
});
afterAll(() => test.close());

const data = async (language = 'en') => (await test.get('/api/about/get_data/', { language })).json();
const site = () => about(aboutRepository(test.database), async (text) => text);
const contents = () => siteContents(aboutRepository(test.database));

describe('GET /api/about/get_data/', () => {
  it('returns zeros and empty lists for an empty database, without a token', async () => {
    const answer = await data();
    expect(aboutData.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      compounds: 0,
      band_structures: 0,
      phase_diagrams: 0,
      team: [],
      milestion: [],
    });
  });

  it('counts compounds and the chemical systems that have a hull', async () => {
    await storeMaterials(test.database, [
      element('Na', 3.5),
      element('Cl', 3.5),
      rockSalt('Na', 'Cl', 5.64, { formation_energy_per_atom: -2 }),
      rockSalt('K', 'Cl', 6.29),
    ]);
    // `site()` makes a new service, whose one-minute cache of counters is still empty.
    expect(await site().data('en')).toMatchObject({ compounds: 4, phase_diagrams: 1 });
  });

  it('returns texts in the reader’s language, with documents as safe HTML', async () => {
    await contents().save('about', 'en', {
      team: [{ name: 'Ada' }],
      contact: 'mail@example.org',
      is_sample: true,
    });
    await contents().save('about', 'zh', { team: [{ name: '阿达' }] });
    await contents().save('terms', 'en', { markdown: '# Terms\n<script>alert(1)</script>' });
    const english = await data('en');
    expect(english).toMatchObject({
      contact: 'mail@example.org',
      is_sample: true,
      user_agreement: '<h1>Terms</h1>\n',
    });
    expect(english.team).toEqual([{ avatar: '', name: 'Ada', ename: '', title: '' }]);
    expect((await data('zh-CN')).team[0].name).toBe('阿达');
  });

  // An unfinished comment, unclosed emphasis and nested quotes: each of these once took the Markdown library
  // or our code seconds to minutes.
  it.each([`<!-- operator: ${' '.repeat(60_000)}`, '_a_'.repeat(20_000), '>'.repeat(5000)])(
    'answers visitors while a stored text is slow to render (%#)',
    async (markdown) => {
      await contents().save('terms', 'en', { markdown });
      const answers = Promise.all([data('en'), data('en')]);
      expect((await test.get('/api/health')).statusCode).toBe(200);
      for (const { user_agreement: page } of await answers) expect(page).toMatch(/^<|^$/);
    },
  );

  it.each([
    ['about', { supporters: [{ name: 'x', link: 'javascript:alert(1)' }] }, /supporters\.0\.link/],
    ['about', { team: [{ name: 'x', avatar: 'data:image/svg+xml;base64,AA' }] }, /team\.0\.avatar/],
    ['about', { news: [{ title: 'x', link: '//evil.example' }] }, /news\.0\.link/],
    ['nothing', {}, /not a content/],
    ['__proto__', {}, /not a content/],
  ])('refuses to store %s %o', async (slug, body, message) => {
    await expect(contents().save(slug, 'en', body)).rejects.toThrow(message);
  });

  it('omits an invalid content that another program wrote into the table', async () => {
    await test.database.pool.query(
      "UPDATE content SET body = '{\"team\": [{\"name\": 5}]}' WHERE slug = 'about' AND locale = 'en'",
    );
    expect((await data('en')).team).toEqual([]);
  });
});
