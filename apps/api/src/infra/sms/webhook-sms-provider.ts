/**
 * Hands messages to a gateway of the operator's: a POST of JSON with the finished text, signed like
 * `X-Unitcell-Signature: t=<seconds>,v1=<HMAC-SHA256 of "<t>.<body>" in hex>`. Any 2xx means delivered.
 */
import { createHmac } from 'node:crypto';
import { type Language, translator } from '../../messages/messages.ts';
import { postForJson } from './post-for-json.ts';
import type { SmsProvider, SmsSettings } from './sms-provider.ts';

const MINIMAL_SECRET_LENGTH = 32;
const CODE_MINUTES = 5;

export const webhookSignature = (secret: string, timestamp: number, body: string): string =>
  `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

const textOf = (language: Language, code: string): string =>
  translator(language)('sms.text', { code, minutes: CODE_MINUTES });

export function webhookSmsProvider(settings: SmsSettings): SmsProvider {
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
