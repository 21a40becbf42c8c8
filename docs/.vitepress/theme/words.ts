/** Chinese is written without spaces: each character is a word of the search index. */
const WORD = /\p{Script=Han}|[^\s\p{P}\p{Script=Han}]+/gu;

/** Options of the search index, used when the index is built and when it is queried. */
export const searchWords = { options: { tokenize: (text: string): string[] => text.match(WORD) ?? [] } };
