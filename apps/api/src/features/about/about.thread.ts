/** Worker thread: Markdown documents as HTML. */
export { renderPage } from './content-schema.ts';
