/** The last step: report, CIF and project of a refinement as files. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useFailure } from '../../../components/failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { fileAt } from '../../../lib/api-client.ts';
import { downloadText } from '../../../lib/download.ts';
import { paperSvg } from '../../../viz/plot/plot.tsx';
import { refineFigure } from '../../../viz/xrd-refine-plot/refine-figure.ts';
import { refinePlotTexts } from '../../../viz/xrd-refine-plot/texts.ts';
import type { Measurement } from '../use-measurement.ts';
import { writeProject } from './project-file.ts';
import { refinePicture } from './refine-view-model.ts';
import classes from './refine.module.css';
import { type Report, refinedCif, reportHtml } from './report.ts';
import { refineTexts } from './texts.ts';
import type { Refiner } from './use-refiner.ts';

const reportTexts = defineTexts('xrd-report', {
  en: {
    heading: '4. Report',
    lead: 'Report: figure, phases, cells, notices and all sources on one page, to read or to print as PDF. CIF: refined cells, atoms and the profile. Project: everything in one file that this page opens again.',
    report: 'Report',
    cif: 'CIF',
    title: 'Refinement',
    measurement: 'Measurement',
    file: 'File',
    instrument: 'Instrument',
    radiation: 'Radiation',
    release: 'release',
    points: 'Points',
    date: 'Date of the refinement',
    result: 'Result',
    phases: 'Phases',
    phase: 'Phase',
    spaceGroup: 'Space group',
    fraction: 'Weight fraction (%)',
    density: 'Density (g/cm³)',
    cells: 'Cells',
    parameter: 'Parameter',
    refined: 'Refined',
    start: 'Before',
    notices: 'What must be known beside the numbers',
    structures: 'Structures',
    method: 'Method',
    esd: 'Whole-pattern refinement with fixed atoms by Unitcell. Standard deviations in parentheses contain the factor of Bérar and Lelann. Cite these works and the sources of the structures:',
    figure:
      'Measured and calculated intensities, background, difference below, and positions of reflections.',
  },
  zh: {
    heading: '4. 报告',
    lead: '报告：图、物相、晶胞、提示和全部来源在一页中，可阅读或打印为 PDF。CIF：精修晶胞、原子和谱图。项目：全部内容存入一个文件，可在本页重新打开。',
    report: '报告',
    cif: 'CIF',
    title: '精修',
    measurement: '测量',
    file: '文件',
    instrument: '仪器',
    radiation: '射线',
    release: '数据版本',
    points: '点数',
    date: '精修日期',
    result: '结果',
    phases: '物相',
    phase: '物相',
    spaceGroup: '空间群',
    fraction: '重量分数 (%)',
    density: '密度 (g/cm³)',
    cells: '晶胞',
    parameter: '参数',
    refined: '精修值',
    start: '精修前',
    notices: '使用数值前须知',
    structures: '结构',
    method: '方法',
    esd: '由 Unitcell 固定原子作全谱精修。括号中的标准偏差含 Bérar 与 Lelann 因子。请引用以下文献和结构来源：',
    figure: '实测与计算强度、背底，下方为差值，竖线为衍射峰位置。',
  },
});

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
  const { fileName: file, warnings, record, steps } = measurement;

  async function reportOf(result: Report['result']): Promise<Report> {
    const cifs = await Promise.all(
      result.phases.map(async ({ struct_id, name }) => {
        if (struct_id !== null) return (await fileAt(`/api/materials/${struct_id}.cif`)).text();
        return phases.find((phase) => phase.name === name)?.cif ?? '';
      }),
    );
    return { file, record, radiation, result, cifs, date: new Date().toISOString().slice(0, 10) };
  }
  const save = (write: (report: Report) => void): void => {
    setProblem('');
    if (done) reportOf(done.result).then(write, (error: unknown) => setProblem(sentence(error)));
  };
  const saveReport = (report: Report): void => {
    const { result } = report;
    const svg = paperSvg((colors) => refineFigure(refinePicture(result), colors, plotText));
    const words = Object.fromEntries(REPORT_WORDS.map((word) => [word, t(word)])) as Record<
      (typeof REPORT_WORDS)[number],
      string
    >;
    downloadText(
      `${fileName}-report.html`,
      reportHtml(report, words, refineText(result.verdict), svg, language),
      'text/html',
    );
  };
  const saveProject = (): void => {
    const content = {
      fileName: file,
      warnings,
      record,
      data: steps[0].data,
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
      <div className={classes.tools}>
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

const REPORT_WORDS = [
  'title',
  'measurement',
  'file',
  'instrument',
  'radiation',
  'release',
  'points',
  'date',
  'result',
  'phases',
  'phase',
  'spaceGroup',
  'fraction',
  'density',
  'cells',
  'parameter',
  'refined',
  'start',
  'notices',
  'structures',
  'method',
  'esd',
  'figure',
] as const;
