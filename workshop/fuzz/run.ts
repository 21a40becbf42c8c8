/**
 * Damaged inputs for everything that reads them:
 *
 *   npm run fuzz -- parsers --seed 1 --count 1000 --limit-ms 4000     all that is read, `count` inputs per target
 *   npm run fuzz -- files   --seed 1 --count 1000 --limit-ms 4000     what comes as a file
 *   npm run fuzz -- http    --seed 1 --count 1000 --limit-ms 5000 --site http://127.0.0.1:3400 --token TOKEN
 *
 * `--only cif,poscar` picks targets, `--only 'design|keys'` paths of calls; `--metrics-token` tells the memory of the api meanwhile. Ends with a table; inputs that broke something lie in a folder of the system's
 * temporary directory, and the exit status is 1.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzHttp } from './fuzz-http.ts';
import { keepFindings, tableOf } from './report.ts';
import { runTarget, type TargetReport } from './run-target.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    'limit-ms': { type: 'string', default: '4000' },
    only: { type: 'string' },
    site: { type: 'string' },
    token: { type: 'string' },
    'metrics-token': { type: 'string' },
  },
});

function wholeNumber(name: 'seed' | 'count' | 'limit-ms'): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(`--${name} ${values[name]}: expected a whole number`);
}

async function main(): Promise<number> {
  const [mode] = positionals;
  const [seed, count, limitMs] = [wholeNumber('seed'), wholeNumber('count'), wholeNumber('limit-ms')];
  const folder = join(tmpdir(), 'unitcell-fuzz');
  if (mode === 'http') {
    if (values.site === undefined || values.token === undefined)
      throw new Error('http needs --site (a loopback address) and --token');
    const { table, failures, memoryMib } = await fuzzHttp({
      site: values.site,
      token: values.token,
      seed,
      count,
      limitMs,
      ...(values.only === undefined ? {} : { only: new RegExp(values.only) }),
      ...(values['metrics-token'] === undefined ? {} : { metricsToken: values['metrics-token'] }),
    });
    console.log([table, ...failures].join('\n'));
    if (memoryMib.length > 0) console.log(`MiB of the api, at each tenth: ${memoryMib.join(', ')}`);
    return failures.length > 0 ? 1 : 0;
  }
  if (mode !== 'parsers' && mode !== 'files') throw new Error('what? npm run fuzz -- parsers | files | http');
  const { FILE_TARGETS, PARSER_TARGETS } = await import('./targets.ts');
  const all = mode === 'files' ? FILE_TARGETS : PARSER_TARGETS;
  const targets = values.only?.split(',') ?? all;
  const reports: TargetReport[] = [];
  for (const target of targets) {
    const report = await runTarget({ target, seed, count, limitMs });
    reports.push(report);
    console.error(`${target}: ${report.inputs} inputs, ${report.findings.length} findings`);
  }
  console.log([tableOf(reports), ...keepFindings(reports, seed, folder)].join('\n'));
  return reports.some(({ findings }) => findings.length > 0) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
