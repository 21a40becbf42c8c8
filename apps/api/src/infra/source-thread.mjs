/** Runs TypeScript thread files without a build: tests and `pnpm dev`. */
import { register } from 'tsx/esm/api';

register();

export const { runTask } = await import('./run-task.thread.ts');
