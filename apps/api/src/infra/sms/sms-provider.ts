/** The one port every way of sending a text message implements. */
import type { Language } from '../../messages/messages.ts';

/** What a code is for; a code for one purpose is worth nothing for another. */
export type SmsPurpose = 'login' | 'register' | 'bind';

export interface SmsMessage {
  /** Eleven digits, without +86. */
  readonly mobile: string;
  readonly code: string;
  readonly purpose: SmsPurpose;
  readonly language: Language;
}

/** Delivers a message or throws; a throw gives the number its budget back. */
export interface SmsProvider {
  readonly name: string;
  send(message: SmsMessage): Promise<void>;
}

/** The SMS_… variables by their names without the prefix. */
export interface SmsSettings {
  /** @param minimalLength characters a secret must have */
  required(name: string, minimalLength?: number): string;
  optional(name: string, fallback: string): string;
}

/** `138****0000`: enough to recognise one's own number, too little to call it. */
export const maskMobile = (mobile: string): string => `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;

// One POST to a telephone company. Its error texts may quote the message, so only the status goes into ours.

const TIMEOUT_MILLISECONDS = 8_000;

export async function postForJson(
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
