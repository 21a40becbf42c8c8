/** Electrodes compared in one answer. */
export const MAX_COMPARED_ELECTRODES = 5;

/** Electrodes of one page of a search. */
export const ELECTRODE_PAGE = { standard: 50, largest: 500 } as const;

/** eV/atom. Materials further above the hull are no states of an electrode. */
export const STATE_LIMIT = 0.2;

/** Fields by which a search is sorted. */
export const ELECTRODE_SORTS = [
  'specific_energy',
  'energy_density',
  'average_voltage',
  'capacity',
  'volume_capacity',
  'volume_change',
  'above_hull',
  'framework',
] as const;

export type ElectrodeSort = (typeof ELECTRODE_SORTS)[number];
