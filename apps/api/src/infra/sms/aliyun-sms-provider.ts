/** Alibaba Cloud SMS (Dysmsapi 2017-05-25, SendSms). The template takes one variable, `code`. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { postForJson, type SmsProvider, type SmsSettings } from './sms-provider.ts';

const ENDPOINT = 'https://dysmsapi.aliyuncs.com';

export function aliyunSmsProvider(settings: SmsSettings): SmsProvider {
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
// signature". Parameters travel in the query; the body is empty.

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

/** RFC 3986: what encodeURIComponent leaves alone beside letters, digits and `-_.~` is encoded too. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The query string in the order that is signed. */
const canonicalQuery = (query: Readonly<Record<string, string>>): string =>
  Object.keys(query)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `${encode(name)}=${encode(query[name] ?? '')}`)
    .join('&');

/** The headers of a signed POST to `/`, `Authorization` among them. */
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
