import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../config/config-error.ts';
import type { SmsProviderName } from '../config/config.ts';
import { openSmsProvider, signAcs3, signTc3, type SmsMessage } from './sms.ts';

interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let origin: string;
let received: Received[] = [];
let reply: { status: number; body: string; location?: string } = { status: 200, body: '{}' };

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({
        method: request.method ?? '',
        url: new URL(request.url ?? '/', origin),
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      });
      if (reply.location) response.setHeader('Location', reply.location);
      response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(reply.body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));
beforeEach(() => {
  received = [];
});

const message: SmsMessage = { mobile: '13800000000', code: '042137', purpose: 'login', language: 'en' };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const open = (provider: SmsProviderName, settings: Record<string, string>) =>
  openSmsProvider({ provider, settings });

const cloud = () => ({
  endpoint: origin,
  access_key_id: 'key-id',
  access_key_secret: 'key-secret',
  sign_name: '晶格 Lab',
  template_zh: 'SMS_1',
  template_en: 'SMS_2',
  app_id: '1400006666',
});

describe('signature of Alibaba Cloud', () => {
  it('equals the signature of the documented example', () => {
    const headers = signAcs3({
      host: 'ecs.cn-shanghai.aliyuncs.com',
      action: 'RunInstances',
      version: '2014-05-26',
      query: {
        RegionId: 'cn-shanghai',
        ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd',
      },
      accessKeyId: 'YourAccessKeyId',
      accessKeySecret: 'YourAccessKeySecret',
      date: '2023-10-26T10:22:32Z',
      nonce: '3156853299f313e23d1673dc12e1703d',
    });
    expect(headers.Authorization).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    );
  });
});

describe('signature of Tencent Cloud', () => {
  it('equals the signature of the documented example', () => {
    const authorization = signTc3({
      host: 'cvm.tencentcloudapi.com',
      service: 'cvm',
      body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
      secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
      secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
      timestamp: 1_551_113_065,
    });
    expect(authorization).toMatch(/72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168$/);
  });
});

describe('aliyun', () => {
  it('sends the signed template of the language', async () => {
    reply = { status: 200, body: '{"Code":"OK","Message":"OK"}' };
    await open('aliyun', cloud()).send(message);
    const [{ url, headers, method }] = received as [Received];
    expect(Object.fromEntries(url.searchParams)).toEqual({
      PhoneNumbers: '13800000000',
      SignName: '晶格 Lab',
      TemplateCode: 'SMS_2',
      TemplateParam: '{"code":"042137"}',
    });
    expect(headers['x-acs-action']).toBe('SendSms');
    // Computes the signature again from the received request.
    const [, signedHeaders, signature] = /SignedHeaders=([^,]+),Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    )!;
    const lines = signedHeaders!.split(';').map((name) => `${name}:${String(headers[name])}\n`);
    const canonical = `${method}\n/\n${url.search.slice(1)}\n${lines.join('')}\n${signedHeaders}\n${sha256('')}`;
    expect(signature).toBe(hmac('key-secret', `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex'));
    expect(signedHeaders).toContain('host;');
    expect(Math.abs(Date.now() - Date.parse(String(headers['x-acs-date'])))).toBeLessThan(60_000);
  });

  it('fails when the provider refuses', async () => {
    reply = { status: 200, body: '{"Code":"isv.BUSINESS_LIMIT_CONTROL","Message":"no"}' };
    await expect(open('aliyun', cloud()).send(message)).rejects.toThrow('isv.BUSINESS_LIMIT_CONTROL');
  });
});

describe('tencent', () => {
  it('sends the signed template of the language', async () => {
    reply = { status: 200, body: '{"Response":{"SendStatusSet":[{"Code":"Ok"}]}}' };
    await open('tencent', cloud()).send({ ...message, language: 'zh' });
    const [{ headers, body }] = received as [Received];
    expect(JSON.parse(body)).toEqual({
      PhoneNumberSet: ['+8613800000000'],
      SmsSdkAppId: '1400006666',
      SignName: '晶格 Lab',
      TemplateId: 'SMS_1',
      TemplateParamSet: ['042137', '5'],
    });
    const timestamp = Number(headers['x-tc-timestamp']);
    const date = new Date(timestamp * 1000).toISOString().slice(0, 10);
    const canonical = [
      'POST\n/\n',
      `content-type:${headers['content-type']}\nhost:${headers.host}\n`,
      'content-type;host',
      sha256(body),
    ].join('\n');
    const key = hmac(hmac(hmac('TC3key-secret', date), 'sms'), 'tc3_request');
    const text = `TC3-HMAC-SHA256\n${timestamp}\n${date}/sms/tc3_request\n${sha256(canonical)}`;
    expect(headers.authorization).toContain(`Signature=${hmac(key, text).toString('hex')}`);
  });

  it.each([
    ['{"Response":{"SendStatusSet":[{"Code":"LimitExceeded.PhoneNumberDailyLimit"}]}}', 'LimitExceeded'],
    ['{"Response":{"Error":{"Code":"AuthFailure.SignatureFailure"}}}', 'AuthFailure'],
  ])('fails when the provider answers %s', async (body, code) => {
    reply = { status: 200, body };
    await expect(open('tencent', cloud()).send(message)).rejects.toThrow(code);
  });
});

describe('webhook', () => {
  const secret = 'a-secret-of-the-webhook-that-is-long-enough';
  const settings = () => ({ webhook_url: `${origin}/sms`, webhook_secret: secret });

  it('posts the finished text, signed over time and body', async () => {
    reply = { status: 204, body: '' };
    await open('webhook', settings()).send(message);
    const [{ headers, body, url }] = received as [Received];
    expect(url.pathname).toBe('/sms');
    const [, timestamp, signature] = /^t=(\d+),v1=(\w{64})$/.exec(String(headers['x-unitcell-signature']))!;
    expect(signature).toBe(hmac(secret, `${timestamp}.${body}`).toString('hex'));
    const sent = JSON.parse(body) as { text: string };
    expect(sent).toMatchObject({ mobile: '13800000000', code: '042137', purpose: 'login', language: 'en' });
    expect(sent.text).toContain('042137');
  });

  it('fails for any status except 2xx, without quoting the answer', async () => {
    reply = { status: 500, body: '{"echo":"042137"}' };
    await expect(open('webhook', settings()).send(message)).rejects.toThrow(
      /^127\.0\.0\.1:\d+ answered 500$/,
    );
  });
});

describe('a provider that redirects to another address', () => {
  it.each(['webhook', 'aliyun', 'tencent'] as const)('%s: is not followed', async (provider) => {
    reply = { status: 307, body: '{}', location: `${origin}/elsewhere` };
    const settings = {
      ...cloud(),
      webhook_url: `${origin}/sms`,
      webhook_secret: 'a-secret-of-the-webhook-of-32-bytes',
    };
    await expect(open(provider, settings).send(message)).rejects.toThrow(/fetch failed/);
    expect(received).toHaveLength(1);
    expect(received[0]!.url.pathname).not.toBe('/elsewhere');
  });
});

describe('openSmsProvider', () => {
  it('reports all missing settings at once', () => {
    const missing = () => open('tencent', { sign_name: 'x' });
    expect(missing).toThrow(ConfigError);
    for (const name of ['ACCESS_KEY_ID', 'ACCESS_KEY_SECRET', 'APP_ID', 'TEMPLATE_ZH', 'TEMPLATE_EN'])
      expect(missing).toThrow(`SMS_${name} is not set`);
  });

  it('refuses a short webhook secret and an invalid address', () => {
    expect(() => open('webhook', { webhook_url: 'nowhere', webhook_secret: 'short' })).toThrow(
      /SMS_WEBHOOK_URL is "nowhere"[\s\S]*SMS_WEBHOOK_SECRET has 5 characters/,
    );
  });
});
