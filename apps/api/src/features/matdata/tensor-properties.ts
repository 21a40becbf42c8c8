/** Tensors → the scalars the detail page shows beside them. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import type { Structure } from '@unitcell/crystal';
import { figure, figures, type Tensors } from '@unitcell/material';
import { roundTo } from '@unitcell/numerics';
import { elasticThermal } from '@unitcell/tensors';
import { pointGroupOf, tensorScalars, type TensorSymmetry, tensorSymmetry } from '../../domain/tensors.ts';

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
              epsilon_tensor: figures(dielectric.electronic, ''),
              epsilon_total_tensor: dielectric.total ? figures(dielectric.total, '') : null,
              epsilon_electron: figure(scalars.meanElectronic, ''),
              epsilon_total: dielectric.total ? figure(scalars.meanTotal, '') : null,
              refractive_index: figure(scalars.refractiveIndex, ''),
            }
          : null,
      piezo_total_tensor: piezoelectric && figures(piezoelectric, 'C/m²'),
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
    elastic_tensor: elastic && figures(elastic, 'GPa'),
    elastic_property: {
      g_voigt: figure(moduli.shear.voigt, 'GPa'),
      k_voigt: figure(moduli.bulk.voigt, 'GPa'),
      g_reuss: figure(moduli.shear.reuss, 'GPa'),
      k_reuss: figure(moduli.bulk.reuss, 'GPa'),
      g_vrh: figure(moduli.shear.hill, 'GPa'),
      k_vrh: figure(moduli.bulk.hill, 'GPa'),
      universal_anisotropy: figure(moduli.universalAnisotropy, ''),
      homogeneous_poisson: figure(moduli.poissonRatio, ''),
      y_mod: figure(moduli.youngModulus, 'GPa'),
      debye_temperature: thermal && figure(thermal.debyeTemperature, 'K'),
      long_v: thermal && figure(thermal.longitudinalVelocity, 'm/s'),
      trans_v: thermal && figure(thermal.transverseVelocity, 'm/s'),
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
