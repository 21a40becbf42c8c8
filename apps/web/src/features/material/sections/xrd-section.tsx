/** X-Ray Diffraction: the calculated powder pattern for any source, wavelength and particle size (spec §2.8). */
import { Loader } from '@mantine/core';
import type { MaterialXrd } from '@unitcell/contract/matdata';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { XrdPlot } from '../../../viz/xrd-plot/xrd-plot.tsx';
import { useGeneratePattern, xrdRequest } from '../material-requests.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { SourcedSection } from './sourced-section.tsx';
import { XrdControls } from './xrd-controls.tsx';
import { xrdTexts } from './xrd-texts.ts';
import { TWO_THETA_SHOWN } from './xrd-view-model.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { NumberText } from '../../../components/number-text.tsx';
import { reflectionsOf } from '../../../viz/xrd-plot/reflections.ts';
import classes from '../material.module.css';

const PAGE_SIZE = 10;

/** The reflections of a pattern as a table, folded away until wanted. */
function XrdReflections({ pattern, name }: { readonly pattern: MaterialXrd; readonly name: string }) {
  const { t } = useTexts(xrdTexts);
  const rows = useMemo(() => reflectionsOf(pattern), [pattern]);
  if (rows.length === 0) return null;
  return (
    <details className={classes.reflections}>
      <summary>{t('reflections', { n: rows.length })}</summary>
      <DataTable
        label={t('peakTable')}
        rows={rows}
        rowKey={(row) => row.twoThetaDeg}
        pageSize={PAGE_SIZE}
        csvName={name}
        columns={[
          { id: 'hkl', header: t('hkl'), value: (row) => row.forms },
          {
            id: 'angle',
            header: t('angle'),
            value: (row) => row.twoThetaDeg,
            render: (row) => <NumberText value={row.twoThetaDeg} />,
            isNumeric: true,
            method: 'pattern',
          },
          {
            id: 'd',
            header: t('d'),
            value: (row) => row.dSpacing,
            render: (row) => <NumberText value={row.dSpacing} decimals={4} />,
            isNumeric: true,
            method: 'pattern',
          },
          {
            id: 'intensity',
            header: t('intensity'),
            value: (row) => row.intensity,
            render: (row) => <NumberText value={row.intensity} decimals={2} />,
            isNumeric: true,
            method: 'pattern',
          },
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
  // The last good pattern stays while another is made, and when it is refused.
  const [latest, setLatest] = useState<MaterialXrd | null>(null);
  const pattern = latest ?? first.data;
  return (
    <SourcedSection material={material} of={['xrd']} id="xrd" title={title[language]} lead={t('lead')}>
      <XrdControls
        isBusy={generated.isPending}
        refusal={generated.error}
        range={range}
        onRange={setRange}
        onGenerate={(settings) => generated.mutate(settings, { onSuccess: setLatest })}
      />
      {!pattern && first.isPending && (
        <output className={classes.xrdWaiting}>
          <Loader size="md" /> {t('loading')}
        </output>
      )}
      {!pattern && first.isError && <ErrorPanel error={first.error} onRetry={() => void first.refetch()} />}
      {pattern && (
        <>
          <XrdPlot
            pattern={pattern}
            formula={material.formula}
            range={range}
            name={`${material.struct_id}-xrd-${pattern.wavelength}`}
          />
          <XrdReflections pattern={pattern} name={`${material.struct_id}-reflections`} />
        </>
      )}
    </SourcedSection>
  );
}

export const xrdSection: MaterialSection = { id: 'xrd', title, Component: XrdSection };
