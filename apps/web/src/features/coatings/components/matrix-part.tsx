/** The matrix of reactions: its form, the coloured table, and its files. */
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getCollection, listCollections } from '@unitcell/contract/calls';
import { type FormEvent, useState } from 'react';
import { ScaleOrigin } from '../../../components/energy-scale/energy-scale.tsx';
import { Examples } from '../../../components/examples.tsx';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { ErrorPanel } from '../../../components/failure.tsx';
import page from '../../../components/panel.module.css';
import { Idle, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { answerTo, apiQuery } from '../../../lib/api-client.ts';
import type { ChangeState } from '../../../lib/use-address-state.ts';
import {
  badNumbers,
  type CoatingQuery,
  materialsOf,
  matrixRequest,
  NUMBER_LIMITS,
} from '../coatings-address.ts';
import { coatingTexts } from '../texts.ts';
import classes from './coatings.module.css';
import { MatrixResult } from './matrix-result.tsx';

interface MatrixPartProps {
  readonly query: CoatingQuery;
  readonly change: ChangeState<CoatingQuery>;
  readonly examples: readonly { readonly name: string; readonly to: string }[];
}

export function MatrixPart({ query, change, examples }: MatrixPartProps) {
  const { t } = useTexts(coatingTexts);
  const sayFailure = useFailureToast();
  const asTyped = () => ({
    materials: query.materials,
    against: query.against,
    potential: query.potential,
    of: query,
  });
  const [typed, setTyped] = useState(asTyped);
  // Updates the form when Back or Forward changes the address.
  if (
    typed.of.materials !== query.materials ||
    typed.of.against !== query.against ||
    typed.of.potential !== query.potential
  )
    setTyped(asTyped());
  const isAsked = query.materials !== '' && badNumbers(query).length === 0;
  const matrix = useQuery({ ...apiQuery(matrixRequest(query)), enabled: isAsked, retry: false });
  const collections = useQuery({ ...apiQuery({ call: listCollections, body: {} }) });
  const isBad = badNumbers({ ...query, potential: typed.potential }).includes('potential');
  const isReady = materialsOf(typed.materials).length > 0 && !isBad;
  const compute = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    const materials = materialsOf(typed.materials).join(',');
    change((now) => ({
      ...now,
      materials,
      against: typed.against.trim(),
      potential: typed.potential.trim(),
    }));
  };
  async function takeCollection(id: number): Promise<void> {
    try {
      const { collection } = await answerTo(getCollection, { id });
      setTyped((now) => ({ ...now, materials: collection.struct_ids.join(' ') }));
    } catch (error) {
      sayFailure(error);
    }
  }
  const own = collections.data?.collections ?? [];
  return (
    <>
      <form className={classes.matrixForm} onSubmit={compute}>
        <Textarea
          label={t('materials')}
          description={t('materialsHint')}
          value={typed.materials.replaceAll(',', ' ')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={4000}
          spellCheck={false}
          onChange={(event) => setTyped({ ...typed, materials: event.currentTarget.value })}
        />
        <div className={`uc-wrap uc-fields ${classes.matrixOptions}`}>
          <TextInput
            className={classes.filter}
            label={t('against')}
            placeholder={t('againstPlaceholder')}
            value={typed.against}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTyped({ ...typed, against: event.currentTarget.value })}
          />
          <TextInput
            className={classes.filter}
            label={t('potential')}
            placeholder={t('closed')}
            inputMode="decimal"
            value={typed.potential}
            maxLength={20}
            error={isBad ? t('range', NUMBER_LIMITS.potential) : undefined}
            onChange={(event) => setTyped({ ...typed, potential: event.currentTarget.value })}
          />
          {own.length > 0 && (
            <NativeSelect
              className={classes.filter}
              label={t('collection')}
              value=""
              data={[
                { value: '', label: t('choose') },
                ...own.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              onChange={({ currentTarget: { value } }) => void takeCollection(Number(value))}
            />
          )}
          <Button type="submit" disabled={!isReady} loading={isAsked && matrix.isFetching}>
            {t('compute')}
          </Button>
        </div>
      </form>
      {!isAsked && <Examples examples={examples} />}
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {!isAsked && <Idle>{t('matrixIdle')}</Idle>}
        {isAsked && matrix.isPending && <Waiting>{t('matrixLoading')}</Waiting>}
        {matrix.isError && !matrix.isFetching && (
          <ErrorPanel error={matrix.error} onRetry={() => void matrix.refetch()} />
        )}
        {isAsked && matrix.data && !matrix.isError && (
          <ScaleOrigin scale={matrix.data}>
            <MatrixResult result={matrix.data} scale={query.scale} sent={matrixRequest(query)} />
          </ScaleOrigin>
        )}
      </section>
    </>
  );
}
