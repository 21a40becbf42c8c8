/** The interface reaction page (spec §2.12). What is computed lives in the address, what is being typed here. */
import { Button, Loader, TextInput } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { type FormEvent, useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { PanelBoundary } from '../../../components/panel-boundary.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useInterfaceReaction } from '../api/use-interface-reaction.ts';
import { interfaceTexts } from '../texts.ts';
import { type ReactionQuery, readReaction, writeReaction } from '../view-model.ts';
import { Conditions } from './conditions.tsx';
import classes from './interface.module.css';
import { ReactionResult } from './reaction-result.tsx';

export function InterfacePage() {
  const { t } = useTexts(interfaceTexts);
  const [parameters, setParameters] = useSearchParams();
  const address = parameters.toString();
  const query = useMemo(() => readReaction(new URLSearchParams(address)), [address]);
  const [typed, setTyped] = useState({ a: query.reactant1, b: query.reactant2, of: query });
  // Back and forward change the address: then the boxes follow it.
  if (typed.of.reactant1 !== query.reactant1 || typed.of.reactant2 !== query.reactant2)
    setTyped({ a: query.reactant1, b: query.reactant2, of: query });
  const reaction = useInterfaceReaction(query);
  const isReady = typed.a.trim() !== '' && typed.b.trim() !== '';
  const isAsked = query.reactant1 !== '' && query.reactant2 !== '';

  const write = useCallback(
    (next: ReactionQuery, isReplacing: boolean) =>
      setParameters(writeReaction(next), { replace: isReplacing, preventScrollReset: true }),
    [setParameters],
  );
  const { refetch } = reaction;
  const compute = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    const next = { ...query, reactant1: typed.a.trim(), reactant2: typed.b.trim() };
    if (next.reactant1 === query.reactant1 && next.reactant2 === query.reactant2) void refetch();
    else write(next, false);
  };
  const change = (changes: Partial<ReactionQuery>): void => write({ ...query, ...changes }, true);
  return (
    <div className="uc-page">
      <header className={classes.header}>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.lead}>{t('lead')}</p>
      </header>
      <form className={classes.form} onSubmit={compute}>
        <TextInput
          className={classes.reactant}
          size="md"
          label={t('reactant1')}
          placeholder={t('placeholder1')}
          value={typed.a}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped({ ...typed, a: event.currentTarget.value })}
        />
        <Button
          type="button"
          variant="default"
          size="md"
          aria-label={t('swap')}
          title={t('swap')}
          onClick={() => setTyped({ ...typed, a: typed.b, b: typed.a })}
        >
          <IconArrowsExchange size={18} aria-hidden="true" />
        </Button>
        <TextInput
          className={classes.reactant}
          size="md"
          label={t('reactant2')}
          placeholder={t('placeholder2')}
          value={typed.b}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped({ ...typed, b: event.currentTarget.value })}
        />
        <Button type="submit" size="md" disabled={!isReady} loading={reaction.isFetching && isAsked}>
          {t('compute')}
        </Button>
      </form>
      <p className={classes.hint}>{t('hint')}</p>
      <Conditions query={query} onChange={change} />
      <section className={classes.results} aria-label={t('results')} aria-live="polite">
        {!isAsked && <p className={classes.idle}>{t('idle')}</p>}
        {isAsked && reaction.isPending && (
          <output className={classes.loading}>
            <Loader size={40} />
            {t('loading')}
          </output>
        )}
        {reaction.isError && !reaction.isFetching && (
          <ErrorPanel error={reaction.error} onRetry={() => void refetch()} />
        )}
        {reaction.data && !reaction.isError && (
          <PanelBoundary key={`${query.reactant1} ${query.reactant2}`}>
            <ReactionResult result={reaction.data} isStale={reaction.isPlaceholderData} />
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}
