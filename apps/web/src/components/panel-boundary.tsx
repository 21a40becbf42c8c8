/** Keeps a fault inside its panel: the rest of the page goes on working. */
import { Component, type ReactNode } from 'react';
import { renewFailedParts } from '../lib/lazy-part.tsx';
import { ErrorPanel } from './error-panel.tsx';

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
