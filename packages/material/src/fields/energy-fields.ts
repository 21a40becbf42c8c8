/** Energies on the scale the site shows for a material; all its scales are in `material_energy`. */
import type { Field } from './field.ts';

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
    method: 'energy',
    sourceSection: 'energy',
    rail: 'none',
    per: 'cell',
    isNullable: true,
    column: 'energy',
    detail: 'energies.energy',
    label: { en: 'energy', zh: '总能' },
    meaning: {
      en: 'Total energy of the primitive cell; empty when only a formation energy is known.',
      zh: '原胞的总能；仅知形成能时为空。',
    },
  },
  energyPerAtom: {
    kind: 'number',
    unit: 'eV/atom',
    method: 'energy',
    sourceSection: 'energy',
    rail: 'none',
    isNullable: true,
    column: 'energy_per_atom',
    detail: 'energies.energy_per_atom',
    label: { en: 'energy per atom', zh: '每原子能量' },
    meaning: { en: 'Total energy per atom.', zh: '每原子的总能。' },
  },
  formationEnergyPerAtom: {
    kind: 'number',
    unit: 'eV/atom',
    method: 'formation',
    sourceSection: 'energy',
    isNullable: true,
    column: 'formation_energy_per_atom',
    detail: 'energies.formation_energy_per_atom',
    row: { position: 3, name: 'form_energy', heading: { en: 'Formation Energy (eV)', zh: '形成能 (eV)' } },
    label: { en: 'Formation energy', zh: '形成能' },
    meaning: {
      en: 'Energy per atom released or taken up when the material forms from its elements.',
      zh: '由各元素单质生成该材料时每原子的能量变化。',
    },
  },
  energyAboveHull: {
    kind: 'number',
    unit: 'eV/atom',
    method: 'hull',
    sourceSection: 'energy',
    rail: {
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
      heading: { en: 'E Above Hull (eV)', zh: '高于凸包的能量 (eV)' },
    },
    label: { en: 'Above hull', zh: '高于凸包的能量' },
    meaning: {
      en: 'Energy per atom above the stable phases of the same composition; 0 is stable.',
      zh: '相对于同成分稳定相的每原子能量；0 表示稳定。',
    },
  },
} as const satisfies Readonly<Record<string, Field>>;
