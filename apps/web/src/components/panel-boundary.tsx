/** Keeps a fault inside its panel: the rest of the page goes on working. */
import { Component, type ReactNode } from 'react';
import { ErrorPanel } from './error-panel.tsx';

interface PanelBoundaryState {
  readonly error: unknown;
  readonly hasFailed: boolean;
}

/** React offers error boundaries as classes only. */
export class PanelBoundary extends Component<{ readonly children: ReactNode }, PanelBoundaryState> {
  override state: PanelBoundaryState = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): PanelBoundaryState {
    return { error, hasFailed: true };
  }

  private readonly retry = (): void => this.setState({ error: undefined, hasFailed: false });

  override render(): ReactNode {
    if (this.state.hasFailed) return <ErrorPanel error={this.state.error} onRetry={this.retry} />;
    return this.props.children;
  }
}
