import type { Language } from '../i18n/i18n.ts';

/** Pages of the user guide (docs/guide) that the tools link to. */
export type GuidePlace =
  | 'search'
  | 'screening'
  | 'material'
  | 'material#phonons'
  | 'material#topology'
  | 'phase-diagram'
  | 'phase-diagram#chemical-potentials'
  | 'windows'
  | 'electrodes'
  | 'interface'
  | 'coatings'
  | 'reaction'
  | 'reaction#ellingham'
  | 'pourbaix'
  | 'stability'
  | 'xrd'
  | 'tight-binding'
  | 'predict'
  | 'design'
  | 'run4u';

/**
 * Address of a page of the documentation site, which is not part of this client.
 * @param page such as `methods/xrd-matching` or `guide/material#topology`
 */
export function documentationAddress(language: Language, page = ''): string {
  const folder = `/docs/${language === 'zh' ? 'zh/' : ''}`;
  if (page === '') return folder;
  const [path, ...anchor] = page.split('#');
  return [`${folder}${path}.html`, ...anchor].join('#');
}
