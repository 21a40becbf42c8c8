/** Tencent Cloud's request signature, version 3 (TC3-HMAC-SHA256): cloud.tencent.com/document/api, "Signature v3". */
import { createHash, createHmac } from 'node:crypto';

export interface Tc3Request {
  readonly host: string;
  readonly service: string;
  /** The JSON body exactly as sent. */
  readonly body: string;
  readonly secretId: string;
  readonly secretKey: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

export const TC3_CONTENT_TYPE = 'application/json; charset=utf-8';
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
