/** What went wrong, in words, with a way on. */
import { useTexts } from '../i18n/texts.ts';
import { ApiError } from '../lib/api-client.ts';
import classes from './error-panel.module.css';
import { componentTexts } from './texts.ts';

interface ErrorPanelProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

function useErrorSentence(error: unknown): string {
  const { t } = useTexts(componentTexts);
  if (!(error instanceof ApiError)) return t('errorUnknown');
  if (error.kind === 'offline') return t('errorOffline');
  if (error.kind === 'limited') return t('errorLimited', { seconds: error.retryAfter ?? 60 });
  if (error.kind === 'broken') return t('errorBroken', { id: error.errorId ?? '?' });
  return error.message;
}

/** A clear answer about what was asked for: the same question gets the same answer. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'refused' || error.kind === 'missing');

export function ErrorPanel({ error, onRetry }: ErrorPanelProps) {
  const { t } = useTexts(componentTexts);
  return (
    <div className={classes.panel} role="alert">
      {!isAnswer(error) && <p className={classes.title}>{t('errorTitle')}</p>}
      <p className={classes.sentence}>{useErrorSentence(error)}</p>
      {onRetry && !isAnswer(error) && (
        // A plain button: this panel is in every page's first load.
        <button type="button" className={classes.retry} onClick={onRetry}>
          {t('retry')}
        </button>
      )}
    </div>
  );
}
