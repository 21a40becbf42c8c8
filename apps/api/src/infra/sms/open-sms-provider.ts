/** The SMS_… variables, asked for by name; what is missing is reported all at once at boot. */
import { createHmac } from 'node:crypto';
import { ConfigError } from '../../config/config-error.ts';
import type { SmsConfig } from '../../config/config.ts';
import { type Language, translator } from '../../messages/messages.ts';
import { aliyunSmsProvider } from './aliyun-sms-provider.ts';
import { maskMobile, postForJson, type SmsProvider, type SmsSettings } from './sms-provider.ts';
import { tencentSmsProvider } from './tencent-sms-provider.ts';

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

// Hands messages to a gateway of the operator's: a POST of JSON with the finished text, signed like
// `X-Unitcell-Signature: t=<seconds>,v1=<HMAC-SHA256 of "<t>.<body>" in hex>`. Any 2xx means delivered.

const MINIMAL_SECRET_LENGTH = 32;
const CODE_MINUTES = 5;

const webhookSignature = (secret: string, timestamp: number, body: string): string =>
  `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

const textOf = (language: Language, code: string): string =>
  translator(language)('sms.text', { code, minutes: CODE_MINUTES });

function webhookSmsProvider(settings: SmsSettings): SmsProvider {
  const url = new URL(settings.required('webhook_url'));
  const secret = settings.required('webhook_secret', MINIMAL_SECRET_LENGTH);
  return {
    name: 'webhook',
    async send({ mobile, code, purpose, language }) {
      const body = JSON.stringify({ mobile, code, purpose, language, text: textOf(language, code) });
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        'Content-Type': 'application/json',
        'X-Unitcell-Signature': webhookSignature(secret, timestamp, body),
      };
      await postForJson(url, { headers, body });
    },
  };
}

// Prints codes instead of sending them: the default of a fresh install, which has no telephone company.

const consoleSmsProvider = (print: (line: string) => void): SmsProvider => ({
  name: 'console',
  async send({ mobile, code, purpose }) {
    print(`SMS code for ${maskMobile(mobile)} (${purpose}): ${code}`);
  },
});
