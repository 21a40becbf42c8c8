/** Expert settings: method, range, angles, background, widths, and for each phase texture, grains and standard. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { MAX_EXCLUDED } from '@unitcell/contract/xrd/rules';
import { useState } from 'react';
import { FileChoice } from '../../../components/file-choice.tsx';
import { Formula } from '../../../components/formula.tsx';
import { NumberBox } from '../../../components/number-box.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { type ChosenPhase, gsasWidths, regionsIn, type RefineSettings } from './refine-view-model.ts';
import classes from './refine.module.css';
import { refineTexts } from './texts.ts';
import type { Refiner } from './use-refiner.ts';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | null;
  readonly placeholder?: string;
  readonly min: number;
  readonly max: number;
  readonly isWhole?: boolean;
  readonly onChange: (value: number | null) => void;
}

const NumberField = ({ isWhole, ...rest }: NumberFieldProps) => (
  <NumberBox size="xs" allowDecimal={isWhole !== true} {...rest} />
);

const KINDS = ['cell', 'profile', 'overallB', 'axialDivergence'] as const;

export function RefineOptions({ refiner }: { readonly refiner: Refiner }) {
  const { t } = useTexts(refineTexts);
  const { settings, change, phases, add, ownInstrument } = refiner;
  const auto = t('automatic');
  return (
    <details className={`uc-fold ${classes.options}`}>
      <summary>{t('options')}</summary>
      <div className={classes.optionGrid}>
        <NativeSelect
          size="xs"
          label={t('method')}
          data={[
            { value: 'rietveld', label: t('rietveld') },
            { value: 'le-bail', label: t('leBail') },
          ]}
          value={settings.method}
          onChange={(event) => change({ method: event.currentTarget.value as RefineSettings['method'] })}
        />
        <NumberField
          label={t('from')}
          value={settings.from}
          placeholder={auto}
          min={0}
          max={180}
          onChange={(from) => change({ from })}
        />
        <NumberField
          label={t('to')}
          value={settings.to}
          placeholder={auto}
          min={0}
          max={180}
          onChange={(to) => change({ to })}
        />
        <TextInput
          size="xs"
          label={t('excluded')}
          value={settings.excluded}
          placeholder="20-22, 35.1-36"
          maxLength={300}
          error={regionsIn(settings.excluded) === null && t('excludedBad', { n: MAX_EXCLUDED })}
          onChange={(event) => change({ excluded: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label={t('shift')}
          data={(['automatic', 'displacement', 'zero', 'none'] as const).map((value) => ({
            value,
            label: t(value),
          }))}
          value={settings.shift}
          onChange={(event) => change({ shift: event.currentTarget.value as RefineSettings['shift'] })}
        />
        <NativeSelect
          size="xs"
          label={t('instrument')}
          data={[
            { value: 'estimate', label: t('estimate') },
            { value: 'laboratory', label: t('laboratory') },
            { value: 'laboratory-sharp', label: t('laboratorySharp') },
            { value: 'laboratory-broad', label: t('laboratoryBroad') },
            { value: 'synchrotron', label: t('synchrotron') },
            ...(ownInstrument ? [{ value: 'own', label: t('own') }] : []),
          ]}
          value={settings.instrument}
          onChange={(event) =>
            change({ instrument: event.currentTarget.value as RefineSettings['instrument'] })
          }
        />
        <NumberField
          label={t('background')}
          value={settings.backgroundTerms}
          placeholder={auto}
          min={1}
          max={24}
          isWhole
          onChange={(backgroundTerms) => change({ backgroundTerms })}
        />
        <NumberField
          label={t('humps')}
          value={settings.humps}
          min={0}
          max={3}
          isWhole
          onChange={(humps) => change({ humps: humps ?? 0 })}
        />
        <NumberField
          label={t('monochromator')}
          value={settings.monochromator}
          placeholder={t('monochromatorHint')}
          min={0}
          max={180}
          onChange={(monochromator) => change({ monochromator })}
        />
        <NumberField
          label={t('kBeta')}
          value={settings.kBeta}
          placeholder={t('kBetaHint')}
          min={0}
          max={20}
          onChange={(kBeta) => change({ kBeta })}
        />
        <NumberField
          label={t('radius')}
          value={settings.radius}
          min={1}
          max={2000}
          onChange={(radius) => change({ radius })}
        />
        <NativeSelect
          size="xs"
          label={t('slit')}
          data={(['file', 'fixed', 'variable'] as const).map((value) => ({
            value,
            label: t(`slit-${value}`),
          }))}
          value={settings.slit}
          onChange={(event) => change({ slit: event.currentTarget.value as RefineSettings['slit'] })}
        />
        <NumberField
          label={t('thickness')}
          value={settings.thickness}
          placeholder={t('thicknessHint')}
          min={0.001}
          max={100}
          onChange={(thickness) => change({ thickness })}
        />
      </div>
      <InstrumentFile refiner={refiner} />
      <div className={`uc-wrap ${classes.kinds}`}>
        <Checkbox
          size="xs"
          label={t('manual')}
          checked={settings.isManual}
          onChange={(event) => change({ isManual: event.currentTarget.checked })}
        />
        {settings.isManual &&
          KINDS.map((kind) => (
            <Checkbox
              key={kind}
              size="xs"
              label={t(kind)}
              checked={settings[kind]}
              onChange={(event) => change({ [kind]: event.currentTarget.checked })}
            />
          ))}
      </div>
      {phases.map((phase) => (
        <PhaseOptions key={phase.key} phase={phase} onChange={add} />
      ))}
    </details>
  );
}

/** Line widths of a calibrated instrument, from a file of GSAS-II or from the project of a standard. */
function InstrumentFile({ refiner }: { readonly refiner: Refiner }) {
  const { t } = useTexts(refineTexts);
  const [answer, setAnswer] = useState('');
  const read = async (file: File | null): Promise<void> => {
    if (!file) return;
    const { name } = file;
    const { MAX_PROJECT_BYTES, readProject } = await import('./project-file.ts');
    const text = file.size > MAX_PROJECT_BYTES ? '' : await file.text();
    const project = readProject(text);
    const widths = 'kind' in project ? gsasWidths(text) : (project.result?.instrument ?? null);
    if (widths) refiner.keepInstrument(widths);
    setAnswer(t(widths ? 'instrumentRead' : 'instrumentUnread', { name }));
  };
  return (
    <div className={`uc-row ${classes.tools}`}>
      <FileChoice accept=".instprm,.txt,.json" onChange={(file) => void read(file)}>
        {(props) => (
          <Button {...props} variant="default" size="xs">
            {t('instrumentFile')}
          </Button>
        )}
      </FileChoice>
      <output className="uc-hint">{answer || t('instrumentFileHint')}</output>
    </div>
  );
}

interface PhaseOptionsProps {
  readonly phase: ChosenPhase;
  readonly onChange: (phase: ChosenPhase) => void;
}

function PhaseOptions({ phase, onChange }: PhaseOptionsProps) {
  const { t } = useTexts(refineTexts);
  return (
    <fieldset className={classes.ofPhase}>
      <legend>
        {t('ofPhase')} <Formula text={phase.name} />
      </legend>
      <Checkbox
        size="xs"
        label={t('texture')}
        checked={phase.hasTexture}
        onChange={(event) => onChange({ ...phase, hasTexture: event.currentTarget.checked })}
      />
      <NumberField
        label={t('particle')}
        value={phase.particleSize}
        min={0.01}
        max={1000}
        onChange={(particleSize) => onChange({ ...phase, particleSize })}
      />
      <NumberField
        label={t('standard')}
        value={phase.standardPercent}
        min={0.1}
        max={99.9}
        onChange={(standardPercent) => onChange({ ...phase, standardPercent })}
      />
    </fieldset>
  );
}
