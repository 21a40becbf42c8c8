/** The SMS_… variables, asked for by name; what is missing is reported all at once at boot. */
import type { SmsConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { aliyunSmsProvider } from './aliyun-sms-provider.ts';
import { consoleSmsProvider } from './console-sms-provider.ts';
import type { SmsProvider, SmsSettings } from './sms-provider.ts';
import { tencentSmsProvider } from './tencent-sms-provider.ts';
import { webhookSmsProvider } from './webhook-sms-provider.ts';

/**
 * The provider the configuration names.
 * @throws ConfigError with one sentence per setting that is missing
 */
export function openSmsProvider({ provider, settings }: SmsConfig): SmsProvider {
  const problems: string[] = [];
  const isUrl = (name: string): boolean => name === 'endpoint' || name.endsWith('_url');
  const check = (name: string, value: string): string => {
    if (isUrl(name) && !URL.canParse(value))
      problems.push(`SMS_${name.toUpperCase()} is "${value}": expected an address`);
    // Anything that parses, so that every problem is found before the first is reported.
    return isUrl(name) && !URL.canParse(value) ? 'http://invalid' : value;
  };
  const reader: SmsSettings = {
    required(name, minimalLength = 1) {
      const value = settings[name]?.trim() ?? '';
      if (value === '')
        problems.push(`SMS_${name.toUpperCase()} is not set, but SMS_PROVIDER=${provider} needs it`);
      else if (value.length < minimalLength)
        problems.push(
          `SMS_${name.toUpperCase()} has ${value.length} characters: expected at least ${minimalLength}`,
        );
      return check(name, value);
    },
    optional: (name, fallback) => check(name, settings[name]?.trim() || fallback),
  };
  const opened = {
    console: () => consoleSmsProvider((line) => void process.stdout.write(`${line}\n`)),
    aliyun: () => aliyunSmsProvider(reader),
    tencent: () => tencentSmsProvider(reader),
    webhook: () => webhookSmsProvider(reader),
    none: () => ({
      name: 'none',
      send: () => Promise.reject(new Error('SMS_PROVIDER=none sends no text messages')),
    }),
  }[provider]();
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return opened;
}
