/** What went wrong, as a sentence for the page; empty where the login popup says it. */
import { useTexts } from '../../i18n/texts.ts';
import { ApiError } from '../../lib/api-client.ts';
import { xrdTexts } from './texts.ts';

export function useFailure(): (error: unknown) => string {
  const { t } = useTexts(xrdTexts);
  return (error) => {
    if (!(error instanceof ApiError)) return t('failed');
    if (error.kind === 'login') return '';
    if (error.kind === 'offline') return t('offline');
    if (error.kind === 'limited') return t('limited', { seconds: error.retryAfter ?? 60 });
    if (error.kind === 'broken') return t('broken', { id: error.errorId ?? '-' });
    return error.message || t('failed');
  };
}
