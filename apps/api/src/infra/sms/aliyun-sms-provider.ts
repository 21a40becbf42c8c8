/** Alibaba Cloud SMS (Dysmsapi 2017-05-25, SendSms). The template takes one variable, `code`. */
import { randomUUID } from 'node:crypto';
import { canonicalQuery, signAcs3 } from './acs3-signature.ts';
import { postForJson } from './post-for-json.ts';
import type { SmsProvider, SmsSettings } from './sms-provider.ts';

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
