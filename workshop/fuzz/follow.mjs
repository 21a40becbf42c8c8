/** Starts the thread that processes inputs: Node cannot load TypeScript in a thread by itself. */
import { tsImport } from 'tsx/esm/api';

await tsImport('./follow.ts', import.meta.url);
