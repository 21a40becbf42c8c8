/** The operator's tool: `npm run -s unitcell -- <command>`. Exit status 0 only if everything was done. */
import { failureText, unitcellProgram } from './cli/program.ts';

/**
 * The program that reads the output may stop early (`| head`). The command then finishes its work without an
 * error.
 */
const isClosedPipe = (error: unknown): boolean => (error as { code?: string }).code === 'EPIPE';
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (!isClosedPipe(error)) throw error;
  });

try {
  await (await unitcellProgram(process.argv[2])).parseAsync();
} catch (error) {
  if (!isClosedPipe(error)) {
    process.stderr.write(`${failureText(error)}\n`);
    process.exitCode = 1;
  }
}
