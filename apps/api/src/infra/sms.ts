/** SMS providers. Missing SMS_… variables are all reported together at start-up. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { ConfigError } from '../config/config-error.ts';
import type { SmsConfig } from '../config/config.ts';
import { type Language, translator } from '../messages/messages.ts';

// The interface of all SMS providers.

/** Purpose of a code; a code is only valid for its purpose. */
export type SmsPurpose = 'login' | 'register' | 'bind';

export interface SmsMessage {
  /** Eleven digits, without +86. */
  readonly mobile: string;
  readonly code: string;
  readonly purpose: SmsPurpose;
  readonly language: Language;
}

/** Delivers a message or throws; if it throws, the message is refunded to the number's budget. */
export interface SmsProvider {
  readonly name: string;
  send(message: SmsMessage): Promise<void>;
}

/** Reads the SMS_… variables, named without the prefix. */
interface SmsSettings {
  /** @param minimalLength least number of characters of a secret */
  required(name: string, minimalLength?: number): string;
  optional(name: string, fallback: string): string;
}

/** Masks a number as `138****0000`: its owner can recognise it, but nobody can call it. */
export const maskMobile = (mobile: string): string => `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;

// A POST to an SMS provider. The provider's error texts may quote the message, so our error has only the status.

const TIMEOUT_MILLISECONDS = 8_000;

async function postForJson(
  url: URL,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<Record<string, unknown>> {
  const { host: _host, ...sent } = headers;
  const response = await fetch(url, {
    method: 'POST',
    headers: sent,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url.host} answered ${response.status}`);
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Tencent Cloud SMS (2021-01-11, SendSms). The template has two variables: the code and its validity in
 * minutes.
 */
const TENCENT_ENDPOINT = 'https://sms.tencentcloudapi.com';
const TENCENT_ACTION = 'SendSms';
const TENCENT_CODE_MINUTES = '5';

interface TencentAnswer {
  readonly Error?: { readonly Code?: string };
  readonly SendStatusSet?: readonly { readonly Code?: string }[];
}

function tencentSmsProvider(settings: SmsSettings): SmsProvider {
  const endpoint = new URL(settings.optional('endpoint', TENCENT_ENDPOINT));
  const secretId = settings.required('access_key_id');
  const secretKey = settings.required('access_key_secret');
  const appId = settings.required('app_id');
  const signName = settings.required('sign_name');
  const region = settings.optional('region', 'ap-guangzhou');
  const templates = { zh: settings.required('template_zh'), en: settings.required('template_en') };
  return {
    name: 'tencent',
    async send({ mobile, code, language }) {
      const body = JSON.stringify({
        PhoneNumberSet: [`+86${mobile}`],
        SmsSdkAppId: appId,
        SignName: signName,
        TemplateId: templates[language],
        TemplateParamSet: [code, TENCENT_CODE_MINUTES],
      });
      const timestamp = Math.floor(Date.now() / 1000);
      const signed = { host: endpoint.host, service: 'sms', body, secretId, secretKey };
      const headers = {
        Authorization: signTc3({ ...signed, timestamp }),
        'Content-Type': TC3_CONTENT_TYPE,
        'X-TC-Action': TENCENT_ACTION,
        'X-TC-Version': '2021-01-11',
        'X-TC-Timestamp': String(timestamp),
        'X-TC-Region': region,
      };
      const answer = (await postForJson(endpoint, { headers, body })).Response as TencentAnswer | undefined;
      const status = answer?.SendStatusSet?.[0]?.Code;
      if (status !== 'Ok') throw new Error(`tencent refused the message: ${status ?? answer?.Error?.Code}`);
    },
  };
}

// Tencent Cloud's request signature, version 3 (TC3-HMAC-SHA256): cloud.tencent.com/document/api, "Signature v3".

interface Tc3Request {
  readonly host: string;
  readonly service: string;
  /** The JSON body exactly as sent. */
  readonly body: string;
  readonly secretId: string;
  readonly secretKey: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

const TC3_CONTENT_TYPE = 'application/json; charset=utf-8';
const SIGNED_HEADERS = 'content-type;host';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The `Authorization` header of a POST to `/`. */
export function signTc3(request: Tc3Request): string {
  const date = new Date(request.timestamp * 1000).toISOString().slice(0, 10);
  const scope = `${date}/${request.service}/tc3_request`;
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${TC3_CONTENT_TYPE}\nhost:${request.host}\n`,
    SIGNED_HEADERS,
    sha256(request.body),
  ].join('\n');
  const text = ['TC3-HMAC-SHA256', request.timestamp, scope, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(`TC3${request.secretKey}`, date), request.service), 'tc3_request');
  const signature = hmac(key, text).toString('hex');
  return `TC3-HMAC-SHA256 Credential=${request.secretId}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`;
}

/** Alibaba Cloud SMS (Dysmsapi 2017-05-25, SendSms). The template has one variable, `code`. */
const ENDPOINT = 'https://dysmsapi.aliyuncs.com';

function aliyunSmsProvider(settings: SmsSettings): SmsProvider {
  const endpoint = new URL(settings.optional('endpoint', ENDPOINT));
  const accessKeyId = settings.required('access_key_id');
  const accessKeySecret = settings.required('access_key_secret');
  const signName = settings.required('sign_name');
  const templates = { zh: settings.required('template_zh'), en: settings.required('template_en') };
  return {
    name: 'aliyun',
    async send({ mobile, code, language }) {
      const query = {
        PhoneNumbers: mobile,
        SignName: signName,
        TemplateCode: templates[language],
        TemplateParam: JSON.stringify({ code }),
      };
      const headers = signAcs3({
        host: endpoint.host,
        action: 'SendSms',
        version: '2017-05-25',
        query,
        accessKeyId,
        accessKeySecret,
        date: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
        nonce: randomUUID(),
      });
      const url = new URL(endpoint);
      url.search = canonicalQuery(query);
      const answer = await postForJson(url, { headers, body: '' });
      if (answer.Code !== 'OK') throw new Error(`aliyun refused the message: ${String(answer.Code)}`);
    },
  };
}

// Alibaba Cloud's request signature, version 3 (ACS3-HMAC-SHA256): help.aliyun.com, "V3 request structure and
// signature". Parameters are in the query; the body is empty.

interface Acs3Request {
  readonly host: string;
  readonly action: string;
  readonly version: string;
  readonly query: Readonly<Record<string, string>>;
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  /** ISO 8601 in UTC without milliseconds. */
  readonly date: string;
  readonly nonce: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Encodes by RFC 3986: also the characters that encodeURIComponent leaves, except letters, digits and `-_.~`.
 */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalQuery = (query: Readonly<Record<string, string>>): string =>
  Object.keys(query)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `${encode(name)}=${encode(query[name] ?? '')}`)
    .join('&');

/** The headers of a signed POST to `/`, including `Authorization`. */
export function signAcs3(request: Acs3Request): Record<string, string> {
  const bodyHash = sha256('');
  const headers: Record<string, string> = {
    host: request.host,
    'x-acs-action': request.action,
    'x-acs-content-sha256': bodyHash,
    'x-acs-date': request.date,
    'x-acs-signature-nonce': request.nonce,
    'x-acs-version': request.version,
  };
  const names = Object.keys(headers);
  const signedHeaders = names.join(';');
  const canonical = [
    'POST',
    '/',
    canonicalQuery(request.query),
    names.map((name) => `${name}:${headers[name]}\n`).join(''),
    signedHeaders,
    bodyHash,
  ].join('\n');
  const signature = createHmac('sha256', request.accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex');
  return {
    ...headers,
    Authorization: `ACS3-HMAC-SHA256 Credential=${request.accessKeyId},SignedHeaders=${signedHeaders},Signature=${signature}`,
  };
}

/**
 * Opens the configured provider.
 * @throws ConfigError with one sentence per missing setting
 */
export function openSmsProvider({ provider, settings }: SmsConfig): SmsProvider {
  const problems: string[] = [];
  const isUrl = (name: string): boolean => name === 'endpoint' || name.endsWith('_url');
  const check = (name: string, value: string): string => {
    if (isUrl(name) && !URL.canParse(value))
      problems.push(`SMS_${name.toUpperCase()} is "${value}": expected an address`);
    // The placeholder is valid, so that all problems are found before they are reported.
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

// Sends messages to the operator's gateway: a JSON POST with the finished text, signed as
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

// Prints codes instead of sending them: the default of a new installation, which has no SMS provider.

const consoleSmsProvider = (print: (line: string) => void): SmsProvider => ({
  name: 'console',
  async send({ mobile, code, purpose }) {
    print(`SMS code for ${maskMobile(mobile)} (${purpose}): ${code}`);
  },
});
