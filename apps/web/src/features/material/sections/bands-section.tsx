/** Band structure beside density of states, one section per functional; the Brillouin zone is beside the first. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MaterialDetail, StatedGap } from '@unitcell/contract/matdata';
import { bandGap, type DensityOfStates } from '@unitcell/material';
import { useDownload } from '../../../components/file-origin.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { toCsv } from '../../../lib/download.ts';
import { observable, useObservable } from '../../../lib/observable.ts';
import { BrillouinZone } from '../../../viz/brillouin-zone/brillouin-zone.tsx';
import type { PathPlace } from '../../../viz/brillouin-zone/path-place.ts';
import { zoneRequest } from '../material-requests.ts';
import { BandPlot, densityTable, gapSentence } from '../../../viz/band-plot/band-plot.tsx';
import { detailTexts } from '../detail-texts.ts';
import { gapLabel, gapText, sourceOfGap } from '../detail-view-model.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { sourceOf } from '../sources-view-model.ts';
import { SourcedSection } from './sourced-section.tsx';
import classes from '../material.module.css';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { bandPlotTexts } from '../../../viz/band-plot/band-figure.ts';

// The k-point under the pointer, shared by the band plots and the zone.

const pointed = observable<PathPlace | null>(null);

const pointAt = (place: PathPlace | null): void => {
  const now = pointed.get();
  const isSame = now?.from === place?.from && now?.to === place?.to && now?.fraction === place?.fraction;
  if (!isSame) pointed.set(place);
};

/** Fetches and draws the zone; pointing at a k-point marks it in the bands and in the zone. */
function BrillouinZonePanel({ material }: MaterialSectionProps) {
  const zone = useQuery(zoneRequest(String(material.struct_id)));
  const place = useObservable(pointed);
  if (zone.isPending) return <Skeleton height={420} />;
  if (zone.isError) return <ErrorPanel error={zone.error} onRetry={() => void zone.refetch()} />;
  return (
    <BrillouinZone
      data={zone.data}
      name={`${material.struct_id}-brillouin-zone`}
      place={place}
      onPlace={pointAt}
    />
  );
}

const FUNCTIONALS = ['PBE', 'HSE'] as const;
type Functional = (typeof FUNCTIONALS)[number];

const ofFunctional = <Entry extends { readonly functional: string }>(
  entries: readonly Entry[],
  functional: Functional,
): Entry | undefined => entries.find((entry) => entry.functional.startsWith(functional));

const idOf = (functional: Functional): string => `bands-${functional.toLowerCase()}`;

const isShown = ({ elec_diagram: diagram }: MaterialDetail, functional: Functional): boolean =>
  (functional === 'PBE' ? diagram.pbe_elec_diagram_display : diagram.hse_elec_diagram_display) === 'block';

const firstFunctional = (material: MaterialDetail): Functional | undefined =>
  FUNCTIONALS.find((functional) => isShown(material, functional));

const titleOf = (functional: Functional) => ({
  en: `${functional} Band Structure and Density of States`,
  zh: `${functional} 能带结构与态密度`,
});

interface BandsProps extends MaterialSectionProps {
  readonly functional: Functional;
}

function Bands({ material, functional }: BandsProps) {
  const { t, language } = useTexts(bandPlotTexts);
  const place = useObservable(pointed);
  const { band_structures, densities_of_states } = material.elec_diagram;
  const bands = ofFunctional(band_structures, functional);
  const density = ofFunctional(densities_of_states, functional);
  const isFirst = functional === firstFunctional(material);
  if (!bands) return null;
  const name = `${material.struct_id}-${functional.toLowerCase()}-bands`;
  return (
    <SourcedSection
      material={material}
      of={['bands']}
      isShown={({ of }) => of.startsWith(functional)}
      id={idOf(functional)}
      title={titleOf(functional)[language]}
      lead={
        <>
          <SourcedValue
            name={t('gapName')}
            method="gap"
            source={sourceOf(material, 'bands', bands.functional)}
          >
            {sentence(gapSentence({ bands, gap: bandGap(bands) }, t), language)}
          </SourcedValue>{' '}
          <OtherGaps material={material} functional={bands.functional} />
        </>
      }
      tools={
        density && (
          <DensityCsv density={density} name={`${material.struct_id}-${functional.toLowerCase()}-dos`} />
        )
      }
    >
      <div className={isFirst ? classes.bandsColumns : undefined}>
        <div className={classes.bands}>
          <BandPlot
            bands={bands}
            density={density}
            formula={material.formula}
            name={name}
            place={place}
            onPlace={pointAt}
          />
          <p className={classes.bandsHint}>{t('hint')}</p>
        </div>
        {isFirst && (
          <div id="brillouin-zone" className={classes.zone}>
            <BrillouinZonePanel material={material} />
          </div>
        )}
      </div>
    </SourcedSection>
  );
}

/**
 * Other gaps of the material that could be confused with the gap of these bands: the one in the heading and the
 * measured one. The gap of the same calculation is not repeated if it has the same value.
 */
function OtherGaps({ material, functional }: MaterialSectionProps & { readonly functional: string }) {
  const { t, language } = useTexts(detailTexts);
  const own = material.band_gaps.find((gap) => gap.of === 'bands' && gap.functional === functional);
  const workOf = (gap: StatedGap): string | undefined => sourceOfGap(material, gap)?.works[0]?.text;
  const isRepeated = (gap: StatedGap): boolean =>
    own !== undefined &&
    workOf(own) !== undefined &&
    workOf(gap) === workOf(own) &&
    gapText(gap, language) === gapText(own, language);
  const others = material.band_gaps.filter((gap) => gap !== own && !isRepeated(gap));
  if (others.length === 0) return null;
  const texts = others.map((gap) => {
    const unit = gap.value === 0 ? '' : ' eV';
    return `${gapText(gap, language)}${unit} (${gapLabel(gap, sourceOfGap(material, gap), t)})`;
  });
  return t('gapsCompared', { others: texts.join(language === 'zh' ? '；' : '; ') });
}

function DensityCsv({ density, name }: { readonly density: DensityOfStates; readonly name: string }) {
  const { t } = useTexts(bandPlotTexts);
  const download = useDownload();
  const save = (): void => {
    const { header, rows } = densityTable(density);
    download.csv(`${name}.csv`, toCsv(header, rows));
  };
  return (
    <ToolbarButtons
      label={t('densityCsv')}
      buttons={[{ id: 'dos', label: t('densityCsv'), onClick: save }]}
    />
  );
}

const sentence = (text: string, language: 'en' | 'zh'): string =>
  language === 'zh' ? `${text}。` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const sectionOf = (functional: Functional): MaterialSection => ({
  id: idOf(functional),
  title: { en: `${functional} Bands and DOS`, zh: `${functional} 能带与态密度` },
  isPresent: (material) => isShown(material, functional),
  Component: ({ material }) => <Bands material={material} functional={functional} />,
});

export const pbeBandsSection = sectionOf('PBE');
export const hseBandsSection = sectionOf('HSE');

/** The id of the section that contains the zone; null for a material without bands. */
export function holderOfZone(material: MaterialDetail): string | null {
  const functional = firstFunctional(material);
  return functional ? idOf(functional) : null;
}

// Brillouin zone. With bands it is drawn beside them, so that both mark the same k-point; otherwise it is a separate
// section.

const title = { en: 'Brillouin Zone', zh: '布里渊区' };

function BrillouinZoneSection({ material }: MaterialSectionProps) {
  return (
    <SourcedSection
      material={material}
      of={['symmetry']}
      id="brillouin-zone"
      title={title[currentLanguage()]}
    >
      <BrillouinZonePanel material={material} />
    </SourcedSection>
  );
}

export const brillouinZoneSection: MaterialSection = {
  id: 'brillouin-zone',
  title,
  within: holderOfZone,
  Component: BrillouinZoneSection,
};
