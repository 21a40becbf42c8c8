import { inject } from 'vitest';
import { joinTestSite, type SharedSite, type TestSite } from './test-site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sharedSite: SharedSite;
  }
}

/** The site shared by all journeys that change only their own accounts. It is stopped at the end of the run. */
export const sharedSite = (): TestSite => joinTestSite(inject('sharedSite'));
