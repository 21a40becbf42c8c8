/**
 * The sections of a material's page below its first screen, in order. Features meet only in app/, so a feature adds its section here:
 * one entry and the file it names. A section whose `isPresent` says no leaves no trace, neither on the page nor in its outline.
 */
import { SectionsBelow } from '../features/matdata/components/sections-below.tsx';
import type { MaterialSection, SectionsBelowProps } from '../features/matdata/material-section.ts';
import { hseBandsSection, pbeBandsSection } from '../features/matdata/sections/bands-section.tsx';
import { relatedSection } from '../features/matdata/related/related-section.tsx';
import { brillouinZoneSection } from '../features/matdata/sections/brillouin-zone-section.tsx';
import { cellSection } from '../features/matdata/sections/cell-section.tsx';
import { citeSection } from '../features/matdata/sections/cite-section.tsx';
import { dielectricSection } from '../features/matdata/sections/dielectric-section.tsx';
import { elasticSection } from '../features/matdata/sections/elastic-section.tsx';
import { moreSection } from '../features/matdata/sections/more-section.tsx';
import { piezoelectricSection } from '../features/matdata/sections/piezoelectric-section.tsx';
import { predictedSection } from '../features/matdata/sections/predicted-section.tsx';
import { recordsSection } from '../features/matdata/sections/records-section.tsx';
import { topologySection } from '../features/matdata/sections/topology-section.tsx';
import { volumeSection } from '../features/matdata/sections/volume-section.tsx';
import { xrdSection } from '../features/matdata/sections/xrd-section.tsx';
import { phaseSection } from './sections/phase-section.tsx';

const sections: readonly MaterialSection[] = [
  cellSection,
  pbeBandsSection,
  brillouinZoneSection,
  hseBandsSection,
  phaseSection,
  xrdSection,
  dielectricSection,
  piezoelectricSection,
  elasticSection,
  topologySection,
  volumeSection,
  predictedSection,
  recordsSection,
  relatedSection,
  moreSection,
  citeSection,
];

export const MaterialBelow = (props: SectionsBelowProps) => <SectionsBelow {...props} sections={sections} />;
