/** The last step: report, CIF and project of a refinement as files. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useFailure } from '../../../components/failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { fileAt } from '../../../lib/api-client.ts';
import { downloadText } from '../../../lib/download.ts';
import { today } from '../../../lib/format.ts';
import { paperSvg } from '../../../viz/plot/plot.tsx';
import { refineFigure, refinePlotTexts } from '../../../viz/xrd-refine-plot/refine-figure.ts';
import type { Measurement } from '../use-matcher.ts';
import { writeProject } from './project-file.ts';
import { refinePicture } from './refine-view-model.ts';
import classes from './refine.module.css';
import { type Report, refinedCif, reportHtml, reportTexts } from './report.ts';
import { refineTexts } from './texts.ts';
import type { Refiner } from './use-refiner.ts';

interface ReportPartProps {
  readonly refiner: Refiner;
  readonly measurement: Measurement;
  readonly radiation: string;
  /** Name of the files, without extension. */
  readonly fileName: string;
}

export function ReportPart({ refiner, measurement, radiation, fileName }: ReportPartProps) {
  const { t, language } = useTexts(reportTexts);
  const { t: refineText } = useTexts(refineTexts);
  const { t: plotText } = useTexts(refinePlotTexts);
  const sentence = useFailure();
  const [problem, setProblem] = useState('');
  const { phases, done, settings, ownInstrument } = refiner;
  const { fileName: file, warnings, record, sigmas, steps } = measurement;

  async function reportOf(result: Report['result']): Promise<Report> {
    const cifs = await Promise.all(
      result.phases.map(async ({ struct_id, name }) => {
        if (struct_id !== null) return (await fileAt(`/api/materials/${struct_id}.cif`)).text();
        return phases.find((phase) => phase.name === name)?.cif ?? '';
      }),
    );
    return { file, record, radiation, sigmas, result, cifs, date: today() };
  }
  const save = (write: (report: Report) => void | Promise<void>): void => {
    setProblem('');
    if (done)
      reportOf(done.result)
        .then(write)
        .catch((error: unknown) => setProblem(sentence(error)));
  };
  const saveReport = async (report: Report): Promise<void> => {
    const { result } = report;
    const svg = await paperSvg((colors) => refineFigure(refinePicture(result), colors, plotText));
    downloadText(
      `${fileName}-report.html`,
      reportHtml(report, t, refineText(result.verdict), svg, language),
      'text/html',
    );
  };
  const saveProject = (): void => {
    const content = {
      fileName: file,
      warnings,
      record,
      data: steps[0].data,
      sigmas,
      radiation,
      phases,
      settings,
      ownInstrument: settings.instrument === 'own' ? ownInstrument : null,
      result: done?.result ?? null,
    };
    downloadText(`${fileName}.xrd.json`, writeProject(content), 'application/json');
  };
  return (
    <Section id="xrd-report" title={t('heading')} lead={t('lead')}>
      <div className={`uc-row ${classes.tools}`}>
        {done && (
          <>
            <Button size="sm" onClick={() => save(saveReport)}>
              {t('report')}
            </Button>
            <Button
              variant="default"
              size="sm"
              onClick={() =>
                save((report) =>
                  downloadText(`${fileName}-refined.cif`, refinedCif(report), 'chemical/x-cif'),
                )
              }
            >
              {t('cif')}
            </Button>
          </>
        )}
        <Button variant="default" size="sm" onClick={saveProject}>
          {refineText('saveProject')}
        </Button>
      </div>
      {problem !== '' && <Notice kind="problem">{problem}</Notice>}
    </Section>
  );
}
