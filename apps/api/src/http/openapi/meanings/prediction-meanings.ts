/** Of predicted properties. */
export const predictionMeanings: Readonly<Record<string, string>> = {
  'predict:structure': 'Text of a CIF or POSCAR file; or nothing, when `struct_id` names a material.',
  file_name: 'Name of the file, from which its format is known.',
  'predict:nsites': 'Number of atoms in the cell as it was given.',
  'competing_phases.struct_id':
    'The material; null for an element known only as the zero of a published scale.',
  struct_id: 'A material of the catalogue, predicted as its structure was given.',
  formation_energy_per_atom:
    'Formation energy from the elements, PBE and PBE+U in the scheme of the Materials Project of 2018. {eV/atom}',
  'formation_energy_per_atom.value': 'The predicted formation energy. {eV/atom}',
  'formation_energy_per_atom.low': 'Lower end of the 90 % interval. {eV/atom}',
  'formation_energy_per_atom.high': 'Upper end of the 90 % interval. {eV/atom}',
  band_gap: 'Band gap of PBE, which is smaller than a measured one. {eV}',
  'band_gap.value': 'The predicted band gap. {eV}',
  'band_gap.low': 'Lower end of the 90 % interval. {eV}',
  'band_gap.high': 'Upper end of the 90 % interval. {eV}',
  insulator_probability: 'Probability that PBE gives a gap at all, 0 to 1.',
  bulk_modulus: 'Bulk modulus, Voigt-Reuss-Hill mean. {GPa}',
  'bulk_modulus.value': 'The predicted bulk modulus. {GPa}',
  'bulk_modulus.low': 'Lower end of the 90 % interval. {GPa}',
  'bulk_modulus.high': 'Upper end of the 90 % interval. {GPa}',
  shear_modulus: 'Shear modulus, Voigt-Reuss-Hill mean. {GPa}',
  'shear_modulus.value': 'The predicted shear modulus. {GPa}',
  'shear_modulus.low': 'Lower end of the 90 % interval. {GPa}',
  'shear_modulus.high': 'Upper end of the 90 % interval. {GPa}',
  familiarity:
    'Where the crystal lies among those of the training: near them, at their edge, or outside, where values are not to be trusted.',
  nearest:
    'The five crystals of the training (of a sample) that the network holds most alike, nearest first.',
  'nearest.id': 'Materials Project id of the crystal.',
  distance:
    'Distance from it in the space of the network, in standard deviations of its principal components.',
  hull: 'How it stands against the stable phases of the catalogue; null where the catalogue lacks what a hull needs.',
  energy_above_hull:
    'Predicted energy above the stable phases of the catalogue, the material asked for left out; negative: below them. {eV/atom}',
  probability_within_25_mev:
    'Probability that the true energy lies at most 25 meV/atom above the hull, 0 to 1.',
  probability_within_50_mev:
    'Probability that the true energy lies at most 50 meV/atom above the hull, 0 to 1.',
  competing_phases: 'What the composition is made of in equilibrium without it.',
  atomic_fraction: 'Share of the atoms that is in this phase, 0 to 1.',
  hull_message: 'What the catalogue lacks for a hull; empty when there is one.',
  model: 'First 12 hexadecimal digits of the SHA-256 of the weights: a value belongs to its model.',
};
