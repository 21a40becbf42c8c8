/** Working ions with stored windows; the first is the default. */
export const WORKING_IONS = ['Li', 'Na', 'K', 'Mg', 'Ca', 'Zn', 'Al'] as const;

export type WorkingIon = (typeof WORKING_IONS)[number];

/** Ranges of the sliders (spec §2.10). A filter that spans its whole range is inactive. */
export const WINDOW_FILTER_RANGES = {
  /** V against the working ion */
  collapse_Reduction: { min: 0, max: 7, step: 0.1 },
  /** V against the working ion */
  collapse_Oxidation: { min: 0, max: 7, step: 0.1 },
  /** eV/atom */
  collapse_ehull: { min: 0, max: 0.5, step: 0.001 },
  /** eV */
  collapse_bandgap: { min: 0, max: 10, step: 0.1 },
} as const;

export type WindowFilterName = keyof typeof WINDOW_FILTER_RANGES;

/** Fields of a row, in order. Onsets are in V against the working ion, ehull in eV/atom, bandgap in eV. */
export const WINDOW_ROW_FIELDS = [
  'struct_id',
  'formula',
  'reduction_onset',
  'oxidation_onset',
  'work_ion',
  'ehull',
  'bandgap',
  'nsites',
  'spacegroup',
  'crystal_system',
  'pointgroup',
  'hall',
] as const;
