/** Of predicted values, wherever they stand. */
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
