/** The XRD matcher (spec §2.14). */
import { Notice } from '../../../components/notice.tsx';
import { ToolHeader } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { xrdTexts } from '../texts.ts';
import { CHART_ID } from '../show.ts';
import { useMatcher } from '../use-matcher.ts';
import { phaseName } from '../view-model.ts';
import { ChartPanel } from './chart-panel.tsx';
import { MatchForm } from './match-form.tsx';
import { MatchProgress } from './match-progress.tsx';
import { PrepareBar } from './prepare-bar.tsx';
import { Results } from './results.tsx';
import { UploadPanel } from './upload-panel.tsx';
import classes from './xrd.module.css';

export function Page() {
  const { t } = useTexts(xrdTexts);
  const matcher = useMatcher();
  const { bench, round, chosen, runningId } = matcher;
  const fileName = bench.measurement?.fileName.replace(/\.[^.]*$/, '') ?? 'xrd';
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
      <div className={classes.bench}>
        <UploadPanel bench={bench} isAwaited={matcher.isAwaited} onSample={matcher.loadSample} />
        <div className={classes.formPlace}>
          <MatchForm
            settings={matcher.settings}
            onChange={matcher.changeSettings}
            isReady={matcher.isReady}
            isMatching={runningId !== null}
            onMatch={matcher.match}
          />
          {runningId !== null && <MatchProgress matchId={runningId} onCancel={matcher.cancel} />}
          <div role="alert">
            {matcher.problem !== '' && <Notice kind="problem">{matcher.problem}</Notice>}
          </div>
        </div>
        <div className={classes.main}>
          <section className={classes.chart} aria-label={t('chart')}>
            <PrepareBar
              bench={bench}
              isAwaited={matcher.isAwaited}
              isBeforeShown={matcher.isBeforeShown}
              onShowBefore={matcher.setIsBeforeShown}
            />
            <div id={CHART_ID} className={classes.stage}>
              <ChartPanel
                content={matcher.content}
                isAwaited={matcher.isAwaited}
                name={chosen ? `${fileName}-${chosen.structId}` : fileName}
              />
              <div role="alert">
                {matcher.referenceProblem !== '' && (
                  <Notice kind="problem">
                    {chosen && phaseName(chosen.formula, chosen.structId)}: {matcher.referenceProblem}
                  </Notice>
                )}
              </div>
            </div>
          </section>
          <div className={classes.results} aria-live="polite">
            {round && (
              <Results
                // Another round is another table: sorting and page begin anew.
                key={round.phases.length}
                round={round}
                chosen={chosen}
                canExplainRest={matcher.canExplainRest}
                isBusy={runningId !== null}
                isFiltered={matcher.settings.elements.trim() !== ''}
                onChoose={matcher.choose}
                onExplainRest={matcher.explainRest}
                onBack={matcher.back}
              />
            )}
          </div>
        </div>
      </div>
    </div>
  );
}
