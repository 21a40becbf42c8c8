/** Voltage profiles of the chosen electrodes, and their states of charge. */
import type { CallAnswer } from '@unitcell/contract';
import { getElectrodes } from '@unitcell/contract/calls';
import type { Electrode } from '@unitcell/contract/electrodes';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { CompletenessNote } from '../../components/completeness/completeness-note.tsx';
import { AnswerTools } from '../../components/copy-as-code/copy-as-code.tsx';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { ScaleOrigin, useProvenance, withScale } from '../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel } from '../../components/failure.tsx';
import { formulaText } from '../../components/formula.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Waiting } from '../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { apiQuery, type RequestOf } from '../../lib/api-client.ts';
import { useIsCompact } from '../../lib/breakpoints.ts';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import { Plot } from '../../viz/plot/plot.tsx';
import { stateColumns } from './columns.tsx';
import classes from './electrodes.module.css';
import { electrodesTexts } from './texts.ts';
import { type Chosen, cornersOf, keyOf, nameOf, profileFigure } from './view-model.ts';

const requestFor = (chosen: readonly Chosen[], scale: string | null): RequestOf<typeof getElectrodes> => ({
  call: getElectrodes,
  body: {
    electrodes: chosen.map(({ struct_id, ion }) => ({ struct_id, ion })),
    ...(scale ? { functional: scale } : {}),
  },
});

/** The electrodes that were found, each once, and the errors of the requests that failed. */
function answersOf(results: readonly UseQueryResult<CallAnswer<typeof getElectrodes>>[]) {
  const found = results.flatMap(({ data, isError }) => (data && !isError ? [data] : []));
  const all = found.flatMap(({ electrodes }) => electrodes);
  return {
    first: found[0],
    electrodes: [...new Map(all.map((one) => [keyOf(one), one])).values()],
    isPending: results.some(({ isPending }) => isPending),
    failures: results.flatMap(({ isError, error, refetch }, index) =>
      isError ? [{ key: index, error, retry: () => void refetch() }] : [],
    ),
  };
}

interface ProfilesProps {
  readonly chosen: readonly Chosen[];
  readonly scale: string | null;
  readonly onClear: () => void;
}

export function Profiles({ chosen, scale, onClear }: ProfilesProps) {
  const { t } = useTexts(electrodesTexts);
  // One request each, so that an id without an electrode does not hide the others.
  const answers = useQueries({
    queries: chosen.map((one) => ({ ...apiQuery(requestFor([one], scale)), retry: false })),
    combine: answersOf,
  });
  const { first, electrodes } = answers;
  const isCompact = useIsCompact();
  const provenanceOf = useProvenance();
  const provenance = first ? provenanceOf(first) : '';
  const figure = useCallback(
    (colors: ChartColors) =>
      profileFigure(
        electrodes,
        {
          capacityAxis: t(isCompact ? 'capacity' : 'capacityAxis'),
          voltageAxis: t('voltageAxis'),
          provenance,
        },
        colors,
        isCompact,
      ),
    [electrodes, provenance, isCompact, t],
  );
  const clear = (
    <button type="button" className="uc-link-button" onClick={onClear}>
      {t('clear')}
    </button>
  );
  const failed = answers.failures.map(({ key, error, retry }) => (
    <ErrorPanel key={key} error={error} onRetry={retry} />
  ));
  const waiting = answers.isPending && <Waiting>{t('loading')}</Waiting>;
  if (!first)
    return (
      <>
        {failed}
        {waiting}
        {failed.length > 0 && <p>{clear}</p>}
      </>
    );
  const data = { ...first, electrodes };
  const request = requestFor(electrodes, scale);
  const doubtful = data.electrodes.filter(({ without_hubbard }) => without_hubbard);
  const names = data.electrodes.map(nameOf).join(', ');
  const name = `unitcell-electrodes-${electrodes.map(keyOf).join('-')}`;
  return (
    <ScaleOrigin scale={data}>
      {failed}
      {waiting}
      <Section
        id="profile"
        title={t('profile')}
        lead={t('electronBasis')}
        tools={
          <div className="uc-wrap">
            <AnswerTools sent={request} answer={data} name={name} />
            {clear}
          </div>
        }
      >
        {doubtful.length > 0 && (
          <Notice kind="warning">
            {t('noHubbard', { names: doubtful.map(nameOf).join(', ') })}{' '}
            <a href="https://doi.org/10.1103/PhysRevB.70.235121" target="_blank" rel="noopener">
              {t('zhou')}
            </a>
          </Notice>
        )}
        <Plot
          figure={figure}
          name={name}
          height={440}
          summary={t('figure', { names })}
          table={() => ({
            header: [t('table'), t('capacityAxis'), t('voltageAxis')],
            rows: data.electrodes.flatMap((electrode) =>
              cornersOf(electrode).map(([capacity, voltage]) => [nameOf(electrode), capacity, voltage]),
            ),
          })}
        />
      </Section>
      <Section id="states" title={t('states')} lead={t('statesNote')}>
        {data.electrodes.map((electrode) => (
          <States key={keyOf(electrode)} electrode={electrode} scale={scale} />
        ))}
      </Section>
    </ScaleOrigin>
  );
}

function States({ electrode, scale }: { readonly electrode: Electrode; readonly scale: string | null }) {
  const { t } = useTexts(electrodesTexts);
  const columns = useMemo(() => stateColumns(t, scale), [t, scale]);
  const { ion, struct_id: id } = electrode;
  const formula = formulaText(electrode.formula);
  const label = t('statesOf', { formula, ion });
  // States on the profile are marked only if the list also has other states.
  const isMarked = electrode.states.some((row) => !row.on_profile);
  return (
    <div className={classes.states}>
      <DataTable
        label={label}
        rows={electrode.states}
        columns={columns}
        rowKey={(row) => row.struct_id}
        pageSize={20}
        csvName={`unitcell-electrode-${keyOf(electrode)}`}
        isHighlighted={(row) => isMarked && row.on_profile}
        caption={
          <>
            <h3 className={classes.count}>{label}</h3>
            <p className={`uc-hint ${classes.note}`}>
              <Link to={withScale(`/Ec_windowDetail/${id}/${ion}`, scale)}>
                {t('window', { formula, ion })}
              </Link>
            </p>
            <CompletenessNote completeness={electrode.completeness} of="hull" />
          </>
        }
      />
    </div>
  );
}
