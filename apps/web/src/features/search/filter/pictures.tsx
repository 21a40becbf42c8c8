/** Plots of a filter's result: a scatter plot, and a number over the periodic table. Loaded on demand. */
import { Suspense } from 'react';
import { PanelBoundary } from '../../../components/failure.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import type { Conditions } from '../../../components/filter/conditions.ts';
import buttons from '../../../components/toolbar.module.css';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';
import type { Screened } from '../use-screen.ts';

const ScatterPanel = lazyPart(async () => (await import('./scatter-panel.tsx')).ScatterPanel);
const HeatPanel = lazyPart(async () => (await import('./scatter-panel.tsx')).HeatPanel);

const DEFAULT_PLOT = 'band_gap.formation_energy_per_atom.energy_above_hull';
const DEFAULT_HEAT = 'band_gap';

interface PicturesProps {
  /** `x.y` or `x.y.colour`; null if closed. */
  readonly plot: string | null;
  readonly onPlot: (plot: string | null) => void;
  /** A property, or empty for the number of materials; null if closed. */
  readonly heat: string | null;
  readonly onHeat: (heat: string | null) => void;
  /** Undefined until there is data. */
  readonly screened: Screened | undefined;
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
}

export function Pictures(props: PicturesProps) {
  const { plot, onPlot, heat, onHeat, screened, conditions, onConditions } = props;
  const { t } = useTexts(screenTexts);
  const drawn = screened && {
    filter: screened.filter,
    scale: screened.scale.functional,
    conditions,
    onConditions,
  };
  return (
    <>
      <p className={`uc-wrap ${classes.toggles}`}>
        <button
          type="button"
          className={buttons.format}
          aria-expanded={plot !== null}
          onClick={() => onPlot(plot === null ? DEFAULT_PLOT : null)}
        >
          {t('plot')}
        </button>
        <button
          type="button"
          className={buttons.format}
          aria-expanded={heat !== null}
          onClick={() => onHeat(heat === null ? DEFAULT_HEAT : null)}
        >
          {t('heat')}
        </button>
      </p>
      {[
        heat !== null && drawn && <HeatPanel key="heat" field={heat} onField={onHeat} {...drawn} />,
        plot !== null && drawn && <ScatterPanel key="plot" plot={plot} onPlot={onPlot} {...drawn} />,
      ].map(
        (panel) =>
          panel && (
            <PanelBoundary key={panel.key}>
              <Suspense>{panel}</Suspense>
            </PanelBoundary>
          ),
      )}
    </>
  );
}
