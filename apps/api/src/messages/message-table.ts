/** One message in both languages, so that none can be forgotten. `{{name}}` is filled from the parameters. */
export type MessageTable = Readonly<Record<string, { readonly en: string; readonly zh: string }>>;
