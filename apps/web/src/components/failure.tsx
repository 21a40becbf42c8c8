/** Errors: the message, a panel with a retry, and a boundary that confines a fault to its panel. */
import { Component, type ReactNode, Suspense, useCallback } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { ApiError } from '../lib/api-client.ts';
import { renewFailedParts } from '../lib/lazy-part.tsx';
import classes from './panel.module.css';
import { componentTexts } from './texts.ts';

/**
 * The server's message about a fault in a filter: a sentence with a position, the text, and a caret below the
 * fault. Pages mark the fault in the text instead.
 */
const PLACED = /^(.*\S)\s*[(（].*\n(.*)\n( *)\^/;
const placedFault = (error: unknown): readonly string[] | null =>
  error instanceof ApiError ? PLACED.exec(error.message) : null;

/** Returns the message for an error in the language of the page. A string is returned unchanged. */
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
      return placedFault(error)?.[1] ?? (error.message || t('errorUnreadable'));
    },
    [t],
  );
}

/** The text in which the server found a fault, with the faulty place marked. */
function FaultyText({ error }: { readonly error: unknown }) {
  const fault = placedFault(error);
  if (!fault) return null;
  const [, , text = '', { length } = ''] = fault;
  const [faulty = ' '] = /^(\w+|\S+)/.exec(text.slice(length)) ?? [];
  return (
    <code className={classes.faulty} translate="no">
      {text.slice(0, length)}
      <mark>{faulty}</mark>
      {text.slice(length + faulty.length)}
    </code>
  );
}

/**
 * A lost session opens the login and an unreachable server shows the banner, so these two errors need no other message.
 */
export const isSaidElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'login' || error.kind === 'offline');

/** Error message next to the action that failed. Renders nothing without an error or for an empty message. */
export function InlineFailure({ error }: { readonly error: unknown }) {
  const sentence = useFailure();
  if (error === null || error === undefined || error === '' || isSaidElsewhere(error)) return null;
  return (
    <span role="alert" className={classes.inlineFailure}>
      {sentence(error)}
      <FaultyText error={error} />
    </span>
  );
}

interface ErrorPanelProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** What failed; by default "this part could not be shown". */
  readonly title?: string;
}

/** True for a definite answer of the server: a retry would give the same one. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError && error.message !== '' && (error.kind === 'refused' || error.kind === 'missing');

/** Explains the error and offers a retry. */
export function ErrorPanel({ error, onRetry, title }: ErrorPanelProps) {
  const { t } = useTexts(componentTexts);
  const sentence = useFailure();
  return (
    <div className={classes.panel} role="alert">
      {!isAnswer(error) && <p className={classes.title}>{title ?? t('errorTitle')}</p>}
      <p className={classes.sentence}>{sentence(error)}</p>
      <FaultyText error={error} />
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
  /** Replaces the failed panel; by default a message with a retry button. */
  readonly fallback?: ReactNode;
  /** Content that stays visible above the error message. */
  readonly kept?: ReactNode;
  /** Shown while code of the children loads. Without it, the nearest boundary outside waits. */
  readonly waiting?: ReactNode;
}

/** React supports error boundaries only as classes. */
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
    const { children, fallback, kept, waiting } = this.props;
    if (!this.state.hasFailed)
      return waiting === undefined ? children : <Suspense fallback={waiting}>{children}</Suspense>;
    if (fallback !== undefined) return fallback;
    return (
      <>
        {kept}
        <ErrorPanel error={this.state.error} onRetry={this.retry} />
      </>
    );
  }
}
