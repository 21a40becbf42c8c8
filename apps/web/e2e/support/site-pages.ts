/** One address for every page of the site, so that sweeps over all pages miss none. */
import { pages } from '../../src/app/pages.ts';

export interface PageExample {
  /** Path as in the list of pages. */
  readonly path: string;
  /** An address of the page that shows seed data. */
  readonly url: string;
  readonly needsLogin: boolean;
  /** True for a tool, which has a link to its guide. */
  readonly isTool: boolean;
}

/** Values for parameters in addresses: rutile in the seed data, and the ion of most batteries. */
const PARAMETERS: Readonly<Record<string, string>> = {
  id: '142',
  work_ion: 'Li',
  ion: 'Li',
  key: 'nobody-shared-this',
};

const filled = (path: string): string =>
  path.replaceAll(/:(\w+)\??/g, (_, name: string) => {
    const value = PARAMETERS[name];
    if (value === undefined)
      throw new Error(`${path}: say in e2e/support/site-pages.ts what ":${name}" stands for in the tests`);
    return value;
  });

export const examplePages: readonly PageExample[] = pages.map(({ path, isPublic, example, nav }) => ({
  path,
  url: example ?? filled(path),
  needsLogin: !isPublic,
  isTool: nav === 'apps',
}));
