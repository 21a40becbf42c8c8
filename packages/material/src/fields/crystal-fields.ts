/** Fields derived from the crystal alone. */
import type { Field } from './field.ts';

const LATTICE_SYSTEMS = {
  triclinic: { en: 'triclinic', zh: '三斜' },
  monoclinic: { en: 'monoclinic', zh: '单斜' },
  orthorhombic: { en: 'orthorhombic', zh: '正交' },
  tetragonal: { en: 'tetragonal', zh: '四方' },
  hexagonal: { en: 'hexagonal', zh: '六方' },
  cubic: { en: 'cubic', zh: '立方' },
} as const;
const { hexagonal, cubic, ...LOWER_SYSTEMS } = LATTICE_SYSTEMS;

export const crystalFields = {
  structId: {
    kind: 'id',
    column: 'struct_id',
    detail: 'struct_id',
    row: { position: 0, name: 'struct_id', heading: { en: 'Struct_id', zh: '材料编号' } },
    label: { en: 'Struct_id', zh: '编号' },
    meaning: {
      en: 'Number of the material in this database.',
      zh: '材料在本数据库中的编号。',
    },
  },
  formula: {
    kind: 'text',
    notation: 'formula',
    column: 'formula',
    detail: 'formula',
    row: { position: 1, name: 'formula', heading: { en: 'Formula', zh: '化学式' } },
    label: { en: 'Formula', zh: '化学式' },
    meaning: {
      en: 'Chemical formula in the order chemists write it.',
      zh: '按化学惯例书写的化学式。',
    },
  },
  formulaReduced: {
    kind: 'text',
    notation: 'formula',
    column: 'formula_reduced',
    label: { en: 'Reduced formula', zh: '约化化学式' },
    meaning: {
      en: 'Formula with the smallest whole numbers, elements by electronegativity.',
      zh: '取最小整数比的化学式，元素按电负性排列。',
    },
  },
  formulaAnonymous: {
    kind: 'text',
    notation: 'formula',
    column: 'formula_anonymous',
    label: { en: 'Anonymous formula', zh: '匿名化学式' },
    meaning: {
      en: 'Reduced formula with letters for the elements, smallest amount first: ABC3.',
      zh: '以字母代替元素的约化化学式，按数目由小到大：ABC3。',
    },
  },
  chemicalSystem: {
    kind: 'text',
    column: 'chemical_system',
    label: { en: 'Chemical system', zh: '化学体系' },
    meaning: {
      en: 'Symbols of the elements in alphabetical order, joined by hyphens.',
      zh: '按字母顺序以连字符相连的元素符号。',
    },
  },
  elements: {
    kind: 'texts',
    column: 'elements',
    detail: 'elements',
    label: { en: 'Elements', zh: '元素' },
    meaning: {
      en: 'Symbols of the elements in alphabetical order.',
      zh: '按字母顺序排列的元素符号。',
    },
  },
  nElements: {
    kind: 'count',
    column: 'nelements',
    detail: 'nelements',
    label: { en: 'Number of elements', zh: '元素数' },
    meaning: { en: 'How many elements the material is made of.', zh: '组成材料的元素种数。' },
  },
  nSites: {
    kind: 'count',
    method: 'cell',
    column: 'nsites',
    detail: 'nsites',
    row: { position: 6, name: 'nsites', heading: { en: 'Nsites', zh: '原子数' } },
    label: { en: 'Sites (primitive cell)', zh: '原子数（原胞）' },
    meaning: { en: 'Sites of the primitive cell.', zh: '原胞中的位点数。' },
  },
  spaceGroupNumber: {
    kind: 'count',
    filterControl: 'none',
    column: 'space_group_number',
    detail: 'symmetry_data.space_group_number',
    label: { en: 'Space group number', zh: '空间群号' },
    meaning: {
      en: 'Number of the space group in the International Tables, 1 to 230.',
      zh: '《国际晶体学表》中的空间群号，1 至 230。',
    },
  },
  spaceGroup: {
    kind: 'text',
    notation: 'hermann-mauguin',
    column: 'space_group',
    detail: 'symmetry_data.space_group',
    row: { position: 2, name: 'space_group', heading: { en: 'Spacegroup', zh: '空间群' } },
    label: { en: 'Space group', zh: '空间群' },
    meaning: {
      en: 'Short Hermann–Mauguin symbol of the space group.',
      zh: '空间群的简短 Hermann–Mauguin 符号。',
    },
  },
  hall: {
    kind: 'text',
    column: 'hall',
    detail: 'symmetry_data.hall',
    label: { en: 'Hall', zh: 'Hall' },
    meaning: {
      en: 'Hall symbol: space group with its setting and origin.',
      zh: 'Hall 符号：空间群及其取向与原点。',
    },
  },
  pointGroup: {
    kind: 'text',
    notation: 'hermann-mauguin',
    column: 'point_group',
    detail: 'symmetry_data.point_group',
    label: { en: 'Point group', zh: '点群' },
    meaning: {
      en: 'Hermann–Mauguin symbol of the crystal class.',
      zh: '晶类的 Hermann–Mauguin 符号。',
    },
  },
  crystalSystem: {
    kind: 'choice',
    options: { ...LOWER_SYSTEMS, trigonal: { en: 'trigonal', zh: '三方' }, hexagonal, cubic },
    column: 'crystal_system',
    detail: 'symmetry_data.crystal_system',
    row: {
      position: 8,
      name: 'crystal_system',
      heading: { en: 'Crystal System', zh: '晶系' },
      isHiddenByDefault: true,
    },
    label: { en: 'Crystal system', zh: '晶系' },
    meaning: { en: 'One of the seven crystal systems.', zh: '七大晶系之一。' },
  },
  latticeType: {
    kind: 'choice',
    filterControl: 'none',
    options: { ...LOWER_SYSTEMS, rhombohedral: { en: 'rhombohedral', zh: '菱方' }, hexagonal, cubic },
    column: 'lattice_type',
    detail: 'symmetry_data.lattice_type',
    row: {
      position: 9,
      name: 'lattice_type',
      heading: { en: 'Lattice Type', zh: '点阵类型' },
      isHiddenByDefault: true,
    },
    label: { en: 'Lattice type', zh: '点阵类型' },
    meaning: {
      en: 'Lattice system: as the crystal system, but trigonal crystals are hexagonal or rhombohedral.',
      zh: '点阵系：同晶系，但三方晶体分为六方与菱方。',
    },
  },
  volume: {
    kind: 'number',
    unit: 'Å³',
    decimals: 2,
    method: 'cell',
    sourceSection: 'structure',
    filterControl: 'none',
    per: 'cell',
    column: 'volume',
    label: { en: 'Volume', zh: '体积' },
    meaning: { en: 'Volume of the primitive cell.', zh: '原胞体积。' },
  },
  density: {
    kind: 'number',
    unit: 'g/cm³',
    decimals: 2,
    method: 'density',
    sourceSection: 'structure',
    column: 'density',
    detail: 'density',
    label: { en: 'Density', zh: '密度' },
    meaning: {
      en: 'Mass of the cell over its volume, with standard atomic weights.',
      zh: '以标准原子量计算的晶胞质量与体积之比。',
    },
  },
} as const satisfies Readonly<Record<string, Field>>;
