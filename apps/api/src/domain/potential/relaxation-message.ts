import { isMessageKey, type Translate } from '../../messages/messages.ts';

/** Why a crystal was not relaxed, from the code of the reason. */
export function relaxationMessage(code: string, t: Translate): string {
  if (code === '') return '';
  const key = `relaxation.${code}`;
  return isMessageKey(key) ? t(key) : t('relaxation.failed', { code });
}
