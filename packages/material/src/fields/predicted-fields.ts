/**
 * What the site's network predicts of a material. Kept apart from what was calculated or measured: no line of an import gives it, no
 * export repeats it, and every name says that it is predicted. The values are in the table `material_prediction`.
 */
import type { Bilingual } from './field.ts';

export interface PredictedField {
  /** Name in filters and addresses. */
  readonly name: string;
  /** Column of `material_prediction`. */
  readonly column: string;
  readonly unit: string;
  readonly label: Bilingual;
  /** One sentence: what the value is. */
  readonly meaning: Bilingual;
}

export const predictedFields = [
  {
    name: 'predicted_formation_energy',
    column: 'formation_energy_per_atom',
    unit: 'eV/atom',
    label: { en: 'Predicted formation energy', zh: '预测形成能' },
    meaning: {
      en: 'Formation energy predicted by the network of the site, in the scheme of the Materials Project of 2018 (PBE, PBE+U).',
      zh: '由本站图网络预测的形成能，能量基准为 Materials Project 2018 方案（PBE、PBE+U）。',
    },
  },
  {
    name: 'predicted_band_gap',
    column: 'band_gap',
    unit: 'eV',
    label: { en: 'Predicted band gap', zh: '预测带隙' },
    meaning: {
      en: 'Band gap of PBE predicted by the network of the site; smaller than a measured gap.',
      zh: '由本站图网络预测的 PBE 带隙，小于实测带隙。',
    },
  },
  {
    name: 'predicted_bulk_modulus',
    column: 'bulk_modulus',
    unit: 'GPa',
    label: { en: 'Predicted bulk modulus', zh: '预测体积模量' },
    meaning: {
      en: 'Bulk modulus (Voigt-Reuss-Hill) predicted by the network of the site.',
      zh: '由本站图网络预测的体积模量（Voigt-Reuss-Hill 平均）。',
    },
  },
  {
    name: 'predicted_shear_modulus',
    column: 'shear_modulus',
    unit: 'GPa',
    label: { en: 'Predicted shear modulus', zh: '预测剪切模量' },
    meaning: {
      en: 'Shear modulus (Voigt-Reuss-Hill) predicted by the network of the site.',
      zh: '由本站图网络预测的剪切模量（Voigt-Reuss-Hill 平均）。',
    },
  },
] as const satisfies readonly PredictedField[];

/** The predicted field of a name; undefined for other names. */
export const predictedFieldOf = (name: string): PredictedField | undefined =>
  predictedFields.find((field) => field.name === name);
