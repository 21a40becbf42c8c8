/** Accounts: who may sign in, and who is calling. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { deriveKey } from '../../config.ts';
import { registerAuth } from '../../plugins/auth.ts';
import type { Services } from '../../plugins/services.ts';
import { accountRepository } from './account.repository.ts';
import { accountRoutes } from './account.routes.ts';
import { avatars } from './avatars.service.ts';
import { login } from './login.service.ts';
import { profile } from './profile.service.ts';
import { profileRoutes } from './profile.routes.ts';
import { sessions } from './sessions.service.ts';
import { consoleSmsProvider } from './sms/console-sms-provider.ts';
import type { SmsProvider } from './sms/sms-provider.ts';
import { smsCodes } from './sms-codes.service.ts';

/** Registered before all other features: it makes tokens understood. */
export async function accountFeature(
  app: FastifyInstance,
  { config, log, database }: Services,
  smsProvider: SmsProvider = consoleSmsProvider((line) => void process.stdout.write(`${line}\n`)),
): Promise<void> {
  const tokens = sessions({
    database,
    databaseUrl: config.databaseUrl,
    signingKey: deriveKey(config, 'session'),
    onError: (error) => log.error({ err: error }, 'revocation listener lost'),
  });
  await tokens.start();
  app.addHook('onClose', () => tokens.close());
  registerAuth(app, (token) => tokens.verify(token));
  const accounts = accountRepository(database);
  const codes = smsCodes({
    database,
    provider: smsProvider,
    hashKey: deriveKey(config, 'sms-code'),
    onDeliveryFailure: (error) => log.error({ err: error }, 'text message not delivered'),
  });
  const pictures = avatars({
    directory: join(config.home, 'avatars'),
    sealKey: deriveKey(config, 'avatar'),
  });
  const ownProfile = profile({ database, accounts, avatars: pictures, codes, sessions: tokens });
  accountRoutes(app, { profile: ownProfile, login: login({ database, accounts, codes, sessions: tokens }) });
  profileRoutes(app, { profile: ownProfile, sessions: tokens, avatars: pictures });
}
