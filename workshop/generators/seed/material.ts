/** A line of the import format (docs/operating/import-format.md) from a compound and its properties. */
import { hubbardU } from '@unitcell/calculators';
import { parseFormula, type Structure, toPymatgenDict } from '@unitcell/crystal';
import type { Compound } from './compound.ts';
import type { Properties, Provenance } from './properties.ts';
import type { ElectronicResult, OwnEnergy, ScaleFailure } from './seed-files.ts';

/** Energy scales of published figures, and of Run4U's default engine with its presets `standard`. */
export const PBE_SCALE = 'PBE (MP 2018)';
export const EXPERIMENT_SCALE = 'experiment-298K';
const OWN_SCALE = 'PBE (ABINIT, gpaw-data, 22 Ha)';

function sourceOf(compound: Compound): Record<string, string> {
  if (compound.mpId !== '')
    return {
      name: 'Materials Project',
      id: compound.mpId,
      licence: 'CC BY 4.0',
      url: `https://materialsproject.org/materials/${compound.mpId}`,
    };
  const cod = /COD (\d{7})/.exec(compound.structureSource)?.[1];
  if (cod !== undefined)
    return {
      name: 'Crystallography Open Database',
      id: cod,
      licence: 'CC0-1.0',
      url: `https://www.crystallography.net/cod/${cod}.html`,
    };
  return { name: compound.structureSource, id: '', licence: 'facts, cited' };
}

/** The fields of a known value; no fields for an unknown one. */
const given = <Value>(value: Value | undefined, fields: (value: Value) => object): object =>
  value === undefined ? {} : fields(value);

const propertyFields = ({ elasticTensor, dielectric, piezoelectric, topology }: Properties): object => ({
  ...given(elasticTensor, ({ value }) => ({ elastic_tensor: value })),
  ...given(dielectric, ({ electronic, total }) => ({ dielectric: { electronic, total } })),
  ...given(piezoelectric, ({ value }) => ({ piezoelectric_total: value })),
  ...given(topology, ({ labels, rows }) => ({ topology: { labels, rows } })),
});

function propertyProvenance({ elasticTensor, dielectric, piezoelectric, topology }: Properties): object {
  const entry = (value: Provenance | undefined, unit: string): unknown =>
    value && { source: value.source, licence: value.licence, citation_checked: value.citationChecked, unit };
  return {
    elastic_tensor: entry(elasticTensor, 'GPa'),
    dielectric: entry(dielectric, 'relative to vacuum'),
    piezoelectric_total: entry(piezoelectric, 'C/m²'),
    topology: entry(topology, ''),
  };
}

function hubbardFields({ formula, formationEnergyPbe }: Compound): object {
  const hubbards = hubbardU(Object.keys(parseFormula(formula)));
  if (formationEnergyPbe === undefined) return {};
  return Object.keys(hubbards).length === 0 ? { is_hubbard: false } : { is_hubbard: true, hubbards };
}

function energyFields(compound: Compound, siteCount: number, ownEnergy: OwnEnergy | undefined): object {
  const { formationEnthalpy298, formationEnthalpy298Source, formationEnergyPbe } = compound;
  const energies = [
    given(formationEnthalpy298, (value) => ({
      functional: EXPERIMENT_SCALE,
      formation_energy_per_atom: value,
      source: { name: formationEnthalpy298Source, id: '', licence: 'facts, cited' },
    })),
    given(ownEnergy, ({ energyPerAtom, source }) => ({
      functional: OWN_SCALE,
      energy: Number((energyPerAtom * siteCount).toFixed(6)),
      source: { name: 'computed for Unitcell', id: source, licence: 'CC0-1.0' },
    })),
  ].filter((energy) => Object.keys(energy).length > 0);
  return {
    formation_energy_per_atom: formationEnergyPbe,
    functional: PBE_SCALE,
    ...(energies.length === 0 ? {} : { energies }),
  };
}

/** µB; below this the moment is numerical noise of a non-magnetic calculation. */
const NO_MOMENT = 0.01;

function electronicFields(
  compound: Compound,
  structure: Structure,
  electronic: ElectronicResult | undefined,
): object {
  const gapKind = compound.gapKind === '' ? (electronic?.gapKind ?? '') : compound.gapKind;
  const kind = compound.gapPbe === 0 ? 'metal' : gapKind;
  // The published gap, otherwise the gap of the shown band structure.
  const gap = compound.gapPbe ?? electronic?.gap;
  const moment = (electronic?.magnetizationPerAtom ?? 0) * structure.sites.length;
  return {
    band_gap: gap,
    ...(kind === '' ? {} : { band_gap_type: kind }),
    efermi: electronic?.efermi,
    ...(Math.abs(moment) < NO_MOMENT ? {} : { total_magnetization: Number(moment.toFixed(3)) }),
    ...given(electronic?.bands, (bands) => ({ bands: [bands] })),
    ...given(electronic?.dos, (dos) => ({ dos: [dos] })),
  };
}

const ownEnergyProvenance = ({ energyPerAtom, cell, source, dataSets }: OwnEnergy): unknown => ({
  scale: OWN_SCALE,
  energy_per_atom: { value: energyPerAtom, unit: 'eV/atom' },
  cell,
  source: `computed for Unitcell: ${source}, preset standard`,
  data_sets: dataSets,
});

/** The failure of an energy scale, in the form in which the provenance of all affected phases contains it. */
const failureProvenance = ({ functional, structId, en, zh, source, citationChecked }: ScaleFailure) => ({
  scale: functional,
  stable: structId,
  en,
  zh,
  source,
  citation_checked: citationChecked,
});

interface Facts {
  readonly properties: Properties;
  readonly electronic: ElectronicResult | undefined;
  readonly ownEnergy: OwnEnergy | undefined;
  readonly scaleFailures: readonly ScaleFailure[];
}

/** The material as the importer reads it; JSON.stringify of it is one line. */
export function materialLine(
  compound: Compound,
  structure: Structure,
  { properties, electronic, ownEnergy, scaleFailures }: Facts,
): Record<string, unknown> {
  return {
    struct_id: compound.structId,
    structure: toPymatgenDict(structure),
    ...energyFields(compound, structure.sites.length, ownEnergy),
    ...hubbardFields(compound),
    names: { en: compound.nameEn, zh: compound.nameZh },
    ...propertyFields(properties),
    ...electronicFields(compound, structure, electronic),
    source: sourceOf(compound),
    provenance: {
      structure: compound.structureSource,
      ...(compound.observed === ''
        ? {}
        : { observed: { status: compound.observed, evidence: compound.observedBy } }),
      citation_checked: compound.citationChecked,
      density: { value: compound.density, unit: 'g/cm³', source: compound.densitySource },
      ...(compound.formationEnergyPbeNote === ''
        ? {}
        : { formation_energy: compound.formationEnergyPbeNote, formation_energy_unit: 'eV/atom' }),
      ...given(compound.gapExperiment, (value) => ({
        band_gap_experiment: { value, unit: 'eV', source: compound.gapExperimentSource },
      })),
      ...propertyProvenance(properties),
      electronic: electronic?.provenance,
      own_energy: ownEnergy && ownEnergyProvenance(ownEnergy),
      ...(scaleFailures.length === 0 ? {} : { scale_failures: scaleFailures.map(failureProvenance) }),
    },
  };
}
