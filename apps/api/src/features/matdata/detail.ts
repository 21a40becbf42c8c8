/** One material for the detail page (spec §2.8). */
import { parseStructId } from '@unitcell/contract/common';
import { getStructDetail, type MaterialDetail, type StatedGap } from '@unitcell/contract/matdata';
import {
  parseFormula,
  type AsymmetricSite,
  asymmetricUnit,
  atomCount,
  cellVolume,
  type CifProvenance,
  compositionOf,
  fromCompactCell,
  latticeParameters,
  operationsFromHallSymbol,
  SETTING_TOLERANCE,
  type Structure,
  toPymatgenDict,
  writeCif,
} from '@unitcell/crystal';
import type { FastifyInstance } from 'fastify';
import type { RawBuilder } from 'kysely';
import type { Services } from '../../domain/services.ts';
import { readScaleFailures } from '../../domain/thermodynamics/scale-accuracy.ts';
import { keptAnswers, serveCall } from '../../http/serve-call.ts';
import { currentStructId, prepared } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { storedDetails, type StoredDetail } from './stored-detail.ts';
import type { PotentialDetails } from '@unitcell/contract/prediction';
import {
  bandGap,
  type BandStructure,
  densityOfCells,
  figure,
  figures,
  place,
  type Properties,
  type StatedGroup,
  type Tensors,
} from '@unitcell/material';
import { type Mat3, multiply3, roundTo, transpose3 } from '@unitcell/numerics';
import { elasticThermal } from '@unitcell/tensors';
import type { StoredEnergy } from '../../catalogue/stored-material.ts';
import { compareRecords } from '../../domain/compare-records.ts';
import { calculatedValues, disagreementsOf } from '../../domain/prediction/predicted-values.ts';
import { isQuoted, sourceOf } from '../../domain/read-statement.ts';
import {
  pointGroupOf,
  tensorScalars,
  type TensorSymmetry,
  tensorSymmetry,
  rotateTensors,
} from '../../domain/tensors.ts';
import { bandDiagramSvg } from './band-diagram-svg.ts';
import { sectionSources } from './sources/section-sources.ts';

/** @throws AppError material.not-found */
export type DetailOf = (structId: string | number) => Promise<MaterialDetail>;

/**
 * Adds to each energy its uncertainties: missing compounds of its system, and the scale's deviation from
 * experiment.
 */
async function withUncertainties(
  answer: MaterialDetail,
  { completeness, scaleAccuracy }: Pick<Services, 'completeness' | 'scaleAccuracy'>,
): Promise<MaterialDetail> {
  const composition = parseFormula(answer.formula);
  const energy_scales = await Promise.all(
    answer.energy_scales.map(async (scale) => {
      const error = await scaleAccuracy.errorOf(scale.functional, composition);
      return {
        ...scale,
        completeness: await completeness.of(scale.functional, answer.elements, { e_above_hull: 'lower' }),
        ...(error === null ? {} : { expected_error: error }),
      };
    }),
  );
  return { ...answer, energy_scales, scale_failures: readScaleFailures(answer.provenance.scale_failures) };
}

/** Enough for about 2,500 materials: an answer takes 20 kB, compressed a quarter of that. */
const KEPT_BYTES = 64 * 2 ** 20;

const byId = prepared('material-detail', (on, structId: RawBuilder<number>) =>
  storedDetails(on).where('material.struct_id', '=', currentStructId(structId)),
);

/** @returns the detail of a material, which the file routes also use */
export function detailRoutes(app: FastifyInstance, services: Services): DetailOf {
  async function detailOf(typed: string | number): Promise<MaterialDetail> {
    const structId = parseStructId(typed);
    const [stored] = structId === null ? [] : await byId(services.database.readDb, structId);
    if (!stored) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
    // The public address of the site is part of the citation.
    return withUncertainties(toMaterialDetail(stored, services.config.publicUrl), services);
  }

  // Band structures make this answer large, so it is written directly. A test compares it with the contract.
  const kept = keptAnswers(services.catalogueCaches, KEPT_BYTES);
  serveCall(app, getStructDetail, ({ body: { struct_id: structId } }) =>
    kept([structId], async () => JSON.stringify(await detailOf(structId))),
  );
  return detailOf;
}

// ── Converts a stored material to the detail answer of the contract (spec §3 "Material detail") ──

/** Lengths in Å, angles in degrees, volume in Å³. */
function latticeOf({ latticeVectors }: Structure): MaterialDetail['lattice'] {
  const { a, b, c, alpha, beta, gamma } = latticeParameters(latticeVectors);
  return {
    a: figure(a, 'Å'),
    b: figure(b, 'Å'),
    c: figure(c, 'Å'),
    alpha: figure(alpha, '°'),
    beta: figure(beta, '°'),
    gamma: figure(gamma, '°'),
    volume: figure(cellVolume(latticeVectors), 'Å³'),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function toScale(scale: StoredEnergy): MaterialDetail['energy_scales'][number] {
  return {
    functional: scale.functional,
    formation_energy_per_atom: scale.formationEnergyPerAtom,
    e_above_hull: scale.energyAboveHull,
    decomposition: scale.decomposition.map(({ structId, formula, fraction }) => ({
      struct_id: structId,
      formula,
      fraction: figure(fraction, ''),
    })),
    oxygen_potential_min: scale.oxygenPotentialMin,
    oxygen_potential_max: scale.oxygenPotentialMax,
    decomposition_energy_in_water: scale.decompositionEnergyInWater,
    release: scale.releaseId,
    source: scale.source,
  };
}

const toStated = (stated: StatedGroup): MaterialDetail['symmetry_data']['stated'][number] => ({
  tolerance: stated.tolerance,
  symprec: stated.symprec,
  space_group: stated.spaceGroup,
  space_group_number: stated.spaceGroupNumber,
  hall: stated.hall,
  point_group: stated.pointGroup,
  crystal_system: stated.crystalSystem,
  lattice_type: stated.latticeType,
});

/** Writes a decomposition as `0.5 Li2O + 0.5 CoO`, in fractions of atoms as in hulls. */
function decompositionText(scale: StoredEnergy | undefined): string {
  const parts = scale?.decomposition ?? [];
  return parts.map(({ formula, fraction }) => `${Number(fraction.toFixed(4))} ${formula}`).join(' + ');
}

/**
 * All stated gaps: first the gap shown in lists and headings, then the gaps of the bands, then the measured
 * or quoted gap.
 */
function statedGaps({ bandGap: listed, bands, functional, provenance }: StoredDetail): StatedGap[] {
  const { band_gap_experiment: experiment } = provenance as { band_gap_experiment?: { value?: unknown } };
  return [
    ...(listed === null ? [] : [{ of: 'listed' as const, functional: functional ?? '', value: listed }]),
    ...bands.map((structure) => ({
      of: 'bands' as const,
      functional: structure.functional,
      value: Number((bandGap(structure)?.width ?? 0).toFixed(3)),
    })),
    ...(typeof experiment?.value === 'number'
      ? [
          {
            of: isQuoted(sourceOf(experiment)) ? ('quoted' as const) : ('measured' as const),
            functional: '',
            value: experiment.value,
          },
        ]
      : []),
  ];
}

function observedOf({ provenance }: StoredDetail): MaterialDetail['observed'] {
  const { status, evidence } = (provenance.observed ?? {}) as { status?: unknown; evidence?: unknown };
  return {
    status: status === 'observed' || status === 'computed only' ? status : '',
    evidence: text(evidence),
  };
}

/**
 * One site per orbit. Null for cells of older versions, which did not guarantee a tabulated setting and stored
 * no groups.
 */
const unitOf = (conventional: Structure, { hall, stated }: StoredDetail): readonly AsymmetricSite[] | null =>
  stated.length === 0
    ? null
    : asymmetricUnit(conventional, operationsFromHallSymbol(hall), SETTING_TOLERANCE);

/** Number of sites in the orbit of each site. */
function multiplicitiesOf(unit: readonly AsymmetricSite[]): number[] {
  const multiplicities: number[] = [];
  for (const { members, multiplicity } of unit)
    for (const member of members) multiplicities[member] = multiplicity;
  return multiplicities;
}

/** Predicted values, together with the values calculated on the model's energy scale. */
function toPredicted(stored: StoredDetail): MaterialDetail['predicted'] {
  const { prediction } = stored;
  if (prediction === null) return null;
  const { model, values } = prediction;
  const calculated = calculatedValues({ ...stored, elasticSource: stored.provenance.elastic_tensor });
  return {
    model,
    ...values,
    calculated,
    disagreements: disagreementsOf(values, calculated).map(({ property }) => property),
  };
}

const NO_DETAILS: PotentialDetails = { elastic_tensor: null, phonons: null };

function toPotential({ potential }: StoredDetail): MaterialDetail['potential'] {
  if (potential === null) return null;
  const { details, ...values } = potential;
  return { ...values, ...(details ?? NO_DETAILS) };
}

const isRecordOfNumbers = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null && Object.values(value).every((u) => typeof u === 'number');

/** @param siteAddress public address of the site, without a trailing slash */
function toMaterialDetail(stored: StoredDetail, siteAddress: string): MaterialDetail {
  const given = fromCompactCell(stored.given);
  const primitive = fromCompactCell(stored.primitive);
  const conventional = fromCompactCell(stored.conventional);
  const composition = compositionOf(primitive);
  const unit = unitOf(conventional, stored);
  const { energies, provenance } = stored;
  const { bands, dos, tensors } = toStandardCell(
    stored,
    stored.rotation,
    primitive.sites.length / given.sites.length,
  );
  const scalars = place('detail', stored);
  const sources = sectionSources(stored);
  const address = `${siteAddress}/matdatades/${stored.structId}`;
  const structureSource = sources.find(({ section }) => section === 'structure');
  const cifProvenance: CifProvenance = {
    source: structureSource?.statement ?? '',
    licence: structureSource?.licence ?? '',
    release: stored.release === null ? '' : `${stored.release.id} (${stored.release.date})`,
    address,
  };
  const ofFunctional = <T extends { readonly functional: string }>(results: readonly T[], name: string) =>
    results.find(({ functional }) => functional.startsWith(name));
  const display = (functional: string): 'block' | 'none' =>
    ofFunctional(bands, functional) ? 'block' : 'none';
  const diagram = (functional: string): string =>
    bandDiagramSvg(
      ofFunctional(bands, functional),
      ofFunctional(dos, functional),
      `${stored.formula}, ${functional}`,
    );
  return {
    ...scalars,
    elements_type: stored.nElements,
    elements_quantity: stored.elements.map((element) => composition[element] ?? 0),
    lattice: latticeOf(conventional),
    energies: {
      ...scalars.energies,
      energy_per_atom_vdw: stored.energyVdw === null ? null : stored.energyVdw / atomCount(composition),
    },
    energy_scales: energies.map(toScale),
    symmetry_data: {
      ...scalars.symmetry_data,
      symprec: stored.symprec,
      wyckoffs: [...stored.wyckoffs],
      ...(unit && { multiplicities: multiplicitiesOf(unit) }),
      stated: stored.stated.map(toStated),
    },
    run_type: stored.functional ?? '',
    calculated_at: text(provenance.calculated_at),
    vasp_version: text(provenance.engine_version),
    potcar_symbols: Array.isArray(provenance.potcar_symbols) ? provenance.potcar_symbols.map(String) : [],
    hubbards: isRecordOfNumbers(provenance.hubbards) ? provenance.hubbards : {},
    band_gap_type: stored.bandGapType ?? '',
    decomposition: decompositionText(energies.find(({ functional }) => functional === stored.functional)),
    output_structs: {
      jsmol_struct: writeCif(conventional, { name: stored.formulaReduced }),
      output_struct_primitive: writeCif(primitive, {
        name: `${stored.formulaReduced}-${stored.structId}-primitive`,
        provenance: cifProvenance,
      }),
      output_struct_conventional: writeCif(conventional, {
        name: `${stored.formulaReduced}-${stored.structId}-conventional`,
        ...(unit && { setting: { hallSymbol: stored.hall, wyckoffs: stored.wyckoffs, unit } }),
        provenance: cifProvenance,
      }),
    },
    structures: {
      given: stored.isGivenKept ? toPymatgenDict(given) : null,
      primitive: toPymatgenDict(primitive),
      conventional: toPymatgenDict(conventional),
    },
    elec_diagram: {
      pbe_elec_diagram_display: display('PBE'),
      pbe_elec_diagram: diagram('PBE'),
      hse_elec_diagram_display: display('HSE'),
      hse_elec_diagram: diagram('HSE'),
      band_structures: [...bands],
      densities_of_states: [...dos],
    },
    epsilon_piezo: toEpsilonPiezo(tensors),
    tensor_symmetry: toTensorSymmetry(tensors, conventional, stored),
    elastic_dict: toElasticDict(tensors, primitive),
    provenance,
    release: stored.release,
    address,
    sources,
    band_gaps: statedGaps(stored),
    observed: observedOf(stored),
    predicted: toPredicted(stored),
    potential: toPotential(stored),
    records: stored.records.map(({ figures: own, ...record }) => ({
      ...record,
      space_group: own.spaceGroup,
      shown: [...own.shown],
    })),
    comparison: compareRecords(stored.records.map((record) => record.figures.values)),
  };
}

// Converts results of the original cell to the primitive cell in the frame of the displayed cells.

const rotatedBands = (bands: BandStructure, rotation: Mat3): BandStructure =>
  bands.reciprocalLattice === undefined
    ? bands
    : { ...bands, reciprocalLattice: multiply3(bands.reciprocalLattice, transpose3(rotation)) };

/**
 * @param rotation from the original to the standard frame
 * @param cells how many original cells the primitive cell contains
 */
const toStandardCell = (
  { bands, dos, tensors }: Pick<Properties<'given'>, 'bands' | 'dos' | 'tensors'>,
  rotation: Mat3,
  cells: number,
): Pick<Properties<'standard'>, 'bands' | 'dos' | 'tensors'> => ({
  bands: bands.map((one) => rotatedBands(one, rotation)),
  dos: dos.map((one) => densityOfCells(one, cells)),
  tensors: rotateTensors(tensors, rotation, 'standard'),
});

/** The scalars that the detail page derives from tensors. */
function toEpsilonPiezo(tensors: Tensors<'standard'>): MaterialDetail['epsilon_piezo'] {
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

function toElasticDict(tensors: Tensors<'standard'>, primitive: Structure): MaterialDetail['elastic_dict'] {
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

/**
 * Null for cells whose setting may not be tabulated: they cannot be compared with the tabulated symmetry
 * operations.
 */
function toTensorSymmetry(
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
