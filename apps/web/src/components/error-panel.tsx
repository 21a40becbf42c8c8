/** What went wrong, in words, with a way on. */
import { useTexts } from '../i18n/texts.ts';
import { ApiError } from '../lib/api-client.ts';
import classes from './panel.module.css';
import { useFailure } from './failure.ts';
import { componentTexts } from './texts.ts';

interface ErrorPanelProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** What did not happen; by default that a part could not be shown. */
  readonly title?: string;
}

/** A clear answer about what was asked for: the same question gets the same answer. One that says nothing is none. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError && error.message !== '' && (error.kind === 'refused' || error.kind === 'missing');

export function ErrorPanel({ error, onRetry, title }: ErrorPanelProps) {
  const { t } = useTexts(componentTexts);
  const sentence = useFailure();
  return (
    <div className={classes.panel} role="alert">
      {!isAnswer(error) && <p className={classes.title}>{title ?? t('errorTitle')}</p>}
      <p className={classes.sentence}>{sentence(error)}</p>
      {onRetry && !isAnswer(error) && (
        // A plain button: this panel is in every page's first load.
        <button type="button" className={classes.retry} onClick={onRetry}>
          {t('retry')}
        </button>
      )}
    </div>
  );
}
