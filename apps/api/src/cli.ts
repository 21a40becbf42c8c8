/** The operator's tool: `npm run -s unitcell -- <command>`. Exit status 0 only if everything was done. */
import { failureText, unitcellProgram } from './cli/program.ts';

try {
  await unitcellProgram().parseAsync();
} catch (error) {
  process.stderr.write(`${failureText(error)}\n`);
  process.exitCode = 1;
}
