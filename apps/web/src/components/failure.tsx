/** What went wrong: the sentence for an error, a panel with a way on, and a boundary that keeps a fault in its panel. */
import { Component, type ReactNode, useCallback } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { ApiError } from '../lib/api-client.ts';
import { renewFailedParts } from '../lib/lazy-part.tsx';
import classes from './panel.module.css';
import { componentTexts } from './texts.ts';

/** The sentence for an error, in the language of the page. A sentence is its own. */
export function useFailure(): (error: unknown) => string {
  const { t } = useTexts(componentTexts);
  return useCallback(
    (error) => {
      if (typeof error === 'string') return error;
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

/** A lost session leads to the login and a dead server to the banner: both need no further message. */
export const isSaidElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'login' || error.kind === 'offline');

/** Why an action failed, in the place where it was asked for; nothing without an error or with an empty sentence. */
export function InlineFailure({ error }: { readonly error: unknown }) {
  const sentence = useFailure();
  if (error === null || error === undefined || error === '' || isSaidElsewhere(error)) return null;
  return (
    <span role="alert" className={classes.inlineFailure}>
      {sentence(error)}
    </span>
  );
}

interface ErrorPanelProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** What did not happen; by default that a part could not be shown. */
  readonly title?: string;
}

/** A clear answer about what was asked for: the same question gets the same answer. One that says nothing is none. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError && error.message !== '' && (error.kind === 'refused' || error.kind === 'missing');

/** What went wrong, in words, with a way on. */
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

interface PanelBoundaryState {
  readonly error: unknown;
  readonly hasFailed: boolean;
}

interface PanelBoundaryProps {
  readonly children: ReactNode;
  /** Shown instead of the panel that failed; by default a sentence and a way to try again. */
  readonly fallback?: ReactNode;
  /** Stays where it was, before what is said of the fault. */
  readonly kept?: ReactNode;
}

/** React offers error boundaries as classes only. */
export class PanelBoundary extends Component<PanelBoundaryProps, PanelBoundaryState> {
  override state: PanelBoundaryState = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): PanelBoundaryState {
    return { error, hasFailed: true };
  }

  private readonly retry = (): void => {
    renewFailedParts();
    this.setState({ error: undefined, hasFailed: false });
  };

  override render(): ReactNode {
    const { children, fallback, kept } = this.props;
    if (!this.state.hasFailed) return children;
    if (fallback !== undefined) return fallback;
    return (
      <>
        {kept}
        <ErrorPanel error={this.state.error} onRetry={this.retry} />
      </>
    );
  }
}
