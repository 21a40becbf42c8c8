/** Tensors → the scalars the detail page shows beside them. */
import type { MaterialDetail } from '@unitcell/contract';
import type { Structure } from '@unitcell/crystal';
import type { Tensors } from '@unitcell/material';
import { roundTo } from '@unitcell/numerics';
import { elasticThermal } from '@unitcell/tensors';
import { tensorScalars } from '../../domain/tensor-scalars.ts';
import { pointGroupOf, type TensorSymmetry, tensorSymmetry } from '../../domain/tensor-symmetry.ts';

export function toEpsilonPiezo(tensors: Tensors<'standard'>): MaterialDetail['epsilon_piezo'] {
  const { dielectric, piezoelectric } = tensors;
  const scalars = tensorScalars(tensors).dielectric;
  return {
    has_epsilon: dielectric !== null,
    has_piezo: piezoelectric !== null,
    epsilon_piezo_data: {
      dielectric_property:
        dielectric && scalars
          ? {
              epsilon_tensor: dielectric.electronic,
              epsilon_total_tensor: dielectric.total ?? null,
              epsilon_electron: scalars.meanElectronic,
              epsilon_total: dielectric.total ? scalars.meanTotal : null,
              refractive_index: scalars.refractiveIndex,
            }
          : null,
      piezo_total_tensor: piezoelectric,
    },
  };
}

export function toElasticDict(
  tensors: Tensors<'standard'>,
  primitive: Structure,
): MaterialDetail['elastic_dict'] {
  const { elastic } = tensors;
  const moduli = tensorScalars(tensors).elastic;
  if (!moduli) return { has_elastic: false, elastic_tensor: null, elastic_property: null };
  const thermal = elasticThermal(moduli, primitive);
  return {
    has_elastic: true,
    elastic_tensor: elastic,
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

/** Cells stored before they were in a tabulated setting for sure cannot be compared with its operations. */
export function toTensorSymmetry(
  tensors: Tensors<'standard'>,
  conventional: Structure,
  { hall, stated }: { readonly hall: string; readonly stated: readonly unknown[] },
): TensorSymmetry {
  const { elastic, dielectric, piezoelectric } = tensors;
  if (stated.length === 0 || !(elastic || dielectric || piezoelectric))
    return { elastic: null, dielectric: null, piezoelectric: null };
  const rounded = (value: number | null) => value && roundTo(value, 4);
  const found = tensorSymmetry(tensors, pointGroupOf(conventional, hall));
  return {
    elastic: rounded(found.elastic),
    dielectric: rounded(found.dielectric),
    piezoelectric: rounded(found.piezoelectric),
  };
}
