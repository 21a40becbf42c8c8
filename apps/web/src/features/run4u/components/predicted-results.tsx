/** Results of the built-in potential: energy, position relative to the hull, curves and tensors, with remarks. */
import { Button } from '@mantine/core';
import type { StructureJson } from '@unitcell/material';
import type {
  ElasticModuliJson,
  EquationOfStateJson,
  IonBarriersJson,
  IonHopJson,
  PotentialHull,
  PredictedPhonons,
  SubmissionRow,
  ThermalExpansionJson,
} from '@unitcell/contract/run4u';
import { Fragment, type ReactNode, useCallback, useState } from 'react';
import { Link } from 'react-router-dom';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { fact, FactTable } from '../../../components/fact-table.tsx';
import { Formula } from '../../../components/formula.tsx';
import { Notice, Warnings } from '../../../components/notice.tsx';
import { TensorTable } from '../../../components/tensor-table.tsx';
import { joined, useTexts } from '../../../i18n/texts.ts';
import { downloadText } from '../../../lib/download.ts';
import { formatNumber, MISSING } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { SolvedPhonons, ThermalPlot } from '../../../viz/phonons/phonon-plots.tsx';
import { Plot } from '../../../viz/plot/plot.tsx';
import { RelaxationCoursePlot } from '../../../viz/relaxation-course/relaxation-course.tsx';
import { barrierFigure, eosFigure, expansionFigure } from '../predicted-figures.ts';
import { predictedTexts } from '../predicted-texts.ts';
import { run4uTexts } from '../texts.ts';
import classes from './run4u.module.css';
import { PhysicsForm, type RunWish } from './upload-panel.tsx';
import { phononTexts } from '../../../viz/phonons/phonon-figures.ts';

export type PredictedRow = NonNullable<SubmissionRow['predicted']>;

/** J/(mol·K) for 1 eV/K. */
const JOULE_PER_MOLE = 96_485.332;

/** eV/atom; a smaller difference between two relaxations is noise. */
const SAME = 0.001;

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={`uc-stack ${classes.part}`} aria-label={title}>
      <h3 className={classes.sideTitle}>{title}</h3>
      {children}
    </section>
  );
}

const Phases = ({ phases }: { readonly phases: PotentialHull['competing_phases'] }) =>
  phases.map(({ formula, struct_id: id, atomic_fraction: share }, index) => (
    <Fragment key={formula}>
      {index > 0 && ' + '}
      {id === null ? (
        <Formula text={formula} />
      ) : (
        <Link to={`/matdatades/${id}`}>
          <Formula text={formula} />
        </Link>
      )}
      {phases.length > 1 && ` (${formatNumber(100 * share, { decimals: 0 })} %)`}
    </Fragment>
  ));

const MAX_FORMULAS = 12;

const Formulas = ({ formulas }: { readonly formulas: readonly string[] }) => (
  <>
    {formulas.slice(0, MAX_FORMULAS).map((formula, index) => (
      <Fragment key={formula}>
        {index > 0 && ', '}
        <Formula text={formula} />
      </Fragment>
    ))}
    {formulas.length > MAX_FORMULAS && ` + ${formulas.length - MAX_FORMULAS}`}
  </>
);

function HullFacts({ hull }: { readonly hull: PotentialHull }) {
  const { t } = useTexts(predictedTexts);
  const above = hull.energy_above_hull;
  const phases = hull.competing_phases;
  const missing = hull.missing ?? [];
  const isAbove = above >= -SAME;
  const isSame = phases.length === 1;
  const milli = (value: number): string => formatNumber(1000 * value, { decimals: 0 });
  return (
    <>
      <FactTable
        title={t('hull')}
        facts={[
          fact(
            t(isAbove ? 'aboveHull' : 'belowHull'),
            `${milli(Math.abs(above))} ± ${milli(hull.error)}`,
            'meV/atom',
          ),
          fact(t(isSame ? 'sameAsKnown' : above > 0 ? 'decomposes' : 'competes'), <Phases phases={phases} />),
          fact(
            t('formation'),
            `${formatNumber(hull.formation_energy_per_atom, { decimals: 2 })} ± ${formatNumber(hull.error, { decimals: 2 })}`,
            'eV/atom',
          ),
          fact(t('known'), hull.known_phases),
          ...(missing.length > 0 ? [fact(t('missing'), <Formulas formulas={missing} />)] : []),
          ...(hull.left_out.length > 0 ? [fact(t('leftOut'), <Formulas formulas={hull.left_out} />)] : []),
        ]}
      />
      {missing.length + hull.left_out.length > 0 && (
        <Notice kind="warning">{t(isAbove ? 'lowerLimit' : 'upperLimit')}</Notice>
      )}
      <p className="uc-hint">{t('hullNote', { scale: hull.scale, error: milli(hull.error) })}</p>
    </>
  );
}

function EquationOfStatePart({ eos, name }: { readonly eos: EquationOfStateJson; readonly name: string }) {
  const { t } = useTexts(predictedTexts);
  const figure = useCallback((colors: ChartColors) => eosFigure(eos, colors, t), [eos, t]);
  const volume = formatNumber(eos.volume_per_atom, { decimals: 3 });
  const modulus = formatNumber(eos.bulk_modulus, { decimals: 1 });
  return (
    <Part title={t('eos')}>
      <FactTable
        title={t('fit')}
        facts={[
          fact(t('volume'), volume, 'Å³/atom'),
          fact(t('bulk'), modulus, 'GPa'),
          fact(t('bulkDerivative'), formatNumber(eos.bulk_modulus_derivative, { decimals: 2 })),
        ]}
      />
      <Plot
        name={`${name}-equation-of-state`}
        figure={figure}
        height={300}
        summary={t('eosSummary', { volume, modulus })}
        table={() => ({
          header: ['volume_per_atom_cubic_angstrom', 'energy_per_atom_ev'],
          rows: eos.volumes.map((value, k) => [value, eos.energies[k] ?? '']),
        })}
      />
    </Part>
  );
}

const VOIGT = ['xx', 'yy', 'zz', 'yz', 'xz', 'xy'];

function ElasticPart({
  elastic,
  moduli,
}: {
  readonly elastic: readonly (readonly number[])[];
  readonly moduli: ElasticModuliJson | undefined;
}) {
  const { t } = useTexts(predictedTexts);
  const gpa = (name: string, value: number | undefined) =>
    fact(name, formatNumber(value, { decimals: 1 }), 'GPa');
  return (
    <Part title={t('elastic')}>
      <TensorTable
        title={t('elasticAxes')}
        unit="GPa"
        rows={elastic}
        decimals={1}
        zeroBelow={0.05}
        columns={VOIGT}
        rowNames={VOIGT}
      />
      {moduli && (
        <FactTable
          title={t('moduli')}
          facts={[
            gpa(t('bulk'), moduli.bulk_modulus),
            gpa(t('shear'), moduli.shear_modulus),
            gpa(t('young'), moduli.young_modulus),
            fact(t('poisson'), formatNumber(moduli.poisson_ratio, { decimals: 3 })),
            fact(t('stability'), t(moduli.is_mechanically_stable ? 'stable' : 'unstable')),
          ]}
        />
      )}
    </Part>
  );
}

function PhononPart({ phonons, name }: { readonly phonons: PredictedPhonons; readonly name: string }) {
  const { t } = useTexts(phononTexts);
  const { t: tp } = useTexts(predictedTexts);
  return (
    <>
      <Part title={t('phonons')}>
        <SolvedPhonons phonons={phonons} name={`${name}-phonons`} noModes={tp('noModes')} />
      </Part>
      {phonons.thermal && (
        <Part title={t('thermal')}>
          <ThermalPlot phonons={phonons} name={`${name}-thermal`} />
        </Part>
      )}
    </>
  );
}

/** K; the temperature of most measured values. */
const ROOM = 300;

function ExpansionPart({
  expansion,
  name,
}: {
  readonly expansion: ThermalExpansionJson;
  readonly name: string;
}) {
  const { t } = useTexts(predictedTexts);
  const figure = useCallback((colors: ChartColors) => expansionFigure(expansion, colors, t), [expansion, t]);
  const { rows, volumes, supercell } = expansion;
  const shown = rows.find(({ temperature }) => temperature === ROOM) ?? rows.at(-1);
  if (!shown) return null;
  const alpha = formatNumber(1e6 * shown.expansion, { decimals: 1 });
  return (
    <Part title={t('task_expansion')}>
      <Notice kind="warning">{t('expansionWarning')}</Notice>
      <FactTable
        title={t('atTemperature', { temperature: shown.temperature })}
        facts={[
          fact(t('expansionOfVolume'), alpha, '10⁻⁶/K'),
          fact(t('gruneisen'), formatNumber(shown.gruneisen, { decimals: 2 })),
          fact(t('volumeAt'), formatNumber(shown.volume, { decimals: 3 }), 'Å³/atom'),
          fact(t('bulk'), formatNumber(shown.bulk_modulus, { decimals: 1 }), 'GPa'),
          fact(
            t('heatCapacity'),
            formatNumber(shown.heat_capacity * JOULE_PER_MOLE, { decimals: 2 }),
            'J/(mol·K)',
          ),
        ]}
      />
      <Plot
        name={`${name}-thermal-expansion`}
        figure={figure}
        height={320}
        summary={t('expansionSummary', { to: rows.at(-1)?.temperature ?? 0, at: shown.temperature, alpha })}
        table={() => ({
          header: [
            'temperature_k',
            'volume_per_atom_cubic_angstrom',
            'volume_expansion_per_k',
            'bulk_modulus_gpa',
            'heat_capacity_ev_per_k_atom',
            'gruneisen',
          ],
          rows: rows.map((row) => [
            row.temperature,
            row.volume,
            row.expansion,
            row.bulk_modulus,
            row.heat_capacity,
            row.gruneisen ?? '',
          ]),
        })}
      />
      <p className="uc-hint">{t('expansionNote', { n: volumes.length, supercell: supercell.join(' × ') })}</p>
    </Part>
  );
}

function BarrierPart({ barrier, name }: { readonly barrier: IonBarriersJson; readonly name: string }) {
  const { t } = useTexts(predictedTexts);
  const figure = useCallback((colors: ChartColors) => barrierFigure(barrier, colors, t), [barrier, t]);
  const { ion, hops, supercell_atoms: atoms, separation } = barrier;
  const number = (value: number, decimals: number): string => formatNumber(value, { decimals });
  const place = (coordinates: readonly number[]): string =>
    `(${coordinates.map((x) => number(x, 3)).join(', ')})`;
  const energy = (value: number | undefined): string => (value === undefined ? MISSING : number(value, 2));
  const remark = ({ band, refusal }: IonHopJson): string => {
    if (!band) return refusal === undefined ? t('hopListed') : t('hopRefused', { refusal });
    const doubts = [!band.is_converged && t('hopUnconverged'), !band.has_stable_ends && t('hopUnstable')];
    return joined(...doubts) || t('hopConverged');
  };
  const calculated = hops.filter(({ band }) => band);
  const lowest = Math.min(...calculated.map(({ band }) => band?.barrier_forward ?? Infinity));
  return (
    <Part title={t('barrier', { ion })}>
      <ListTable
        label={t('task_barrier')}
        rows={hops}
        rowKey={(hop) => hops.indexOf(hop)}
        columns={(column) => [
          column(t('hop'), ({ distance }) => number(distance, 2), 'isNumeric'),
          column(t('forward'), ({ band }) => energy(band?.barrier_forward), 'isNumeric'),
          column(t('backward'), ({ band }) => energy(band?.barrier_backward), 'isNumeric'),
          column(t('hopCount'), ({ multiplicity }) => multiplicity, 'isNumeric'),
          column(t('hopNote'), remark, 'isWrapped'),
          column(t('hopSites'), ({ from, to }) => `${place(from)} → ${place(to)}`),
        ]}
      />
      {calculated.length > 0 && (
        <Plot
          name={`${name}-${ion}-hops`}
          figure={figure}
          height={300}
          summary={t('barrierSummary', { ion, n: calculated.length, barrier: number(lowest, 2) })}
          table={() => ({
            header: ['hop_angstrom', 'path_angstrom', 'energy_ev'],
            rows: calculated.flatMap(({ distance, band }) =>
              (band?.path ?? []).map((image) => [distance, image.distance, image.energy]),
            ),
          })}
        />
      )}
      <p className="uc-hint">{t('barrierNote', { atoms, separation: number(separation, 1) })}</p>
    </Part>
  );
}

/** The calculation from first principles that may follow a prediction. */
export interface NextCalculation {
  /** True if the calculation engine has options. */
  readonly hasOptions: boolean;
  readonly onCalculate: (structure: StructureJson, wish: RunWish) => void;
}

interface ContinueProps {
  readonly structure: StructureJson;
  readonly next: NextCalculation;
}

function Continue({ structure, next }: ContinueProps) {
  const { t } = useTexts(predictedTexts);
  const [wish, setWish] = useState<RunWish>({ method: 'first-principles', tasks: [], physics: [] });
  return (
    <div className={`uc-stack ${classes.next}`}>
      {next.hasOptions && <PhysicsForm wish={wish} onWish={setWish} />}
      <Button onClick={() => next.onCalculate(structure, wish)}>{t('continue')}</Button>
      <p className="uc-hint">{t('continueNote')}</p>
    </div>
  );
}

interface PredictedProps {
  readonly predicted: PredictedRow;
  readonly formula: string;
  /** Undefined without a calculation engine. */
  readonly next: NextCalculation | undefined;
}

export function Predicted({ predicted, formula, next }: PredictedProps) {
  const { t } = useTexts(run4uTexts);
  const { t: tp } = useTexts(predictedTexts);
  const { energy_per_atom: energy, max_force: force, pressure, relaxed, warnings } = predicted;
  const { hull, eos, elastic, phonons, expansion, barrier, course } = predicted;
  return (
    <>
      <div className={`uc-stack ${classes.predicted}`}>
        <FactTable
          title={t('predicted')}
          facts={[
            fact(t('predictedEnergy'), formatNumber(energy, { decimals: 4 }), 'eV/atom'),
            fact(t('predictedForce'), formatNumber(force, { decimals: 4 }), 'eV/Å'),
            fact(t('predictedPressure'), formatNumber(pressure, { decimals: 3 }), 'GPa'),
          ]}
        />
        {hull && <HullFacts hull={hull} />}
        {predicted.hull_message !== undefined && <p className="uc-hint">{predicted.hull_message}</p>}
        {predicted.failed_tasks?.map(({ task, reason }) => (
          <Notice key={task} kind="problem">
            {tp('failed', { task: tp(`task_${task}`), reason })}
          </Notice>
        ))}
        <Warnings warnings={warnings} />
        <p className={classes.match}>{t('predictedKept')}</p>
        <Button
          size="xs"
          variant="default"
          onClick={() => downloadText(`${formula}-relaxed.cif`, relaxed.script, 'chemical/x-cif')}
        >
          {t('downloadCif')}
        </Button>
        {next && <Continue structure={relaxed.structure} next={next} />}
      </div>
      <div className={classes.parts}>
        {phonons && <PhononPart phonons={phonons} name={formula} />}
        {elastic && <ElasticPart elastic={elastic} moduli={predicted.elastic_moduli} />}
        {eos && <EquationOfStatePart eos={eos} name={formula} />}
        {expansion && <ExpansionPart expansion={expansion} name={formula} />}
        {barrier && <BarrierPart barrier={barrier} name={formula} />}
        {course && (
          <Part title={tp('course')}>
            <RelaxationCoursePlot course={course} name={`${formula}-relaxation`} />
          </Part>
        )}
      </div>
    </>
  );
}
