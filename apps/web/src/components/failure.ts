/** What went wrong, as a sentence for the page: the one place that says it. */
import { useCallback } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { ApiError } from '../lib/api-client.ts';
import { componentTexts } from './texts.ts';

/** The sentence for an error, in the language of the page. */
export function useFailure(): (error: unknown) => string {
  const { t } = useTexts(componentTexts);
  return useCallback(
    (error) => {
      if (!(error instanceof ApiError)) return t('errorUnknown');
      if (error.kind === 'offline') return t('errorOffline');
      if (error.kind === 'limited')
        return t(error.status === 503 ? 'errorBusy' : 'errorLimited', { seconds: error.retryAfter ?? 60 });
      if (error.kind === 'broken') return t('errorBroken', { id: error.errorId ?? '-' });
      return error.message || t('errorUnreadable');
    },
    [t],
  );
}
