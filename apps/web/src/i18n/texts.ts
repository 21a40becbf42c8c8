/**
 * Texts of one feature, each as `[English, Chinese]`, checked by the compiler: a missing language, a key that does not
 * exist and a forgotten value of a `{{placeholder}}` are type errors. The texts of a feature are loaded with its chunk.
 *
 * @example
 *   export const texts = defineTexts('phase', { found: ['{{n}} phases', '{{n}} 个相'] });
 *   const { t } = useTexts(texts);
 *   t('found', { n: 3 });
 */
import { i18next, type Language, useLanguage } from './i18n.ts';

/** Plural forms are written `key_one` / `key_other`, chosen by the value `count`; Chinese has no `key_one`, so it is English only. */
type BaseKey<K> = K extends `${infer Base}_one` | `${infer Base}_other` ? Base : K;

type Entry = string | readonly [en: string, zh: string];
type Proper<K> = K extends `${string}_one` ? string : readonly [en: string, zh: string];
/** The keys whose texts lack a language, or have one too many. */
type Unfinished<Entries> = {
  [K in keyof Entries]: Entries[K] extends Proper<K> ? never : K;
}[keyof Entries];
type English<Entries> = {
  readonly [K in keyof Entries]: Entries[K] extends readonly [infer En, string] ? En : Entries[K];
};

type Placeholders<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type TextOf<En, K> = En[Extract<keyof En, K | `${K & string}_other`>];

type Values<En, K> = [Placeholders<TextOf<En, K>>] extends [never]
  ? []
  : [
      values: { readonly [Name in Placeholders<TextOf<En, K>>]: string | number } & {
        readonly count?: number;
      },
    ];

export type TextKey<En> = BaseKey<keyof En> & string;
export type Translate<En> = <K extends TextKey<En>>(key: K, ...values: Values<En, K>) => string;

export interface Texts<En> {
  readonly namespace: string;
  readonly en: En;
}

export function defineTexts<const Entries extends Readonly<Record<string, Entry>>>(
  namespace: string,
  // A comparison of all entries with their types would take the compiler ten times as long.
  entries: Entries & { readonly [K in Unfinished<Entries>]: Proper<K> },
): Texts<English<Entries>> {
  const en: Record<string, string> = {};
  const zh: Record<string, string> = {};
  for (const [key, text] of Object.entries<Entry>(entries))
    if (typeof text === 'string') en[key] = text;
    else [en[key], zh[key]] = text;
  // No copy and no events, because texts never change and nothing listens to them.
  const options = { silent: true, skipCopy: true };
  i18next.addResourceBundle('en', namespace, en, false, true, options);
  i18next.addResourceBundle('zh', namespace, zh, false, true, options);
  return { namespace, en: en as English<Entries> };
}

const translators = new Map<string, Translate<never>>();

/**
 * One cached function per language and namespace, so that its identity is stable. A text without placeholders skips
 * interpolation, because a page shows hundreds of them.
 */
function translatorOf(language: Language, namespace: string): Translate<never> {
  const key = `${language} ${namespace}`;
  const made = translators.get(key);
  if (made) return made;
  const texts: Readonly<Record<string, string>> | undefined = i18next.getResourceBundle(language, namespace);
  const fill = i18next.getFixedT(language, namespace);
  const translator = (name: string, values?: Record<string, string | number>): string =>
    values === undefined ? (texts?.[name] ?? fill(name)) : fill(name, values);
  translators.set(key, translator);
  return translator;
}

/**
 * The texts in the current language; the component re-renders when the language changes. Pages call this hundreds of times: it
 * costs one map lookup.
 */
export function useTexts<En>(texts: Texts<En>): { t: Translate<En>; language: Language } {
  const language = useLanguage();
  return { t: translatorOf(language, texts.namespace) as unknown as Translate<En>, language };
}

/** The function `t` for use outside of components, such as file names and titles. */
export const translate = <En>(texts: Texts<En>): Translate<En> =>
  i18next.getFixedT(null, texts.namespace) as unknown as Translate<En>;

/** Sentences one after the other; Chinese ones have no space between them. */
export const joined = (...sentences: readonly (string | false | null)[]): string =>
  sentences.filter(Boolean).join(' ').replaceAll('。 ', '。');
