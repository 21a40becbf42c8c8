/** The public pages: counters, the operator's texts, and lists of accepted values for programs. */
import { type AboutData, getData, getLists } from '@unitcell/contract/about';
import { WORKING_IONS } from '@unitcell/contract/ecwindow';
import { RADIATION_SOURCES } from '@unitcell/diffraction';
import { WORKING_ION_CHARGES } from '@unitcell/phase-equilibria';
import { listNets } from '@unitcell/tight-binding';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { json, now } from '../../infra/sql.ts';
import { TaskRefused, type ThreadPool } from '../../infra/thread-pool.ts';
import { type Language, preferredLanguage } from '../../messages/messages.ts';
import type * as aboutThread from './about.thread.ts';
import { type ContentOf, contentSchemas, type ContentSlug, isContentSlug } from './content-schema.ts';

// ── Counters and texts of the public pages in the database ──

interface Counters {
  readonly compounds: number;
  readonly bandStructures: number;
  /** Chemical systems of two to four elements whose hull can be drawn. */
  readonly phaseDiagrams: number;
}

type AboutRepository = ReturnType<typeof aboutRepository>;

export function aboutRepository({ readDb, db, prisma }: Pick<Database, 'readDb' | 'db' | 'prisma'>) {
  return {
    async counters(): Promise<Counters> {
      return readDb
        .selectNoFrom(({ selectFrom }) => [
          selectFrom('material')
            .select(sql<number>`count(*)::int`.as('n'))
            .$asScalar()
            .$notNull()
            .as('compounds'),
          selectFrom('band_structure')
            .select(sql<number>`count(*)::int`.as('n'))
            .$asScalar()
            .$notNull()
            .as('bandStructures'),
          selectFrom('material')
            .select(({ ref }) => sql<number>`count(DISTINCT ${ref('chemical_system')})::int`.as('n'))
            .where((is) => is.between('nelements', 2, 4))
            .where('energy_above_hull', 'is not', null)
            .$asScalar()
            .$notNull()
            .as('phaseDiagrams'),
        ])
        .executeTakeFirstOrThrow();
    },

    /** Returns the contents of one language by slug. */
    async contents(locale: string): Promise<Map<string, unknown>> {
      const rows = await readDb
        .selectFrom('content')
        .select(['slug', 'body'])
        .where('locale', '=', locale)
        .execute();
      return new Map(rows.map((row) => [row.slug, row.body]));
    },

    /** All texts in both languages, each with its modification time. */
    stored: () => prisma.content.findMany({ orderBy: [{ slug: 'asc' }, { locale: 'asc' }] }),

    /**
     * Replaces a text that has not changed since `basedOn`; if `basedOn` is null, stores a text that does not
     * exist yet. @returns the time of the change; null if nothing was written
     */
    async replaceContent(
      slug: string,
      locale: string,
      body: unknown,
      basedOn: Date | null,
      on: Db = db,
    ): Promise<Date | null> {
      const changed = on
        .updateTable('content')
        .set({ body: json(body), updated_at: now })
        .where('slug', '=', slug)
        .where('locale', '=', locale)
        .where('updated_at', '=', basedOn)
        .returning('updated_at as at');
      const made = on
        .insertInto('content')
        .values({ slug, locale, body: json(body) })
        .onConflict((conflict) => conflict.columns(['slug', 'locale']).doNothing())
        .returning('updated_at as at');
      const written = basedOn === null ? await made.executeTakeFirst() : await changed.executeTakeFirst();
      return written?.at ?? null;
    },

    async saveContent(slug: string, locale: string, body: object): Promise<void> {
      await prisma.content.upsert({
        where: { slug_locale: { slug, locale } },
        create: { slug, locale, body },
        update: { body, updatedAt: new Date() },
      });
    },
  };
}

// ── The pages ──

/** Counting 300,000 rows is slow, and the counters need not be exact to the second. */
const COUNTERS_MILLISECONDS = 60_000;
/** Number of cached documents: two documents in two languages, each with its previous version. */
const RENDERED_PAGES = 8;

export type RenderPage = (text: string, language: Language) => Promise<string>;

/** Renders documents in a thread. @throws TaskRefused when rendering takes too long */
export function pageRenderer(threads: ThreadPool): RenderPage {
  const handle = threads.open<typeof aboutThread>(new URL('./about.thread.ts', import.meta.url));
  return (text, language) => handle.run('renderPage', { text, language });
}

/** Renders each text once. If rendering fails or takes too long, the raw text is shown in one paragraph. */
function renderedOnce(render: RenderPage): RenderPage {
  const pages = new LRUCache<string, Promise<string>>({ max: RENDERED_PAGES });
  return (text, language) => {
    const key = `${language} ${text}`;
    const known = pages.get(key);
    if (known) return known;
    const page = render(text, language).catch((error: unknown) => {
      if (error instanceof TaskRefused && error.reason !== 'too-costly') {
        pages.delete(key);
        throw error;
      }
      return `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`;
    });
    pages.set(key, page);
    return page;
  };
}

/** The operator's texts for the command line, without rendering. */
export function siteContents(repository: AboutRepository) {
  return {
    /**
     * Stores one text.
     * @throws Error that states what is wrong with the text
     */
    async save(slug: string, language: Language, body: unknown): Promise<void> {
      if (!isContentSlug(slug))
        throw new Error(
          `${slug} is not a content of the site: expected one of ${Object.keys(contentSchemas).join(', ')}`,
        );
      const parsed = contentSchemas[slug].safeParse(body);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        throw new Error(
          `${slug} (${language}): ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`,
        );
      }
      await repository.saveContent(slug, language, parsed.data);
    },

    /** All stored contents of one language, in importable form. */
    stored: repository.contents,
  };
}

export type SiteContents = ReturnType<typeof siteContents>;

export function about(repository: AboutRepository, render: RenderPage) {
  const page = renderedOnce(render);
  let counters: { readonly value: Promise<Counters>; readonly until: number } | null = null;

  function currentCounters(): Promise<Counters> {
    if (!counters || counters.until < Date.now()) {
      const value = repository.counters();
      counters = { value, until: Date.now() + COUNTERS_MILLISECONDS };
      value.catch(() => {
        counters = null;
      });
    }
    return counters.value;
  }

  return {
    async data(language: Language): Promise<AboutData> {
      const [count, stored] = await Promise.all([currentCounters(), repository.contents(language)]);
      // Content is validated on reading too, because an older version or another program may have written it.
      const read = <Slug extends ContentSlug>(slug: Slug): ContentOf<Slug> | null => {
        const parsed = contentSchemas[slug].safeParse(stored.get(slug));
        return parsed.success ? (parsed.data as ContentOf<Slug>) : null;
      };
      const texts = read('about') ?? contentSchemas.about.parse({});
      return {
        compounds: count.compounds,
        band_structures: count.bandStructures,
        phase_diagrams: count.phaseDiagrams,
        ...texts,
        user_agreement: await page(read('terms')?.markdown ?? '', language),
        privacy_policy: await page(read('privacy')?.markdown ?? '', language),
      };
    },
  };
}

const charges: Readonly<Record<string, number>> = WORKING_ION_CHARGES;

export function aboutFeature(app: FastifyInstance, { database, phaseEntries, threads }: Services): void {
  const pages = about(aboutRepository(database), pageRenderer(threads));
  serveCall(app, getData, ({ request }) => pages.data(preferredLanguage(request.headers['accept-language'])));

  const fixed = {
    lattices: listNets().map(({ id, names, planeGroup, positions }) => ({
      grid_id: id,
      names: [...names],
      plane_group: planeGroup,
      sites: positions.length,
    })),
    radiation_sources: RADIATION_SOURCES.map(({ id, name, wavelength }) => ({ id, name, wavelength })),
    working_ions: WORKING_IONS.map((symbol) => ({ symbol, charge: charges[symbol] ?? 1 })),
  };
  serveCall(app, getLists, async () => ({
    ...fixed,
    scales: (await phaseEntries.scales()).map(({ functional, materials }) => ({
      functional,
      materials,
      is_default: functional === phaseEntries.defaultFunctional,
    })),
  }));
}
