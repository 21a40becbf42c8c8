/** What the palette offers for a text: the searches it may mean, and the pages whose names hold it. */
import { parseFormula } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import type { SearchType } from '../../../components/search-form/search-input.ts';
import type { SitePage } from '../../pages.ts';

export interface MaterialQuery {
  readonly type: Extract<SearchType, 'formula' | 'struct_id'>;
  readonly query: string;
}

const NUMBER = /^#?(\d{1,10})$/;

/** The material a text names: a number, or a formula of however many elements; null for other texts. */
export function materialQuery(text: string): MaterialQuery | null {
  const [, id] = NUMBER.exec(text) ?? [];
  if (id !== undefined) return { type: 'struct_id', query: id };
  if (!/^[A-Z([{]/.test(text) || /[\s-]/.test(text)) return null;
  try {
    parseFormula(text);
    return { type: 'formula', query: text };
  } catch {
    return null;
  }
}

/** `Ti-O`, `Ti O`, `ti o`: the elements a text lists, two or more; else none. */
export function elementList(text: string): readonly string[] {
  const symbols = text
    .split(/[\s,，、–-]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase());
  return symbols.length >= 2 && symbols.every(isElementSymbol) ? [...new Set(symbols)] : [];
}

/** Pages that can be opened by their address alone, by their names and hints in either language. */
export function pagesNamed(pages: readonly SitePage[], text: string): readonly SitePage[] {
  const sought = text.toLowerCase();
  const seen = new Set<string>();
  return pages.filter(({ path, title, hint }) => {
    if (/[:*]/.test(path) || seen.has(title.en)) return false;
    const names = [title.en, title.zh, hint?.en ?? '', hint?.zh ?? ''].join('\n').toLowerCase();
    if (!names.includes(sought)) return false;
    seen.add(title.en);
    return true;
  });
}
