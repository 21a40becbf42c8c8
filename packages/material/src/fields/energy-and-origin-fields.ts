/**
 * Energies of a material on the scale that the site shows (all scales are in `material_energy`), the origin of its
 * data, and predicted values.
 */
import type { Bilingual, Field } from './field.ts';

/**
 * Values that the site's neural network (method `prediction`) or its interatomic potential (method `potential`)
 * predicts for a material. They are kept apart from calculated and measured values: imports do not set them,
 * and every name contains "predicted".
 */
export interface PredictedField {
  /** Name used in filters and addresses. */
  readonly name: string;
  /** Method that gives the value: an entry of the methods page. */
  readonly method: 'prediction' | 'potential';
  /** Column of `material_prediction` or `potential_prediction`. */
  readonly column: string;
  readonly unit: string;
  /** Digits after the decimal point in tables. */
  readonly decimals: number;
  readonly label: Bilingual;
  /** One sentence that explains the value. */
  readonly meaning: Bilingual;
}

export const predictedFields = [
  {
    name: 'predicted_formation_energy',
    method: 'prediction',
    column: 'formation_energy_per_atom',
    unit: 'eV/atom',
    decimals: 3,
    label: { en: 'Predicted formation energy', zh: '预测形成能' },
    meaning: {
      en: 'Formation energy predicted by the network of the site, in the scheme of the Materials Project of 2018 (PBE, PBE+U).',
      zh: '由本站图神经网络预测的形成能，能量基准为 Materials Project 2018 方案（PBE、PBE+U）。',
    },
  },
  {
    name: 'predicted_band_gap',
    method: 'prediction',
    column: 'band_gap',
    unit: 'eV',
    decimals: 2,
    label: { en: 'Predicted band gap', zh: '预测带隙' },
    meaning: {
      en: 'Band gap of PBE predicted by the network of the site; smaller than a measured gap.',
      zh: '由本站图神经网络预测的 PBE 带隙，小于实测带隙。',
    },
  },
  {
    name: 'predicted_bulk_modulus',
    method: 'prediction',
    column: 'bulk_modulus',
    unit: 'GPa',
    decimals: 0,
    label: { en: 'Predicted bulk modulus', zh: '预测体积模量' },
    meaning: {
      en: 'Bulk modulus (Voigt-Reuss-Hill) predicted by the network of the site.',
      zh: '由本站图神经网络预测的体积模量（Voigt-Reuss-Hill 平均）。',
    },
  },
  {
    name: 'predicted_shear_modulus',
    method: 'prediction',
    column: 'shear_modulus',
    unit: 'GPa',
    decimals: 0,
    label: { en: 'Predicted shear modulus', zh: '预测剪切模量' },
    meaning: {
      en: 'Shear modulus (Voigt-Reuss-Hill) predicted by the network of the site.',
      zh: '由本站图神经网络预测的剪切模量（Voigt-Reuss-Hill 平均）。',
    },
  },
  {
    name: 'predicted_volume_change',
    method: 'potential',
    column: 'volume_change',
    unit: '%',
    decimals: 1,
    label: { en: 'Predicted volume change', zh: '预测体积变化' },
    meaning: {
      en: 'Volume of the relaxed cell relative to the stored one, predicted by SevenNet-0.',
      zh: '由 SevenNet-0 预测的弛豫晶胞体积相对于所存晶胞的变化。',
    },
  },
  {
    name: 'predicted_max_force',
    method: 'potential',
    column: 'max_force',
    unit: 'eV/Å',
    decimals: 2,
    label: { en: 'Predicted largest force, stored structure', zh: '所存结构上的预测最大受力' },
    meaning: {
      en: 'Largest force on an atom of the structure as given, predicted by SevenNet-0; large where the potential disagrees with the structure.',
      zh: '由 SevenNet-0 预测的、所给结构中原子所受的最大力；数值大表示势函数与该结构不一致。',
    },
  },
  {
    name: 'predicted_bulk_modulus_sevennet',
    method: 'potential',
    column: 'bulk_modulus',
    unit: 'GPa',
    decimals: 0,
    label: { en: 'Predicted bulk modulus (SevenNet-0)', zh: '预测体积模量（SevenNet-0）' },
    meaning: {
      en: 'Bulk modulus (Voigt-Reuss-Hill) of the elastic tensor predicted by SevenNet-0.',
      zh: '由 SevenNet-0 预测的弹性张量所得的体积模量（Voigt-Reuss-Hill 平均）。',
    },
  },
  {
    name: 'predicted_shear_modulus_sevennet',
    method: 'potential',
    column: 'shear_modulus',
    unit: 'GPa',
    decimals: 0,
    label: { en: 'Predicted shear modulus (SevenNet-0)', zh: '预测剪切模量（SevenNet-0）' },
    meaning: {
      en: 'Shear modulus (Voigt-Reuss-Hill) of the elastic tensor predicted by SevenNet-0; typically a quarter too low for compounds, unreliable for metals.',
      zh: '由 SevenNet-0 预测的弹性张量所得的剪切模量（Voigt-Reuss-Hill 平均），化合物通常偏低四分之一，金属的不可靠。',
    },
  },
  {
    name: 'predicted_debye_temperature',
    method: 'potential',
    column: 'debye_temperature',
    unit: 'K',
    decimals: 0,
    label: { en: 'Predicted Debye temperature', zh: '预测德拜温度' },
    meaning: {
      en: 'Debye temperature from the speeds of sound of the elastic tensor predicted by SevenNet-0.',
      zh: '由 SevenNet-0 预测的弹性张量所得声速算出的德拜温度。',
    },
  },
  {
    name: 'predicted_lowest_frequency',
    method: 'potential',
    column: 'lowest_frequency',
    unit: 'THz',
    decimals: 2,
    label: { en: 'Predicted lowest phonon frequency', zh: '预测最低声子频率' },
    meaning: {
      en: 'Lowest phonon frequency predicted by SevenNet-0 at the wave vectors that fit the supercell, without the sound waves at Γ; negative: imaginary.',
      zh: '由 SevenNet-0 预测的、与超胞相容的波矢处的最低声子频率（不计 Γ 点声学模），负值表示虚频。',
    },
  },
  {
    name: 'predicted_heat_capacity',
    method: 'potential',
    column: 'heat_capacity',
    unit: 'J/(mol·K)',
    decimals: 2,
    label: { en: 'Predicted heat capacity, 300 K', zh: '预测热容（300 K）' },
    meaning: {
      en: 'Heat capacity for each mole of atoms at 300 K and constant volume from phonons predicted by SevenNet-0; at most 24.94.',
      zh: '由 SevenNet-0 预测的声子所得的 300 K 定容热容（每摩尔原子），至多 24.94。',
    },
  },
] as const satisfies readonly PredictedField[];

/** The predicted field with this name; undefined for other names. */
export const predictedFieldOf = (name: string): PredictedField | undefined =>
  predictedFields.find((field) => field.name === name);

type Predicted = (typeof predictedFields)[number];

export const predictedFieldsBy = <Method extends Predicted['method']>(method: Method) =>
  predictedFields.filter(
    (field): field is Extract<Predicted, { readonly method: Method }> => field.method === method,
  );

/** Common names of a material, and the origin of its data. */
export const originFields = {
  nameEn: {
    kind: 'text',
    isNullable: true,
    column: 'name_en',
    line: 'names.en',
    ofSeveral: 'first',
    detail: 'names.en',
    label: { en: 'English name', zh: '英文名' },
    meaning: { en: 'Name people use, in English.', zh: '通用英文名称。' },
  },
  nameZh: {
    kind: 'text',
    isNullable: true,
    column: 'name_zh',
    line: 'names.zh',
    ofSeveral: 'first',
    detail: 'names.zh',
    label: { en: 'Chinese name', zh: '中文名' },
    meaning: { en: 'Name people use, in Chinese.', zh: '通用中文名称。' },
  },
  sourceName: {
    kind: 'text',
    column: 'source_name',
    line: 'source.name',
    ofSeveral: 'primary',
    detail: 'source.name',
    row: { position: 17, name: 'source', heading: { en: 'Source', zh: '来源' }, isHiddenByDefault: true },
    label: { en: 'Source', zh: '来源' },
    meaning: { en: 'Collection the material was taken from.', zh: '材料所取自的数据集。' },
  },
  sourceId: {
    kind: 'text',
    column: 'source_id',
    line: 'source.id',
    ofSeveral: 'primary',
    lineDefault: '',
    detail: 'source.id',
    row: {
      position: 18,
      name: 'source_id',
      heading: { en: 'Id in Source', zh: '来源编号' },
      isHiddenByDefault: true,
    },
    label: { en: 'Id in the source', zh: '来源编号' },
    meaning: { en: 'Its identifier in that collection.', zh: '材料在该数据集中的编号。' },
  },
  sourceLicence: {
    kind: 'text',
    column: 'source_licence',
    line: 'source.licence',
    ofSeveral: 'primary',
    lineDefault: '',
    detail: 'source.licence',
    row: { position: 19, name: 'licence', heading: { en: 'Licence', zh: '许可' }, isHiddenByDefault: true },
    label: { en: 'Licence', zh: '许可' },
    meaning: { en: 'Licence its data are under.', zh: '其数据所用的许可。' },
  },
  sourceUrl: {
    kind: 'url',
    isNullable: true,
    column: 'source_url',
    line: 'source.url',
    ofSeveral: 'primary',
    detail: 'source.url',
    label: { en: 'Address', zh: '网址' },
    meaning: { en: 'Address of its page in that collection.', zh: '该数据集中对应页面的网址。' },
  },
  observed: {
    kind: 'choice',
    options: {
      observed: { en: 'observed', zh: '实验已知' },
      'computed only': { en: 'computed only', zh: '仅有计算' },
    },
    isNullable: true,
    column: 'observed',
    row: {
      position: 16,
      name: 'observed',
      heading: { en: 'Observed', zh: '是否实验已知' },
      isHiddenByDefault: true,
    },
    label: { en: 'Observed', zh: '是否实验已知' },
    meaning: {
      en: 'Whether the compound has been made (`provenance.observed.status` of its line); empty where that is not established.',
      zh: '该化合物是否已被合成（行中的 provenance.observed.status）；未确定时为空。',
    },
  },
} as const satisfies Readonly<Record<string, Field>>;

export const energyFields = {
  functional: {
    kind: 'text',
    isNullable: true,
    column: 'functional',
    label: { en: 'Functional', zh: '泛函' },
    meaning: {
      en: 'Energy scale of the energies shown; energies of different scales cannot be compared.',
      zh: '所示能量的能量基准；不同基准的能量不可比较。',
    },
  },
  energy: {
    kind: 'number',
    unit: 'eV',
    decimals: 3,
    method: 'energy',
    sourceSection: 'energy',
    filterControl: 'none',
    per: 'cell',
    isNullable: true,
    column: 'energy',
    detail: 'energies.energy',
    label: { en: 'Energy', zh: '总能' },
    meaning: {
      en: 'Total energy of the primitive cell; empty when only a formation energy is known.',
      zh: '原胞的总能；仅知形成能时为空。',
    },
  },
  energyPerAtom: {
    kind: 'number',
    unit: 'eV/atom',
    decimals: 3,
    method: 'energy',
    sourceSection: 'energy',
    filterControl: 'none',
    isNullable: true,
    column: 'energy_per_atom',
    detail: 'energies.energy_per_atom',
    label: { en: 'Energy per atom', zh: '每原子能量' },
    meaning: { en: 'Total energy per atom.', zh: '每原子的总能。' },
  },
  formationEnergyPerAtom: {
    kind: 'number',
    unit: 'eV/atom',
    decimals: 3,
    method: 'formation',
    sourceSection: 'energy',
    isNullable: true,
    column: 'formation_energy_per_atom',
    detail: 'energies.formation_energy_per_atom',
    row: {
      position: 3,
      name: 'form_energy',
      heading: { en: 'Formation Energy (eV/atom)', zh: '形成能 (eV/atom)' },
    },
    label: { en: 'Formation energy', zh: '形成能' },
    meaning: {
      en: 'Energy per atom released or taken up when the material forms from its elements.',
      zh: '由各元素单质生成该材料时每原子的能量变化。',
    },
  },
  energyAboveHull: {
    kind: 'number',
    unit: 'eV/atom',
    decimals: 3,
    method: 'hull',
    sourceSection: 'energy',
    filterControl: {
      isOpen: true,
      presets: [
        [0, 0],
        [null, 0.025],
        [null, 0.05],
        [null, 0.1],
      ],
    },
    isNullable: true,
    column: 'energy_above_hull',
    detail: 'energies.e_above_hull',
    row: {
      position: 4,
      name: 'e_above_hull',
      heading: { en: 'E Above Hull (eV/atom)', zh: '高于凸包的能量 (eV/atom)' },
    },
    label: { en: 'Above hull', zh: '高于凸包的能量' },
    meaning: {
      en: 'Energy per atom above the stable phases of the same composition; 0 is stable.',
      zh: '相对于同成分稳定相的每原子能量；0 表示稳定。',
    },
  },
} as const satisfies Readonly<Record<string, Field>>;
