/** The interface reaction page (spec §2.12). The address holds the submitted input; local state holds what is being typed. */
import { Button, TextInput } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { CallRequest } from '@unitcell/contract';
import { interfaceReceive } from '@unitcell/contract/calls';
import type { InterfaceResult } from '@unitcell/contract/interface-reaction';
import { type FormEvent, type ReactNode, useDeferredValue, useState } from 'react';
import { ScaleOrigin } from '../../../components/energy-scale/scale-origin.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import { Examples } from '../../../components/examples.tsx';
import page from '../../../components/panel.module.css';
import { Idle, ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery, type RequestOf } from '../../../lib/api-client.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { interfaceTexts } from '../texts.ts';
import { type ReactionQuery, readReaction, writeReaction } from '../view-model.ts';
import { Conditions } from './conditions.tsx';
import classes from './interface.module.css';
import { ReactionResult } from './reaction-result.tsx';

const reactionRequest = (query: ReactionQuery): RequestOf<typeof interfaceReceive> => ({
  call: interfaceReceive,
  body: {
    reactant1: query.reactant1,
    reactant2: query.reactant2,
    ...(query.openElement === ''
      ? {}
      : { open_element: query.openElement, chemical_potential: query.chemicalPotential }),
    ...(query.usesHullEnergy ? { use_hull_energy: true } : {}),
    ...(query.temperature === null ? {} : { temperature: query.temperature }),
    ...(query.scale === null ? {} : { functional: query.scale }),
  },
});

/** Reactions between two reactants; idle until both are set. */
const useInterfaceReaction = (query: ReactionQuery) =>
  useQuery({
    ...apiQuery(reactionRequest(query)),
    enabled: query.reactant1 !== '' && query.reactant2 !== '',
    retry: false,
    // Keep the last plot while the slider moves.
    placeholderData: (previous: InterfaceResult | undefined, previousQuery) => {
      const before = previousQuery?.queryKey[2] as CallRequest<typeof interfaceReceive> | undefined;
      const isSame =
        before?.reactant1 === query.reactant1 &&
        before.reactant2 === query.reactant2 &&
        (before.functional ?? null) === query.scale;
      return isSame ? previous : undefined;
    },
  });

interface InSlicesProps {
  readonly waiting: ReactNode;
  readonly children: ReactNode;
}

/** Defers children that are slow to draw and shows `waiting` meanwhile, so that the page stays responsive. */
function InSlices({ waiting, children }: InSlicesProps) {
  const isReady = useDeferredValue(true, false);
  return isReady ? children : waiting;
}

const EXAMPLES = [
  { name: 'Li2S + LiCoO2', to: '/Interface_reaction?a=Li2S&b=LiCoO2' },
  { name: 'TiO2 + Mg', to: '/Interface_reaction?a=TiO2&b=Mg' },
];

/** Common reaction partners in batteries. */
const PARTNERS = ['Li', 'LiCoO2', 'Li3PS4'];

/** Complete examples, or partners for a given reactant. */
const examplesWith = (reactant: string) =>
  reactant === ''
    ? EXAMPLES
    : PARTNERS.map((partner) => ({
        name: `+ ${partner}`,
        to: `/Interface_reaction?${new URLSearchParams({ a: reactant, b: partner }).toString()}`,
      }));

export function Page() {
  const { t } = useTexts(interfaceTexts);
  const { state: query, change: changeQuery } = useAddressState({
    read: readReaction,
    write: writeReaction,
    restMs: 150,
  });
  const [typed, setTyped] = useState({ a: query.reactant1, b: query.reactant2, of: query });
  // Updates the boxes when Back or Forward changes the address.
  if (typed.of.reactant1 !== query.reactant1 || typed.of.reactant2 !== query.reactant2)
    setTyped({ a: query.reactant1, b: query.reactant2, of: query });
  const reaction = useInterfaceReaction(query);
  const isReady = typed.a.trim() !== '' && typed.b.trim() !== '';
  const isAsked = query.reactant1 !== '' && query.reactant2 !== '';

  const { refetch } = reaction;
  const compute = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    const next = { ...query, reactant1: typed.a.trim(), reactant2: typed.b.trim() };
    if (next.reactant1 === query.reactant1 && next.reactant2 === query.reactant2) void refetch();
    else changeQuery(() => next);
  };
  const change = (changes: Partial<ReactionQuery>): void =>
    changeQuery((now) => ({ ...now, ...changes }), { isReplacing: !('scale' in changes) });
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="interface" />
      <form className={`uc-wrap uc-fields ${page.toolForm}`} onSubmit={compute}>
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
      <p className={`uc-hint ${page.toolHint}`}>{t('hint')}</p>
      {!isAsked && <Examples examples={examplesWith(query.reactant1)} />}
      <Conditions query={query} onChange={change} />
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {!isAsked && <Idle>{t('idle')}</Idle>}
        {isAsked && reaction.isPending && <Waiting>{t('loading')}</Waiting>}
        {reaction.isError && !reaction.isFetching && (
          <ErrorPanel error={reaction.error} onRetry={() => void refetch()} />
        )}
        {reaction.data && !reaction.isError && (
          <PanelBoundary key={`${query.reactant1} ${query.reactant2}`}>
            <InSlices waiting={<Waiting>{t('loading')}</Waiting>}>
              <ScaleOrigin scale={reaction.data}>
                <ReactionResult
                  result={reaction.data}
                  sent={reactionRequest(query)}
                  scale={query.scale}
                  isStale={reaction.isPlaceholderData}
                />
              </ScaleOrigin>
            </InSlices>
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}
