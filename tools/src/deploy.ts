/** `node apps/api/dist/deploy.js [--force]`: the migrations as a separate program, for containers. */
import { main } from './commands/deploy.ts';

await main(process.argv.slice(2));
