/** Tencent Cloud SMS (2021-01-11, SendSms). The template takes two variables: the code and its minutes. */
import { createHash, createHmac } from 'node:crypto';
import { postForJson, type SmsProvider, type SmsSettings } from './sms-provider.ts';

const ENDPOINT = 'https://sms.tencentcloudapi.com';
const ACTION = 'SendSms';
const CODE_MINUTES = '5';

interface TencentAnswer {
  readonly Error?: { readonly Code?: string };
  readonly SendStatusSet?: readonly { readonly Code?: string }[];
}

export function tencentSmsProvider(settings: SmsSettings): SmsProvider {
  const endpoint = new URL(settings.optional('endpoint', ENDPOINT));
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
        TemplateParamSet: [code, CODE_MINUTES],
      });
      const timestamp = Math.floor(Date.now() / 1000);
      const signed = { host: endpoint.host, service: 'sms', body, secretId, secretKey };
      const headers = {
        Authorization: signTc3({ ...signed, timestamp }),
        'Content-Type': TC3_CONTENT_TYPE,
        'X-TC-Action': ACTION,
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

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
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
