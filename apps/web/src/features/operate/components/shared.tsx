/** Shared parts of the panels: heading, loading state, marks, times. */
import { Button, Modal, type ModalProps, Skeleton } from '@mantine/core';
import type { AccountRole } from '@unitcell/contract/operate';
import { ACCOUNT_ROLES } from '@unitcell/contract/operate/rules';
import { Fragment, type ReactNode, useState } from 'react';
import { ErrorPanel } from '../../../components/failure.tsx';
import { instantText } from '../../../i18n/dates.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { operateTexts } from '../texts.ts';
import classes from './operate.module.css';
import { MISSING } from '../../../lib/format.ts';

export const isRole = (value: string): value is AccountRole => ACCOUNT_ROLES.some((role) => role === value);

/** A dialog that is open while it is rendered. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTexts(operateTexts);
  return <Modal opened closeButtonProps={{ 'aria-label': t('close') }} {...props} />;
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly question: string;
  readonly doLabel: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Confirms an action that cannot be undone or that ends other people's sessions. */
export function ConfirmDialog({ title, question, doLabel, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTexts(operateTexts);
  return (
    <Dialog onClose={onClose} title={title} centered>
      <p>{question}</p>
      <div className={classes.buttons}>
        <Button color="var(--uc-cinnabar)" variant="outline" onClick={onConfirm}>
          {doLabel}
        </Button>
        <Button variant="subtle" onClick={onClose} data-autofocus>
          {t('back')}
        </Button>
      </div>
    </Dialog>
  );
}

export const PanelHead = ({ title, tools }: { readonly title: string; readonly tools?: ReactNode }) => (
  <header className={`uc-row ${classes.head}`}>
    <h2>{title}</h2>
    {tools && <div className={classes.buttons}>{tools}</div>}
  </header>
);

/** Names with their values; those without a value are left out. */
type Named = readonly (readonly [name: string, value: ReactNode])[];

/** Numbers in large type side by side, each with its name below. */
export const Counts = ({ of }: { readonly of: Named }) => (
  <dl className={`uc-wrap ${classes.counts}`}>
    {of.map(
      ([name, value]) =>
        value !== null && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

export const Facts = ({ of }: { readonly of: Named }) => (
  <dl className={classes.facts}>
    {of.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);

interface AskedState<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Renders the data of a query, a placeholder while loading, or the error. */
export function Answered<Data>({
  asked,
  children,
}: {
  readonly asked: AskedState<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  if (asked.error && !asked.data)
    return <ErrorPanel error={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <Skeleton height={160} />;
  return children(asked.data);
}

interface OlderRowsProps<Id> {
  readonly rows: readonly { readonly id: Id }[];
  readonly hasMore: boolean;
  /** Id that limits the list: it shows rows older than this one; null for the newest rows. */
  readonly before: Id | null;
  readonly onBefore: (before: Id | null) => void;
}

/** Buttons to older rows, and back to the newest. */
export function OlderRows<Id>({ rows, hasMore, before, onBefore }: OlderRowsProps<Id>) {
  const { t } = useTexts(operateTexts);
  return (
    <>
      {before !== null && (
        <Button variant="subtle" size="compact-sm" onClick={() => onBefore(null)}>
          {t('newest')}
        </Button>
      )}
      {hasMore && (
        <Button variant="subtle" size="compact-sm" onClick={() => onBefore(rows.at(-1)?.id ?? null)}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

export type Tone = 'good' | 'watch' | 'bad' | 'none';
export const Mark = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={`uc-line ${classes.mark}`} data-tone={tone}>
    {children}
  </span>
);

/** Date and time in the language of the page; null is a dash. */
export function useTimes(): (iso: string | null) => string {
  const { language } = useTexts(operateTexts);
  return (iso) => (iso === null ? MISSING : instantText(iso, language));
}

/** `3.4 GB` */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** step).toFixed(step < 2 ? 0 : 1)} ${units[step]}`;
}

/** `4.2 h`; null is a dash. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return MISSING;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} d`;
}

interface ActionProps {
  readonly label: string;
  /** Name of the row to which the button belongs, for screen readers. */
  readonly of: string;
  readonly isBusy: boolean;
  readonly onDo: () => void;
  /** Confirmation text for actions that cannot be undone. */
  readonly question?: string;
  readonly isDangerous?: boolean;
}

/** A small button at the end of a row. */
export function Action({ label, of, isBusy, onDo, question, isDangerous = false }: ActionProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        {...(isDangerous ? { color: 'var(--uc-cinnabar)' } : {})}
        aria-label={`${label}: ${of}`}
        disabled={isBusy}
        onClick={() => (question === undefined ? onDo() : setAsking(true))}
      >
        {label}
      </Button>
      {isAsking && question !== undefined && (
        <ConfirmDialog
          title={`${label}: ${of}`}
          question={question}
          doLabel={label}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            onDo();
          }}
        />
      )}
    </>
  );
}
