/** `unitcell token --mobile 13800000000`: a login token of that account, made when absent, and nothing else. */
import { MOBILE_PATTERN, normaliseMobile } from '@unitcell/contract';
import type { Command } from 'commander';
import { deriveKey } from '../config/config.ts';
import { accountRepository } from '../features/account/account.repository.ts';
import { writeAudit } from '../features/account/audit-log.ts';
import { sessions } from '../features/account/sessions.service.ts';
import { CommandFailed, withContext } from './cli-context.ts';

export function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description('print a login token of an account; the account is made when absent')
    .requiredOption('--mobile <number>', 'mainland mobile number, e.g. 13800000000')
    .action(({ mobile: typed }: { mobile: string }) =>
      withContext(async ({ config, database, print }) => {
        const mobile = normaliseMobile(typed);
        if (!MOBILE_PATTERN.test(mobile))
          throw new CommandFailed(
            `${typed} is not a mainland mobile number: expected eleven digits, e.g. 13800000000`,
          );
        const { id } = await accountRepository(database).createForMobile(mobile);
        const tokens = sessions({
          database,
          databaseUrl: config.databaseUrl,
          signingKey: deriveKey(config, 'session'),
          onError: () => undefined,
        });
        const token = await tokens.open({
          accountId: id,
          userAgent: 'unitcell token',
          address: '',
          hasSecondFactor: true,
        });
        await writeAudit(database.db, { accountId: id, event: 'login', address: 'command line' });
        print(token);
      }),
    );
}
