/**
 * The sections of a material's page, in order. Features meet only in app/, so a feature adds its section here: one
 * entry and the file it names. A section whose `isPresent` says no leaves no trace, neither on the page nor in its outline.
 */
import type { MaterialSection } from '../features/matdata/material-section.ts';
import { cellSection } from '../features/matdata/sections/cell-section.tsx';
import { moreSection } from '../features/matdata/sections/more-section.tsx';
import { structureSection } from '../features/matdata/sections/structure-section.tsx';
import { phaseSection } from './sections/phase-section.tsx';

export const materialSections: readonly MaterialSection[] = [
  structureSection,
  cellSection,
  phaseSection,
  moreSection,
];
