/** Worker thread: uploaded structures, and what resembles them. */

export { findExisting, rmsBetween } from './find-existing.ts';
export { checkStructure, readUpload } from './read-upload.ts';
export { showCell } from './read-upload.ts';
