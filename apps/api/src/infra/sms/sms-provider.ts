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
