/**
 * The sections of a material's page below its first screen, in order. Only app/ imports several features, so a feature
 * adds its section here: one entry and the file it names. A section whose `isPresent` returns false appears neither on
 * the page nor in its outline.
 */
import { SectionsBelow } from '../features/material/sections-below.tsx';
import type { MaterialSection, SectionsBelowProps } from '../features/material/material-section.ts';
import {
  brillouinZoneSection,
  hseBandsSection,
  pbeBandsSection,
} from '../features/material/sections/bands-section.tsx';
import { relatedSection } from '../features/material/related/related-section.tsx';
import { cellSection } from '../features/material/sections/cell-section.tsx';
import { citeSection } from '../features/material/sections/cite-section.tsx';
import {
  dielectricSection,
  piezoelectricSection,
} from '../features/material/sections/dielectric-section.tsx';
import { electrodesSection } from '../features/material/sections/electrodes-section.tsx';
import { elasticSection } from '../features/material/sections/elastic-section.tsx';
import { moreSection } from '../features/material/sections/more-section.tsx';
import { notesSection } from '../features/material/sections/notes-section.tsx';
import { phononsSection } from '../features/material/sections/phonons-section.tsx';
import { potentialSection } from '../features/material/sections/potential-section.tsx';
import { predictedSection } from '../features/material/sections/predicted-section.tsx';
import { recordsSection } from '../features/material/sections/records-section.tsx';
import { topologySection } from '../features/material/sections/topology-section.tsx';
import { volumeSection } from '../features/material/sections/volume-section.tsx';
import { xrdSection } from '../features/material/sections/xrd-section.tsx';
import { phaseSection } from './sections/phase-section.tsx';

const sections: readonly MaterialSection[] = [
  cellSection,
  pbeBandsSection,
  brillouinZoneSection,
  hseBandsSection,
  phaseSection,
  electrodesSection,
  xrdSection,
  dielectricSection,
  piezoelectricSection,
  elasticSection,
  phononsSection,
  topologySection,
  volumeSection,
  predictedSection,
  potentialSection,
  recordsSection,
  relatedSection,
  moreSection,
  citeSection,
  notesSection,
];

export const MaterialBelow = (props: SectionsBelowProps) => <SectionsBelow {...props} sections={sections} />;
