/** Band structure beside density of states, one section per functional; the zone stands beside the first. */
import type { MaterialDetail } from '@unitcell/contract';
import { Section } from '../../../components/section.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { toCsv } from '../../../lib/csv.ts';
import { downloadText } from '../../../lib/download.ts';
import { bandGap } from '../../../viz/band-plot/bands.ts';
import { BandPlot, densityTable, gapSentence } from '../../../viz/band-plot/band-plot.tsx';
import { bandPlotTexts } from '../../../viz/band-plot/texts.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { BrillouinZonePanel } from './brillouin-zone-panel.tsx';
import { pointAt, usePointedPlace } from './bands-place.ts';
import classes from './bands-section.module.css';

type Functional = 'PBE' | 'HSE';

const ofFunctional = <Entry extends { readonly functional: string }>(
  entries: readonly Entry[],
  functional: Functional,
): Entry | undefined => entries.find((entry) => entry.functional.startsWith(functional));

const isShown = ({ elec_diagram: diagram }: MaterialDetail, functional: Functional): boolean =>
  (functional === 'PBE' ? diagram.pbe_elec_diagram_display : diagram.hse_elec_diagram_display) === 'block';

const titleOf = (functional: Functional) => ({
  en: `${functional} Band Structure and Density of States`,
  zh: `${functional} 能带结构与态密度`,
});

interface BandsProps extends MaterialSectionProps {
  readonly functional: Functional;
}

function Bands({ material, functional }: BandsProps) {
  const { t, language } = useTexts(bandPlotTexts);
  const place = usePointedPlace();
  const { band_structures, densities_of_states } = material.elec_diagram;
  const bands = ofFunctional(band_structures, functional);
  const density = ofFunctional(densities_of_states, functional);
  const isFirst = functional === 'PBE' || !isShown(material, 'PBE');
  if (!bands) return null;
  const name = `${material.struct_id}-${functional.toLowerCase()}-bands`;
  const saveDensity = (): void => {
    if (!density) return;
    const { header, rows } = densityTable(density);
    downloadText(
      `${material.struct_id}-${functional.toLowerCase()}-dos.csv`,
      toCsv(header, rows),
      'text/csv',
    );
  };
  return (
    <Section
      id={`bands-${functional.toLowerCase()}`}
      title={titleOf(functional)[language]}
      lead={sentence(gapSentence({ bands, gap: bandGap(bands) }, t), language)}
      tools={
        density && (
          <ToolbarButtons
            label={t('densityCsv')}
            buttons={[{ id: 'dos', label: t('densityCsv'), onClick: saveDensity }]}
          />
        )
      }
    >
      <div className={isFirst ? classes.columns : undefined}>
        <div className={classes.bands}>
          <BandPlot
            bands={bands}
            density={density}
            formula={material.formula}
            name={name}
            place={place}
            onPlace={pointAt}
          />
          <p className={classes.hint}>{t('hint')}</p>
        </div>
        {isFirst && (
          <div id="brillouin-zone" className={classes.zone}>
            <BrillouinZonePanel material={material} />
          </div>
        )}
      </div>
    </Section>
  );
}

const sentence = (text: string, language: 'en' | 'zh'): string =>
  language === 'zh' ? `${text}。` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const sectionOf = (functional: Functional): MaterialSection => ({
  id: `bands-${functional.toLowerCase()}`,
  title: { en: `${functional} Bands and DOS`, zh: `${functional} 能带与态密度` },
  isPresent: (material) => isShown(material, functional),
  Component: ({ material }) => <Bands material={material} functional={functional} />,
});

export const pbeBandsSection = sectionOf('PBE');
export const hseBandsSection = sectionOf('HSE');
