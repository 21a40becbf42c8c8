/** Of predicted properties. */

export const predictedMeanings: Readonly<Record<string, string>> = {
  'predicted.formation_energy_per_atom':
    'Predicted formation energy from the elements, PBE and PBE+U in the scheme of the Materials Project of 2018. {eV/atom}',
  'formation_energy_per_atom.value': 'The predicted formation energy. {eV/atom}',
  'formation_energy_per_atom.low': 'Lower end of the 90 % interval. {eV/atom}',
  'formation_energy_per_atom.high': 'Upper end of the 90 % interval. {eV/atom}',
  'predicted.band_gap': 'Predicted band gap of PBE, which is smaller than a measured one. {eV}',
  'band_gap.value': 'The predicted band gap. {eV}',
  'band_gap.low': 'Lower end of the 90 % interval. {eV}',
  'band_gap.high': 'Upper end of the 90 % interval. {eV}',
  insulator_probability:
    'Probability that PBE gives a gap at all, 0 to 1. Below 0.5 beside a band gap of 0.1 eV or more the network contradicts itself and the interval of the gap does not hold: of 57 such test crystals it held 49 %.',
  'predicted.bulk_modulus': 'Predicted bulk modulus, Voigt-Reuss-Hill mean. {GPa}',
  'bulk_modulus.value': 'The predicted bulk modulus. {GPa}',
  'bulk_modulus.low': 'Lower end of the 90 % interval. {GPa}',
  'bulk_modulus.high': 'Upper end of the 90 % interval. {GPa}',
  'predicted.shear_modulus': 'Predicted shear modulus, Voigt-Reuss-Hill mean. {GPa}',
  'shear_modulus.value': 'The predicted shear modulus. {GPa}',
  'shear_modulus.low': 'Lower end of the 90 % interval. {GPa}',
  'shear_modulus.high': 'Upper end of the 90 % interval. {GPa}',
  familiarity:
    'Where the crystal lies among those of the training: near them, at their edge, or outside, where values are not to be trusted.',
  predicted:
    'What the network of the site says of it, neither measured nor calculated; null where it says nothing or predictions are switched off.',
  'predicted.model':
    'First 12 hexadecimal digits of the SHA-256 of the weights: a value belongs to its model.',
  'predicted.calculated':
    'What was calculated of the same: the energy on the scale the network learnt, a gap of PBE, moduli of the tensor.',
  'calculated.formation_energy_per_atom':
    'Calculated formation energy on the scale the network learnt; null where not known. {eV/atom}',
  'calculated.band_gap': 'Calculated band gap of PBE; null where not known. {eV}',
  'calculated.bulk_modulus': 'Bulk modulus of the calculated tensor; null where not known. {GPa}',
  'calculated.shear_modulus': 'Shear modulus of the calculated tensor; null where not known. {GPa}',
  'predicted.disagreements':
    'Properties whose calculated value lies outside the 90 % interval of the predicted one.',
  energy_above_hull:
    'Predicted energy above the stable phases of the catalogue; negative: below them. {eV/atom}',
  probability_within_25_mev:
    'Probability that the true energy lies at most 25 meV/atom above the hull, 0 to 1.',
  probability_within_50_mev:
    'Probability that the true energy lies at most 50 meV/atom above the hull, 0 to 1.',
};

export const predictionMeanings: Readonly<Record<string, string>> = {
  ...predictedMeanings,
  'predict:structure': 'Text of a CIF or POSCAR file; or nothing, when a formula or `struct_id` is given.',
  'predict:formula':
    'A formula without a structure, such as LiFePO4: what is predicted is its lowest crystal, with wider intervals, and the measured gap. In the answer the reduced formula.',
  measured_band_gap:
    'Band gap as measured, which is larger than that of PBE; of formulas alone, null for crystals. {eV}',
  'measured_band_gap.value': 'The predicted measured gap. {eV}',
  'measured_band_gap.low': 'Lower end of the 90 % interval. {eV}',
  'measured_band_gap.high': 'Upper end of the 90 % interval. {eV}',
  measured_insulator_probability:
    'Probability that a gap is measured at all, 0 to 1; of formulas alone, null for crystals.',
  file_name: 'Name of the file, from which its format is known.',
  'predict:nsites': 'Number of atoms in the cell as it was given; null for a formula.',
  'competing_phases.struct_id':
    'The material; null for an element known only as the zero of a published scale.',
  struct_id: 'A material of the catalogue, predicted as its structure was given.',
  formation_energy_per_atom:
    'Formation energy from the elements, PBE and PBE+U in the scheme of the Materials Project of 2018. {eV/atom}',
  band_gap: 'Band gap of PBE, which is smaller than a measured one. {eV}',
  bulk_modulus: 'Bulk modulus, Voigt-Reuss-Hill mean. {GPa}',
  shear_modulus: 'Shear modulus, Voigt-Reuss-Hill mean. {GPa}',
  nearest:
    'The five crystals of the training (of a sample) that the network holds most alike, nearest first.',
  'nearest.id': 'Materials Project id of the crystal.',
  'nearest.struct_id': 'The material of the catalogue that it is; null: the catalogue does not have it.',
  distance:
    'Distance from it in the space of the network, in standard deviations of its principal components.',
  hull: 'How it stands against the stable phases of the catalogue; null where the catalogue lacks what a hull needs.',
  energy_above_hull:
    'Predicted energy above the stable phases of the catalogue, the material asked for left out; negative: below them. {eV/atom}',
  competing_phases: 'What the composition is made of in equilibrium without it.',
  atomic_fraction: 'Share of the atoms that is in this phase, 0 to 1.',
  'predictionScore:rows': 'Newest first, at most 500.',
  'rows.struct_id': 'The material that was calculated.',
  'rows.functional':
    'Energy scale of what was calculated; formation energies of another scale than the model’s differ by more than its error.',
  'modelCard:model': 'First 12 hexadecimal digits of the SHA-256 of the weights of the model that predicts.',
  is_shipped: 'It is the model of the program; otherwise one that the operator of the site trained.',
  members: 'Networks whose mean is told.',
  taught_crystals: 'Crystals it was taught.',
  taught_formulas: 'Compositions the network for formulas was taught.',
  calibration_crystals: 'Crystals of other chemical systems, which set the widths of the intervals.',
  test_crystals:
    'Crystals of chemical systems that took part in neither training nor calibration: the figures are of them.',
  figures: 'Errors and coverage of each predicted property.',
  'figures.of': 'Told of crystals, or of formulas without a structure.',
  'figures.property': 'Which property; of moduli the decimal logarithm in GPa.',
  'figures.mean_absolute_error': 'Mean absolute error, in eV/atom, eV, or decades of a modulus.',
  rows: 'Number of values that were known.',
  coverage: 'Share of the true values inside the 90 % interval, 0 to 1.',
  classes: 'Formation energies by class of compound.',
  compound_class:
    'The first that fits: f element, oxide, halide, chalcogenide, other non-metal, intermetallic.',
  crystals: 'Number of crystals.',
  systems: 'Number of chemical systems they are of.',
  'classes.mean_absolute_error': 'Mean absolute error of the formation energy. {eV/atom}',
  coverage_error: 'Standard error of the coverage; crystals of one system err together.',
  mean_half_width: 'Mean half width of the 90 % interval. {eV/atom}',
  detection: 'How well crystals near the hull are told from others.',
  'detection.of': 'Told of crystals, or of formulas without a structure.',
  margin: 'Height over the hull up to which a crystal counts as near it. {meV/atom}',
  prevalence: 'Share of the crystals that lie within the margin, 0 to 1.',
  precision: 'Share of those told to be near that are, 0 to 1.',
  recall: 'Share of those near that are told to be, 0 to 1.',
  f1: 'Harmonic mean of precision and recall, 0 to 1.',
  f1_of_all_yes: 'The same of saying yes to every crystal, 0 to 1.',
  chances: 'For each tenth of the scale of chances what was told and what came true.',
  told: 'Mean chance that was told, 0 to 1.',
  found: 'Share that came true, 0 to 1.',
  property: 'Which property.',
  'rows.predicted': 'What was predicted before the calculation, with its 90 % interval.',
  'predicted.value': 'The predicted value.',
  'predicted.low': 'Lower end of the 90 % interval.',
  'predicted.high': 'Upper end of the 90 % interval.',
  calculated: 'What was calculated, in the unit of the property.',
  is_within: 'Whether the calculated value lies inside the interval.',
  'predictionScore:summary': 'The score of each property on each energy scale.',
  'summary.functional': 'The energy scale.',
  compared: 'Number of calculations.',
  mean_absolute_error: 'Mean of the absolute differences, in the unit of the property.',
  within: 'Share of the calculated values inside the 90 % interval, 0 to 1.',
  hull_message: 'What the catalogue lacks for a hull; empty when there is one.',
  model: 'First 12 hexadecimal digits of the SHA-256 of the weights: a value belongs to its model.',
};

/** Of predicted values, wherever they stand. */
// ── Of searches for new compounds ──

export const designMeanings: Readonly<Record<string, string>> = {
  ...predictedMeanings,
  id: 'Number of the search.',
  elements: 'Symbols of the elements.',
  required: 'Symbols that every compound holds.',
  nelements: 'Number of elements of a compound.',
  filter:
    'What candidates must meet, in the filter language: their elements, predicted values, distance to the hull, electrochemical windows.',
  max_atoms: 'Atoms of the primitive cell at most.',
  'request.candidates': 'Candidates to predict at most, the chemically nearest first.',
  'startDesign:candidates': 'Candidates to predict at most, the chemically nearest first.',
  include_known: 'Compounds the catalogue has already are shown too.',
  runs: 'Searches, newest first.',
  run: 'The search.',
  request: 'What was asked for.',
  status: 'Where the search is.',
  progress: 'Share of the work that is done, 0 to 1.',
  counts: 'What was left at each step; what is not known yet is absent.',
  templates: 'Known crystals whose places were tried.',
  considered: 'Assignments of elements to places.',
  unbalanced: 'Assignments left out because no charges make them neutral.',
  'counts.predicted': 'Candidates that were predicted.',
  refused: 'Candidates the model says nothing of.',
  filtered: 'Candidates left out by the filter.',
  without_hull: 'Candidates left out because the catalogue lacks what their hull needs.',
  duplicates: 'Candidates that are the same crystal as a better one.',
  known: 'Candidates the catalogue has already.',
  kept: 'Candidates that were kept.',
  model: 'First 12 hexadecimal digits of the SHA-256 of the weights; empty until the search runs.',
  reason: 'Why the search failed; empty when it did not.',
  created_at: 'When it was asked for, ISO 8601.',
  finished_at: 'When it ended, ISO 8601; null while it waits or runs.',
  candidates: 'Compounds that were found, lowest predicted energy above the hull first.',
  rank: 'Place among the candidates, from 1.',
  formula: 'Its formula.',
  nsites: 'Number of atoms in its cell.',
  space_group: 'Space group of the crystal whose places were taken.',
  density: 'Density of the cell as scaled. {g/cm³}',
  template: 'The crystal of the catalogue whose places were taken.',
  'template.struct_id': 'Id of that material.',
  'template.formula': 'Formula of that material.',
  replaced: 'Which elements of it were replaced; those that stayed are not named.',
  from: 'The element that was there.',
  to: 'The element that took its place.',
  volume_ratio: 'Volume of the cell over that of the crystal it was made from.',
  distance:
    'How unlike the elements are to those they replace, in 15 % of a radius and 0.5 of electronegativity; 0 for the same.',
  windows: 'Electrochemical windows against the ions the filter asks for.',
  ion: 'The working ion.',
  reduction_onset: 'Below this voltage it takes up ions. {V}',
  oxidation_onset: 'Above this voltage it gives up ions; null: no upper bound. {V}',
  known_struct_id: 'The material of the catalogue that is this crystal; null: there is none.',
  structure: 'The cell, as `run4u_submit` takes it.',
  cif: 'The same as CIF text in P1.',
};
