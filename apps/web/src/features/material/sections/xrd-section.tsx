/** X-ray diffraction: the calculated powder pattern for any source, neutrons, wavelength and particle size (spec §2.8). */
import { Button, Loader, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MaterialXrd } from '@unitcell/contract/matdata';
import { type FormEvent, useMemo, useState } from 'react';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { ErrorPanel, useFailure } from '../../../components/failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { readNumber } from '../../../lib/format.ts';
import { type Reflection, reflectionsOf } from '../../../viz/xrd-plot/reflections.ts';
import { AngleRange, XrdPlot } from '../../../viz/xrd-plot/xrd-plot.tsx';
import { type PatternSettings, useGeneratePattern, xrdRequest } from '../material-requests.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { SourcedSection } from './sourced-section.tsx';
import { numberColumn } from '../../../components/data-table/columns.tsx';
import {
  CUSTOMIZED,
  DEFAULT_SIZE_NM,
  DEFAULT_SOURCE,
  NEUTRONS,
  sourceNames,
  TWO_THETA_LIMITS,
  TWO_THETA_SHOWN,
  wavelengthText,
} from './xrd-view-model.ts';

const xrdTexts = defineTexts('material-xrd', {
  source: ['Radiation', '射线'],
  customized: ['Custom', '自定义'],
  neutrons: ['Neutrons, constant wavelength', '中子，单一波长'],
  wavelength: ['Wavelength', '波长'],
  size: ['Crystallite size', '晶粒尺寸'],
  generate: ['Generate', '生成'],
  loading: ['Calculating the pattern…', '正在计算衍射图谱…'],
  noWavelength: [
    'Enter the wavelength in ångströms, e.g. 1.54184.',
    '请输入以埃为单位的波长数值，例如 1.54184。',
  ],
  noSize: [
    'Enter the crystallite size in nanometres, e.g. 200.',
    '请输入以纳米为单位的晶粒尺寸数值，例如 200。',
  ],
  reflections: ['Reflections ({{n}})', '衍射峰（{{n}} 个）'],
  peakTable: ['Reflections', '衍射峰'],
  hkl: ['hkl × multiplicity', 'hkl ×多重度'],
  d: ['d (Å)', 'd (Å)'],
  angle: ['2θ (°)', '2θ (°)'],
  intensity: ['Intensity', '强度'],
  lead: [
    'Calculated for an ideal powder of the conventional cell: kinematic intensities, Lorentz and polarisation factors, Scherrer size broadening. Neutrons: nuclear scattering lengths, no polarisation, no magnetism.',
    '按惯用晶胞的理想粉末计算：运动学强度、洛伦兹-偏振因子，晶粒尺寸展宽按 Scherrer 公式。中子：核散射长度，无偏振因子，不含磁散射。',
  ],
});

interface XrdControlsProps {
  readonly isBusy: boolean;
  /** Error of the last request. */
  readonly refusal: Error | null;
  readonly range: readonly [number, number];
  readonly onRange: (range: readonly [number, number]) => void;
  readonly onGenerate: (settings: PatternSettings) => void;
}

/** Choices of the source that are not lines of an X-ray tube. */
const OWN_NAMES: Readonly<Record<string, 'customized' | 'neutrons'>> = {
  [CUSTOMIZED]: 'customized',
  [NEUTRONS]: 'neutrons',
};

/** Minimum distance in degrees between the ends of the slider. */
const LEAST_RANGE_DEG = 5;
const MARKS = [0, 10, 30, 50, 70, 90];

/** Source, wavelength, particle size, Generate and the 2θ slider. */
function XrdControls({ isBusy, refusal, range, onRange, onGenerate }: XrdControlsProps) {
  const { t } = useTexts(xrdTexts);
  const sentence = useFailure();
  const [source, setSource] = useState(DEFAULT_SOURCE);
  const [wavelength, setWavelength] = useState(wavelengthText(DEFAULT_SOURCE));
  const [size, setSize] = useState(DEFAULT_SIZE_NM);
  const [invalid, setInvalid] = useState<'noWavelength' | 'noSize' | null>(null);

  const choose = (name: string): void => {
    setSource(name);
    setWavelength(wavelengthText(name));
    setInvalid(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const settings = { wavelength: readNumber(wavelength), crystalSize: readNumber(size) };
    if (settings.wavelength === null) setInvalid('noWavelength');
    else if (settings.crystalSize === null) setInvalid('noSize');
    else {
      setInvalid(null);
      onGenerate({
        wavelength: settings.wavelength,
        crystalSize: settings.crystalSize,
        ...(source === NEUTRONS ? { probe: 'neutron' as const } : {}),
      });
    }
  };
  const problem = invalid ? t(invalid) : refusal && sentence(refusal);
  return (
    <form className={`uc-wrap ${classes.controls}`} onSubmit={submit} noValidate>
      <NativeSelect
        label={t('source')}
        size="xs"
        className={classes.source}
        data={sourceNames(source).map((name) => ({
          value: name,
          label: OWN_NAMES[name] ? t(OWN_NAMES[name]) : name,
        }))}
        value={source}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <TextInput
        label={t('wavelength')}
        size="xs"
        className={classes.number}
        inputMode="decimal"
        value={wavelength}
        onChange={(event) => {
          setWavelength(event.currentTarget.value);
          if (source !== NEUTRONS) setSource(CUSTOMIZED);
        }}
        rightSection={<span className="uc-fine">Å</span>}
        error={invalid === 'noWavelength'}
      />
      <TextInput
        label={t('size')}
        size="xs"
        className={classes.number}
        inputMode="decimal"
        value={size}
        onChange={(event) => setSize(event.currentTarget.value)}
        rightSection={<span className="uc-fine">nm</span>}
        error={invalid === 'noSize'}
      />
      <Button type="submit" size="xs" loading={isBusy} className={classes.generate}>
        {t('generate')}
      </Button>
      <AngleRange
        whole={TWO_THETA_LIMITS}
        range={range}
        onRange={onRange}
        least={LEAST_RANGE_DEG}
        marks={MARKS}
        className={classes.range}
      />
      {problem && !isBusy && <Notice kind="problem">{problem}</Notice>}
    </form>
  );
}

const PAGE_SIZE = 10;

/** The reflections of a pattern as a table, collapsed by default. */
function XrdReflections({ pattern, name }: { readonly pattern: MaterialXrd; readonly name: string }) {
  const { t } = useTexts(xrdTexts);
  const rows = useMemo(() => reflectionsOf(pattern), [pattern]);
  if (rows.length === 0) return null;
  return (
    <details className={`uc-fold ${classes.reflections}`}>
      <summary>{t('reflections', { n: rows.length })}</summary>
      <DataTable
        label={t('peakTable')}
        rows={rows}
        rowKey={(row) => row.twoThetaDeg}
        pageSize={PAGE_SIZE}
        csvName={name}
        columns={[
          { id: 'hkl', header: t('hkl'), value: (row) => row.forms },
          numberColumn<Reflection>('angle', t('angle'), (row) => row.twoThetaDeg, { method: 'pattern' }),
          numberColumn<Reflection>('d', t('d'), (row) => row.dSpacing, { decimals: 4, method: 'pattern' }),
          numberColumn<Reflection>('intensity', t('intensity'), (row) => row.intensity, {
            decimals: 2,
            method: 'pattern',
          }),
        ]}
      />
    </details>
  );
}

const title = { en: 'X-Ray Diffraction', zh: 'X 射线衍射' };

function XrdSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(xrdTexts);
  const first = useQuery(xrdRequest(String(material.struct_id)));
  const generated = useGeneratePattern(material.struct_id);
  const [range, setRange] = useState<readonly [number, number]>(TWO_THETA_SHOWN);
  // Keep the last good pattern while loading and after an error.
  const [latest, setLatest] = useState<{ pattern: MaterialXrd; settings: PatternSettings } | null>(null);
  const pattern = latest?.pattern ?? first.data;
  const radiation = latest?.settings.probe === 'neutron' ? 'neutrons' : 'xrd';
  const name = `${material.struct_id}-${radiation}-${pattern?.wavelength}`;
  return (
    <SourcedSection material={material} of={['xrd']} id="xrd" title={title[language]} lead={t('lead')}>
      <XrdControls
        isBusy={generated.isPending}
        refusal={generated.error}
        range={range}
        onRange={setRange}
        onGenerate={(settings) =>
          generated.mutate(settings, { onSuccess: (made) => setLatest({ pattern: made, settings }) })
        }
      />
      {!pattern && first.isPending && (
        <output className={`uc-line ${classes.xrdWaiting}`}>
          <Loader size="md" /> {t('loading')}
        </output>
      )}
      {!pattern && first.isError && <ErrorPanel error={first.error} onRetry={() => void first.refetch()} />}
      {pattern && (
        <>
          <XrdPlot pattern={pattern} formula={material.formula} range={range} name={name} />
          <XrdReflections pattern={pattern} name={`${name}-reflections`} />
        </>
      )}
    </SourcedSection>
  );
}

export const xrdSection: MaterialSection = { id: 'xrd', title, Component: XrdSection };
