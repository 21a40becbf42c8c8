/** Server texts by language. */
import i18next, { type i18n } from 'i18next';
import { accountMessages, keyMessages, operateMessages, secondFactorMessages } from './groups/account.ts';
import { commonMessages } from './groups/common.ts';
import { crystalMessages, matdataMessages, readNotices } from './groups/matdata.ts';
import {
  designMessages,
  potentialMessages,
  potentialReasons,
  predictionMessages,
  tightBindingMessages,
} from './groups/prediction.ts';
import { run4uMessages } from './groups/run4u.ts';
import { collectionsMessages, screenMessages } from './groups/screen.ts';
import {
  coatingsMessages,
  ecwindowMessages,
  electrodeMessages,
  interfaceReactionMessages,
  phaseDiagramMessages,
  pourbaixMessages,
  stabilityMessages,
} from './groups/thermodynamics.ts';
import { xrdMessages } from './groups/xrd.ts';
import { xrdRefineMessages } from './groups/xrd-refine.ts';
import type { MessageTable } from './message-table.ts';

/** All messages; their keys are the codes of AppError. */
export const messages = {
  ...accountMessages,
  ...coatingsMessages,
  ...collectionsMessages,
  ...commonMessages,
  ...crystalMessages,
  ...designMessages,
  ...ecwindowMessages,
  ...electrodeMessages,
  ...interfaceReactionMessages,
  ...keyMessages,
  ...matdataMessages,
  ...operateMessages,
  ...phaseDiagramMessages,
  ...potentialMessages,
  ...potentialReasons,
  ...predictionMessages,
  ...readNotices,
  ...run4uMessages,
  ...screenMessages,
  ...secondFactorMessages,
  ...pourbaixMessages,
  ...stabilityMessages,
  ...tightBindingMessages,
  ...xrdMessages,
  ...xrdRefineMessages,
} as const;

export type MessageKey = keyof typeof messages;
/** Converts a contract's code to a message key. @throws Error when there is no such message */
export function messageKey(code: string): MessageKey {
  if (!isMessageKey(code))
    throw new Error(`the contract names "${code}", for which there is no message: add it to messages/groups`);
  return code;
}

export const isMessageKey = (code: string): code is MessageKey => code in messages;

export type Language = 'zh' | 'en';
/** A message inside another message, such as the reason of a refusal, in the language of the outer message. */
export interface NestedMessage {
  readonly key: MessageKey;
  readonly parameters?: MessageParameters;
}
export type MessageParameters = Readonly<Record<string, string | number | NestedMessage>>;
/** A note that is translated later into the reader's language. */
export type Note = readonly [key: MessageKey, parameters?: MessageParameters];
export type Translate = (key: MessageKey, parameters?: MessageParameters) => string;

const textsIn = (language: Language): Record<string, string> =>
  Object.fromEntries(
    Object.entries<MessageTable[string]>(messages).map(([key, texts]) => [key, texts[language]]),
  );

const instance: i18n = i18next.createInstance();
void instance.init({
  lng: 'zh',
  fallbackLng: 'en',
  resources: { en: { translation: textsIn('en') }, zh: { translation: textsIn('zh') } },
  // Keys contain dots, and the texts go into JSON, not into HTML.
  keySeparator: false,
  interpolation: { escapeValue: false },
  initAsync: false,
});

/** The first supported language of an Accept-Language header; Chinese if there is none. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  let best: { readonly tag: Language; readonly weight: number } = { tag: 'zh', weight: 0 };
  for (const entry of (acceptLanguage ?? '').slice(0, 200).split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const tag = range.slice(0, 2);
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality) || 0;
    if ((tag === 'zh' || tag === 'en') && weight > best.weight) best = { tag, weight };
  }
  return best.tag;
}

export const translator = (language: Language): Translate => {
  const translate: Translate = (key, parameters) => {
    const values: Record<string, string | number> = {};
    for (const [name, value] of Object.entries(parameters ?? {}))
      values[name] = typeof value === 'object' ? translate(value.key, value.parameters) : value;
    return instance.t(key, { lng: language, ...values });
  };
  return translate;
};
