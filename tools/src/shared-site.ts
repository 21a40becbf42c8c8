import { inject } from 'vitest';
import { joinTestSite, type SharedSite, type TestSite } from './test-site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sharedSite: SharedSite;
  }
}

/** The site of all journeys that only look at it; what they store, accounts apart, others would see. Nobody stops it. */
export const sharedSite = (): TestSite => joinTestSite(inject('sharedSite'));
