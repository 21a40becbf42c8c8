/** Tensors → the scalars the detail page shows beside them. */
import type { MaterialDetail } from '@unitcell/contract';
import type { Structure } from '@unitcell/crystal';
import { dielectricProperties, elasticModuli, elasticThermal } from '@unitcell/tensors';
import type { StoredMaterial } from './detail.repository.ts';

type StoredTensors = Pick<StoredMaterial, 'elastic_tensor' | 'dielectric' | 'piezoelectric_total'>;

/** What is added to the electronic part when the rest is not known. */
const NO_IONS = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];

/** Tensors travel as electronic and total; the package takes the ionic part by itself. */
const difference = (a: number[][], b: number[][]): number[][] =>
  a.map((row, i) => row.map((value, j) => value - (b[i]?.[j] ?? 0)));

export function toEpsilonPiezo(stored: StoredTensors): MaterialDetail['epsilon_piezo'] {
  const { dielectric, piezoelectric_total } = stored;
  const ionic = dielectric?.total ? difference(dielectric.total, dielectric.electronic) : NO_IONS;
  const scalars = dielectric ? dielectricProperties({ electronic: dielectric.electronic, ionic }) : null;
  return {
    has_epsilon: dielectric !== null,
    has_piezo: piezoelectric_total !== null,
    epsilon_piezo_data: {
      dielectric_property:
        dielectric && scalars
          ? {
              epsilon_tensor: dielectric.electronic,
              epsilon_total_tensor: dielectric.total,
              epsilon_electron: scalars.meanElectronic,
              epsilon_total: dielectric.total ? scalars.meanTotal : null,
              refractive_index: scalars.refractiveIndex,
            }
          : null,
      piezo_total_tensor: piezoelectric_total,
    },
  };
}

export function toElasticDict(
  { elastic_tensor }: StoredTensors,
  primitive: Structure,
): MaterialDetail['elastic_dict'] {
  if (!elastic_tensor) return { has_elastic: false, elastic_tensor: null, elastic_property: null };
  const moduli = elasticModuli(elastic_tensor);
  const thermal = elasticThermal(moduli, primitive);
  return {
    has_elastic: true,
    elastic_tensor,
    elastic_property: {
      g_voigt: moduli.shear.voigt,
      k_voigt: moduli.bulk.voigt,
      g_reuss: moduli.shear.reuss,
      k_reuss: moduli.bulk.reuss,
      g_vrh: moduli.shear.hill,
      k_vrh: moduli.bulk.hill,
      universal_anisotropy: moduli.universalAnisotropy,
      homogeneous_poisson: moduli.poissonRatio,
      y_mod: moduli.youngModulus,
      debye_temperature: thermal?.debyeTemperature ?? null,
      long_v: thermal?.longitudinalVelocity ?? null,
      trans_v: thermal?.transverseVelocity ?? null,
    },
  };
}
