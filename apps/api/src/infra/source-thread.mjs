/** Runs TypeScript thread files where there is no build: tests and `pnpm dev`. */
import { register } from 'tsx/esm/api';

register();

export const { runTask } = await import('./run-task.thread.ts');
