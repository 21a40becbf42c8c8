/** Tencent Cloud SMS (2021-01-11, SendSms). The template takes two variables: the code and its minutes. */
import { postForJson } from './post-for-json.ts';
import type { SmsProvider, SmsSettings } from './sms-provider.ts';
import { signTc3, TC3_CONTENT_TYPE } from './tc3-signature.ts';

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
