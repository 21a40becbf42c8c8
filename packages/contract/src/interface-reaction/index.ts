/** Reactions at the interface of two materials (spec §2.12, §3, §7.6). */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { outcome } from '../common.ts';
import { PHASES } from '../refusals.ts';
import { energyScale, functional, withCompleteness } from '../phase-diagram/fields.ts';

/** eV/atom: chemical potentials of an open element, relative to the pure element. */
export const CHEMICAL_POTENTIAL_LIMITS = { min: -10, max: 0 } as const;

/** Elements two reactants and a reservoir may have together. */
export const MAX_INTERFACE_ELEMENTS = 12;

export const interfaceRow = z.object({
  /** Share of formula units that are of the first reactant. */
  molar_fraction: z.number(),
  /** Share of atoms that come from the first reactant. */
  atomic_fraction: z.number(),
  /** `Li2S + Co9S8` */
  equilibrium_formula: z.string(),
  /** Balanced; the coefficients of the reactants add up to 1. */
  reaction_function: z.string(),
  /** eV/atom: what the mixture gains in all. */
  reaction_energy_total: z.number(),
  /** eV/atom: the part that needs both reactants ("mutual"). */
  reaction_energy: z.number(),
  /** eV/atom: the part the reactants gain by decomposing alone; 0 for stable ones. */
  decomposition_energy: z.number(),
  /** kJ per mole of `reaction_function`. */
  reaction_energy_kj: z.number(),
  phases: z.array(z.object({ formula: z.string(), struct_id: z.int().nullable(), coefficient: z.number() })),
});
export type InterfaceRow = z.infer<typeof interfaceRow>;

export const interfaceReactant = z.object({
  formula: z.string(),
  /** The material whose energy is used; null when it is the hull's. */
  struct_id: z.int().nullable(),
  /** eV/atom */
  energy_above_hull: z.number(),
});
export type InterfaceReactant = z.infer<typeof interfaceReactant>;

export const interfaceResult = outcome.extend({
  /** Share of atoms that come from the first reactant, ascending. */
  atomic_fraction: z.array(z.number()),
  /** eV/atom, with an open element per atom that is not of it. */
  reaction_energy: z.array(z.number()),
  atomic_title: z.string(),
  molar_title: z.string(),
  /** Molar fractions, for the second axis. */
  molar_text: z.array(z.string()),
  /** Hover texts. */
  text: z.array(z.string()),
  interface_table_data: z.array(interfaceRow),
  min_re_index: z.int(),
  reactants: z.tuple([interfaceReactant, interfaceReactant]),
  /** The element exchanged with a reservoir and its chemical potential, eV/atom relative to the pure element. */
  open: z.object({ element: z.string(), chemical_potential: z.number() }).nullable(),
  ...withCompleteness,
  ...energyScale.shape,
});
export type InterfaceResult = z.infer<typeof interfaceResult>;

const reactant = z.union([z.string().max(200), z.number()]);

export const interfaceReceive = defineCall({
  name: 'interfaceReceive',
  group: 'interface-reaction',
  method: 'POST',
  path: '/api/interface_reaction/interface_receive/',
  summary: 'Reactions between two materials, given as formula or struct_id',
  access: 'user',
  body: 'json',
  request: z.object({
    reactant1: reactant,
    reactant2: reactant,
    /** An element the interface exchanges with a reservoir; empty: a closed interface. */
    open_element: z.string().max(20).optional(),
    /** eV/atom relative to the pure element, see `CHEMICAL_POTENTIAL_LIMITS`. */
    chemical_potential: z.number().optional(),
    /** Take reactants at the energy of the hull, as if already decomposed. */
    use_hull_energy: z.boolean().optional(),
    functional,
  }),
  answer: interfaceResult,
  refusals: [
    'interface.no-reactant',
    'interface.bad-reactant',
    'interface.no-material',
    'interface.same-reactants',
    'interface.no-energy',
    'interface.unknown-element',
    'interface.bad-potential',
    ...PHASES,
  ],
  calculates: true,
});

export const interfaceReactionCalls: readonly Call[] = [interfaceReceive];
