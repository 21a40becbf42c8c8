/** One address for every page of the site, so that sweeps over all pages miss none. */
import { pages } from '../../src/app/pages.ts';

export interface PageExample {
  /** Path as in the list of pages. */
  readonly path: string;
  /** An address of the page that shows data of the seed. */
  readonly url: string;
  readonly needsLogin: boolean;
}

/** Values for parameters in addresses: rutile of the seed, and the ion of most batteries. */
const PARAMETERS: Readonly<Record<string, string>> = {
  id: '142',
  work_ion: 'Li',
  ion: 'Li',
  key: 'nobody-shared-this',
};

/** Addresses that show more than the bare page. */
const FULLER: Readonly<Record<string, string>> = {
  '/matdata': '/matdata?q=Ti-O',
  '/matdata/compare': '/matdata/compare?ids=142,134',
  '/phase': '/phase?q=Ti+O',
  '/xrd': '/xrd?sample',
  '/Ec_window': '/Ec_window?q=Ti-O&gap=0~9',
  '/Interface_reaction': '/Interface_reaction?a=TiO2&b=Mg&open=O&mu=-0.5',
  '/reaction': '/reaction?from=TiO2,Mg&to=Ti,MgO&T=1000',
  '/pourbaix': '/pourbaix?el=Ti',
  '*': '/there-is-nothing-here',
};

function exampleOf(path: string): string {
  const filled = path.replaceAll(/:(\w+)\??/g, (_, name: string) => {
    const value = PARAMETERS[name];
    if (value === undefined)
      throw new Error(`${path}: say in e2e/support/site-pages.ts what ":${name}" stands for in the tests`);
    return value;
  });
  return FULLER[path] ?? filled;
}

export const examplePages: readonly PageExample[] = pages.map(({ path, access }) => ({
  path,
  url: exampleOf(path),
  needsLogin: access === 'user',
}));
