/** Results based on hulls: phase diagrams, electrochemical windows, reactions. Energies are in eV, voltages in V. */
import type { CallRequest } from '@unitcell/contract';
import {
  calculateReaction,
  coatingMatrix,
  drawEllingham,
  drawPourbaix,
  getConversion,
  getElectrodes,
  getChemicalPotentials,
  getEcwDetail,
  getEnergyScales,
  interfaceReceive,
  phaseDiagramHandle,
  placeCompound,
  searchElectrodes,
  searchCoatings,
  searchWindowsByElements,
  searchWindowsByFormula,
  searchWindowsById,
} from '@unitcell/contract/calls';
import type { WindowRow } from '@unitcell/contract/ecwindow';
import { WINDOW_ROW_FIELDS, type WorkingIon } from '@unitcell/contract/ecwindow/rules';
import type { PhaseDiagramData } from '@unitcell/contract/phase-diagram';
import type { GibbsOrigin, Reservoir } from '@unitcell/contract/phase-diagram/rules';
import type { EllinghamDiagram } from '@unitcell/contract/stability/rules';
import type { Connection, SendOptions } from './connection.ts';
import { named, rowNamed } from './names.ts';

export interface OnScale extends SendOptions {
  /** Energy scale; by default that of the site. */
  readonly scale?: string;
}

/** Separates the request body from the send options. */
function split<Options extends OnScale>({ scale, signal, again = true, ...others }: Options) {
  return {
    scaled: scale ? { functional: scale } : {},
    sending: signal ? { signal, again } : { again },
    others,
  };
}

/** A phase of a diagram. */
export interface Phase {
  /** Null for an element known only as the zero of a published scale. */
  readonly struct_id: number | null;
  readonly formula: string;
  readonly space_group: string;
  /** eV/atom, relative to the corners of the diagram. */
  readonly formation_energy: number;
  /** eV/atom; 0 for stable phases. */
  readonly energy_above_hull: number;
  readonly is_stable: boolean;
  /** Decomposition of an unstable phase, in shares of the atoms. */
  readonly decomposition: string;
  /**
   * At a temperature: source of the Gibbs energy, and whether the energy difference to competing phases is
   * below the error.
   */
  readonly gibbs_source?: GibbsOrigin;
  readonly undecided?: boolean;
  /** Probability that the phase is stable; null if unknown. */
  readonly probability?: number | null;
}

/** A gas that exchanges its elements, with temperature (K) and pressure (bar); H2O, CO2, … need a second gas. */
export interface OpenTo {
  readonly gas: Reservoir;
  readonly temperature: number;
  readonly pressure: number;
  readonly second?: { readonly gas: Reservoir; readonly pressure: number };
}

export interface PhaseConditions {
  readonly openTo?: OpenTo;
  /** K, up to 2,000. From 300 K the phases have Gibbs energies; a gas has the same temperature. */
  readonly temperature?: number;
}

const conditionsOfPhases = ({ openTo, temperature }: PhaseConditions) => ({
  ...(openTo ? { reservoir: { ...openTo } } : {}),
  ...(temperature === undefined ? {} : { temperature }),
});

function phasesOf(part: PhaseDiagramData['data'][number]): Phase[] {
  if (part.name === 'Hull') return [];
  const ids = 'id' in part ? part.id : part.tid;
  return ids.map((id, index) => ({
    struct_id: id,
    formula: part.formula[index]!,
    space_group: part.space_group[index]!,
    formation_energy: part.fEnergy[index]!,
    energy_above_hull: part.eAboveHull[index]!,
    is_stable: part.name === 'Stable',
    decomposition: 'decomposition' in part ? part.decomposition[index]! : '',
    ...(part.gibbs_source
      ? {
          gibbs_source: part.gibbs_source[index]!,
          undecided: part.undecided?.[index] ?? false,
          probability: part.probability?.[index] ?? null,
        }
      : {}),
  }));
}

export function phaseDiagrams({ call }: Connection) {
  return {
    /**
     * The diagram of two to four elements or compounds: `Li-Fe-O`, `Li2O MnO2`. Stable phases are listed first; `raw`
     * contains the drawing.
     */
    async of(components: string, options: OnScale & PhaseConditions = {}) {
      const { scaled, sending, others } = split(options);
      const open = conditionsOfPhases(others);
      const raw = await call(phaseDiagramHandle, { include: components, ...open, ...scaled }, sending);
      const phases = raw.data.flatMap(phasesOf).sort((a, b) => Number(b.is_stable) - Number(a.is_stable));
      const { components: corners, functional: scale, release, completeness } = raw;
      return { components: corners, phases, scale, release, completeness, raw };
    },

    /** Position of your own compound in a diagram, from its formation energy or total energy, eV/atom. */
    async place(
      components: string,
      formula: string,
      energyPerAtom: number,
      options: OnScale & { readonly kind?: 'formation' | 'total' } = {},
    ) {
      const { scaled, sending, others } = split(options);
      const compound = { formula, energy_per_atom: energyPerAtom, energy_kind: others.kind ?? 'formation' };
      const answer = await call(placeCompound, { include: components, ...compound, ...scaled }, sending);
      const { fEnergy, eAboveHull, ...place } = answer;
      return { ...named(place), formation_energy: fEnergy, energy_above_hull: eAboveHull };
    },

    /** The chemical potentials at which a compound on the hull of two to four elements is stable. */
    async chemicalPotentials(elements: string, formula: string, options: OnScale = {}) {
      const { scaled, sending } = split(options);
      return named(await call(getChemicalPotentials, { include: elements, formula, ...scaled }, sending));
    },

    scales: (sending?: SendOptions) => call(getEnergyScales, undefined, sending),
  };
}

type Range = readonly [from: number, to: number];

export interface WindowConditions extends OnScale {
  /** Working ions; Li by default. */
  readonly ions?: readonly WorkingIon[];
  /** Excluded elements. */
  readonly without?: readonly string[];
  /** Required elements. */
  readonly including?: readonly string[];
  /** V against the ion. */
  readonly reduction?: Range;
  /** V against the ion. */
  readonly oxidation?: Range;
  /** eV/atom. */
  readonly energyAboveHull?: Range;
  /** eV. */
  readonly bandGap?: Range;
}

const windowRow = (row: WindowRow) => rowNamed(WINDOW_ROW_FIELDS, row);

export function windows({ call }: Connection) {
  type Conditions = Omit<CallRequest<typeof searchWindowsByElements>, 'include'>;
  function conditionsOf(options: WindowConditions) {
    const { scaled, sending, others } = split(options);
    const range = (given: Range | undefined): [number, number] | null => (given ? [...given] : null);
    const conditions: Conditions = {
      collapse_work_ion: (others.ions ?? []).join('-'),
      collapse_excluded_elements: (others.without ?? []).join('-'),
      collapse_included_elements: (others.including ?? []).join('-'),
      collapse_Reduction: range(others.reduction),
      collapse_Oxidation: range(others.oxidation),
      collapse_ehull: range(others.energyAboveHull),
      collapse_bandgap: range(others.bandGap),
      ...scaled,
    };
    return { conditions, sending };
  }
  return {
    /** The window of a material against a working ion. */
    async of(structId: number | string, ion: WorkingIon = 'Li', options: OnScale & PhaseConditions = {}) {
      const { scaled, sending, others } = split(options);
      const open = conditionsOfPhases(others);
      const request = { struct_id: structId, work_ion: ion, ...open, ...scaled };
      return named(await call(getEcwDetail, request, sending));
    },

    /** Windows of materials with exactly these elements (`Li-P-S`) or at least these (`Li-P-S-*`). */
    async byElements(elements: string, options: WindowConditions = {}) {
      const { conditions, sending } = conditionsOf(options);
      const answer = await call(searchWindowsByElements, { include: elements, ...conditions }, sending);
      return answer.results.map(windowRow);
    },

    async byFormula(formula: string, options: WindowConditions = {}) {
      const { conditions, sending } = conditionsOf(options);
      const answer = await call(searchWindowsByFormula, { include: formula, ...conditions }, sending);
      return answer.results.map(windowRow);
    },

    async byId(structId: number | string, options: WindowConditions = {}) {
      const { conditions, sending } = conditionsOf(options);
      const answer = await call(searchWindowsById, { include: structId, ...conditions }, sending);
      return answer.results.map(windowRow);
    },
  };
}

export function electrodes({ call }: Connection) {
  type Conditions = Omit<CallRequest<typeof searchElectrodes>, 'functional'>;
  return {
    /** Insertion electrodes by ion, voltage, capacity, stability, elements or host; `len` counts all matches. */
    async find(conditions: Conditions = {}, options: OnScale = {}) {
      const { scaled, sending } = split(options);
      return named(await call(searchElectrodes, { ...conditions, ...scaled }, sending));
    },

    /** Plateaus and states of the electrode of one working ion in which the material is a state. */
    async of(structId: number | string, ion: WorkingIon = 'Li', options: OnScale = {}) {
      const { scaled, sending } = split(options);
      const body = { electrodes: [{ struct_id: structId, ion }], ...scaled };
      return named((await call(getElectrodes, body, sending)).electrodes[0]!);
    },

    /** Voltage plateaus of the conversion reaction of a material with the metal of an ion. */
    async conversion(structId: number | string, ion: WorkingIon = 'Li', options: OnScale = {}) {
      const { scaled, sending } = split(options);
      return named(await call(getConversion, { struct_id: structId, ion, ...scaled }, sending));
    },
  };
}

export function interfaces({ call }: Connection) {
  return {
    /** Reactions of two materials in contact, each given by formula or struct_id. */
    async react(
      first: string | number,
      second: string | number,
      options: OnScale & {
        /** An element exchanged with a reservoir, and its potential relative to the pure element, eV/atom. */
        readonly open?: { readonly element: string; readonly chemicalPotential: number };
        /** Whether to use the hull energy of the reactants, as if they had decomposed. */
        readonly useHullEnergy?: boolean;
        /**
         * K, up to 2,000. From 300 K the phases have Gibbs energies, and the potential is relative to the
         * element at this temperature.
         */
        readonly temperature?: number;
      } = {},
    ) {
      const { scaled, sending, others } = split(options);
      const { open, useHullEnergy = false } = others;
      const reservoir = open
        ? { open_element: open.element, chemical_potential: open.chemicalPotential }
        : {};
      const at = conditionsOfPhases(
        others.temperature === undefined ? {} : { temperature: others.temperature },
      );
      const body = {
        reactant1: first,
        reactant2: second,
        use_hull_energy: useHullEnergy,
        ...reservoir,
        ...at,
      };
      return named(await call(interfaceReceive, { ...body, ...scaled }, sending));
    },
  };
}

export function coatings({ call }: Connection) {
  return {
    /** Coatings between two phases, each a formula, a struct_id or the text of a CIF or POSCAR; best first. */
    async find(
      a: string | number,
      b: string | number,
      options: OnScale & Omit<CallRequest<typeof searchCoatings>, 'a' | 'b' | 'functional'> = {},
    ) {
      const { scaled, sending, others } = split(options);
      return named(await call(searchCoatings, { a, b, ...others, ...scaled }, sending));
    },

    /** Reaction energies of all pairs of up to 40 materials, or of up to 200 with one other. */
    async matrix(
      materials: readonly (string | number)[],
      options: OnScale & {
        readonly against?: string | number;
        /** Opens the interfaces to the ion at this potential, V. */
        readonly potential?: number;
        readonly workingIon?: WorkingIon;
      } = {},
    ) {
      const { scaled, sending, others } = split(options);
      const { workingIon, ...conditions } = others;
      const ion = workingIon ? { working_ion: workingIon } : {};
      const body = { materials: [...materials], ...conditions, ...ion, ...scaled };
      return named(await call(coatingMatrix, body, sending));
    },
  };
}

export function stability({ call }: Connection) {
  return {
    /**
     * Balances a reaction, `reaction('Fe2O3 + C', 'Fe + CO')`, and returns its energies in kJ/mol: measured, and
     * computed on the scale.
     */
    async reaction(
      reactants: string,
      products: string,
      options: OnScale & {
        /** K; default 298.15. */
        readonly temperature?: number;
        /** Partial pressures of gases, bar; default 1. */
        readonly pressures?: Readonly<Record<string, number>>;
      } = {},
    ) {
      const { scaled, sending, others } = split(options);
      const { pressures, ...conditions } = others;
      const gases = pressures ? { pressures: { ...pressures } } : {};
      return named(
        await call(calculateReaction, { reactants, products, ...conditions, ...gases, ...scaled }, sending),
      );
    },

    /** Lines of an Ellingham diagram, kJ per mole of gas: `ellingham('Fe Ti Al C')`. */
    async ellingham(
      elements: string,
      options: OnScale & {
        readonly kind?: EllinghamDiagram;
        /** K; default 298.15 to 2,400. */
        readonly temperatures?: Range;
      } = {},
    ) {
      const { scaled, sending, others } = split(options);
      const [from, to] = others.temperatures ?? [];
      const body = {
        elements,
        ...(others.kind ? { kind: others.kind } : {}),
        ...(from === undefined || to === undefined ? {} : { temperature_min: from, temperature_max: to }),
      };
      return named(await call(drawEllingham, { ...body, ...scaled }, sending));
    },

    /**
     * A Pourbaix diagram at 25 °C: regions of solids and ions by pH and potential, `pourbaix('Fe Cr')`.
     * The energy (eV) of a region is a plane in pH and potential (V).
     */
    async pourbaix(
      elements: string,
      options: OnScale & {
        /** Solids from the catalogue, with ion energies aligned to them (default), or from measured tables. */
        readonly energies?: 'computed' | 'measured';
        /** Amounts of the elements; default: equal. */
        readonly ratio?: Readonly<Record<string, number>>;
        /** mol/l by element; default 1e-6. */
        readonly concentrations?: Readonly<Record<string, number>>;
        /** V; default −2 to 2. */
        readonly potentials?: Range;
        /** Additional ions with their Gibbs energies of formation in kJ/mol: `{ 'Fe(OH)4[-]': -842 }`. */
        readonly ions?: Readonly<Record<string, number>>;
        /**
         * A compound to place in the diagram: the id of a material, or a formula with its formation energy in
         * eV/atom.
         */
        readonly compound?: number | { readonly formula: string; readonly formationEnergy: number };
      } = {},
    ) {
      const { scaled, sending, others } = split(options);
      const { energies, ratio, concentrations, potentials, ions, compound } = others;
      const [from, to] = potentials ?? [];
      const body = {
        elements,
        ...(energies ? { energies } : {}),
        ...(ratio ? { ratio: { ...ratio } } : {}),
        ...(concentrations ? { concentrations: { ...concentrations } } : {}),
        ...(from === undefined || to === undefined ? {} : { potential_min: from, potential_max: to }),
        ...(ions ? { ions: Object.entries(ions).map(([formula, gibbs]) => ({ formula, gibbs })) } : {}),
        ...(typeof compound === 'number' ? { struct_id: compound } : {}),
        ...(typeof compound === 'object'
          ? { compound: compound.formula, compound_energy: compound.formationEnergy }
          : {}),
      };
      return named(await call(drawPourbaix, { ...body, ...scaled }, sending));
    },
  };
}
