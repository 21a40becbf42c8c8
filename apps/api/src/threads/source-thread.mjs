/** Runs a TypeScript thread file where there is no build: tests and `pnpm dev`. */
import { workerData } from 'piscina';
import { tsImport } from 'tsx/esm/api';

const { file } = workerData;
const module = await tsImport(file, import.meta.url);

export const call = ({ name, argument }) => module[name](argument);
