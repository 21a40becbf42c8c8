/** Of what leads on from a material, and of what several sources say of one. */
export const relatedMeanings: Readonly<Record<string, string>> = {
  windows: 'Electrochemical windows, one per working ion there is one for.',
  'windows.working_ion': 'Symbol of the working ion.',
  'windows.reduction_onset': 'Voltage below which the material is reduced, against the metal of the ion. {V}',
  'windows.oxidation_onset':
    'Voltage above which it is oxidised, against the metal of the ion; null: no upper end. {V}',
  'getRelated:functional': 'Scale of the energies and windows; null for a material without energies.',
  'getRelated:count': 'How many there are, also beyond the rows; of `similar`: how many rows.',
  'getRelated:rows': 'The first of them, at most eight.',
  'getRelated:e_above_hull':
    'Energy above the hull on the scale of the answer; null where it has no energy there. {eV/atom}',
  polymorphs: 'Other crystals of its formula, nearest to the hull first.',
  same_system: 'Materials of its elements and no others but of other formulas, nearest to the hull first.',
  prototype: 'Space group and occupied Wyckoff positions: `225:a4 b4`; null where it was not derived.',
  same_prototype: 'Crystals of its prototype, nearest arrangement first.',
  similar: 'Crystals of other prototypes with a similar arrangement of atoms, nearest first.',
  'getRelated:distance': 'Distance of the two arrangements of atoms: 0 (the same distances up to size) to 1.',
  records: 'What each source says of the material; empty where there is one source.',
  'records.id': 'Number of the record.',
  'records.own_id':
    'The struct_id it stood under by itself, which answers with this material now; null: it never did.',
  'records.source': 'Where the record is from.',
  'records.space_group': 'Hermann–Mauguin symbol of the space group the source gives.',
  'source.name': 'Name of the source.',
  'source.id': 'Its number at the source.',
  'source.licence': 'Licence of the record.',
  'source.url': 'Address at the source; null without one.',
  'records.imported_at': 'When the record was imported, ISO 8601.',
  'records.shown':
    "Parts of the material shown that are this record's: `structure`, `bandGap`, `energy:PBE (MP 2018)` …",
  comparison: 'How far the sources are apart, by property; empty where there is one source.',
  'comparison.property': 'The property compared.',
  'comparison.of': 'The energy scale, of energies; else empty.',
  'comparison.unit': 'Unit of the values; empty for pure numbers.',
  'comparison.values': 'Values in the order of `records`; null: that source does not say.',
  'comparison.spread':
    'Largest minus smallest value, in `unit`; a share of their mean where the bound is relative.',
  'comparison.bound': 'Largest spread that is no disagreement, in `unit` or as a share of the mean.',
  'comparison.is_relative': 'Spread and bound are shares of the mean.',
  'comparison.is_disagreement': 'The values are further apart than the bound.',
};
