/**
 * A message in both languages, so that no translation can be forgotten. `{{name}}` is replaced by the
 * parameter.
 */
export type MessageTable = Readonly<Record<string, { readonly en: string; readonly zh: string }>>;
