/** Of predicted properties. */
import { predictedMeanings } from './predicted-meanings.ts';

export const predictionMeanings: Readonly<Record<string, string>> = {
  ...predictedMeanings,
  'predict:structure': 'Text of a CIF or POSCAR file; or nothing, when `struct_id` names a material.',
  file_name: 'Name of the file, from which its format is known.',
  'predict:nsites': 'Number of atoms in the cell as it was given.',
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
