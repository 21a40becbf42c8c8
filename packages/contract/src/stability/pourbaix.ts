/** Pourbaix diagrams: solids and ions in water by pH and potential. */
import { z } from 'zod';
import { outcome, structId, defineCall, unit, energyScale, functional } from '../common.ts';
import * as address from '../calls.ts';
import { MAX_OWN_ENERGY, MAX_OWN_IONS } from './rules.ts';

const electronvolt = (meaning: string) => z.number().meta(unit('eV', meaning));

export const energyPlane = z
  .object({
    constant: electronvolt('At pH 0 and 0 V.'),
    ph: electronvolt('Change per unit of pH.'),
    potential: electronvolt('Change per volt.'),
  })
  .describe('An energy as a function of pH and potential: constant + ph · pH + potential · V.');

export const pourbaixSpecies = z.object({
  formula: z.string().describe('Formula; an ion as in `Fe[2+]` or `Fe(OH)3(aq)`.'),
  phase: z.enum(['solid', 'ion']).describe('A solid or a dissolved species.'),
  charge: z.number().describe('In elementary charges.'),
  gibbs: electronvolt('Gibbs energy of formation per formula at 298.15 K as used in the diagram.'),
  kind: z
    .enum(['computed', 'measured', 'own', 'definition'])
    .describe(
      'computed: from the scale of the answer; own: sent with the request; definition: an element, zero.',
    ),
  source: z.string().describe('Source of a measured energy; otherwise empty.'),
  shift: electronvolt(
    'Part of the Gibbs energy that ties an ion to its reference solid, or the H of a computed hydroxide or hydrate to water.',
  )
    .nullable()
    .describe('eV per formula; null without a reference.'),
  reference: z
    .string()
    .nullable()
    .describe('The reference solid of an ion, H2O of a hydroxide or hydrate; else null.'),
  struct_id: z.int().nullable().describe('The material of a computed solid; otherwise null.'),
});
export type PourbaixSpeciesAnswer = z.infer<typeof pourbaixSpecies>;

const assemblage = {
  species: z
    .array(
      z.object({
        index: z.int().describe('Position in `species`.'),
        amount: z.number().describe('Formula units per atom other than O and H of the mixture.'),
      }),
    )
    .describe('All species that are stable together.'),
};

export const pourbaixRegion = z.object({
  ...assemblage,
  kind: z
    .enum(['immunity', 'passivation', 'hydride', 'corrosion', 'partial'])
    .describe(
      'immunity: only elements and alloys; passivation: only solids, with an oxide, hydroxide or other compound; hydride: only solids, with a metal hydride; corrosion: only dissolved species; partial: solids and dissolved species.',
    ),
  plane: energyPlane.describe('Energy per atom other than O and H of the mixture.'),
  corners: z
    .array(
      z.object({
        ph: z.number().describe('pH.'),
        potential: z.number().meta(unit('V', 'Against the standard hydrogen electrode.')),
        neighbour: z
          .int()
          .nullable()
          .describe(
            'The region beyond the side from here to the next corner; null on the edge of the diagram.',
          ),
      }),
    )
    .describe('Corners, counter-clockwise.'),
});
export type PourbaixRegionAnswer = z.infer<typeof pourbaixRegion>;

export const pourbaixCompound = z.object({
  formula: z.string().describe('Formula of the compound.'),
  struct_id: z.int().nullable().describe('The material; null for a formula with an energy of its own.'),
  formation_energy: z.number().meta(unit('eV/atom', 'Formation energy from the elements.')),
  plane: energyPlane.describe('Energy of the compound per atom.'),
  regions: z
    .array(
      z.object({
        ...assemblage,
        plane: energyPlane.describe('Energy of the stable species per atom of the compound.'),
      }),
    )
    .describe(
      'Stable species at the composition of the compound. Its decomposition energy at a point is its plane minus the lowest of these.',
    ),
});

export const pourbaixResult = outcome.extend({
  elements: z.array(z.string()).describe('Elements other than O and H.'),
  ratio: z.array(z.number()).describe('Share of each element; the sum is 1.'),
  concentrations: z
    .array(z.number())
    .meta(unit('mol/l', 'Concentration of the dissolved species of each element.')),
  energies: z.enum(['computed', 'measured']).describe('Origin of the energies of the solids.'),
  temperature: z.number().meta(unit('K', 'The only temperature of the data.')),
  window: z
    .object({
      ph_min: z.number().describe('Lowest pH.'),
      ph_max: z.number().describe('Highest pH.'),
      potential_min: z.number().meta(unit('V', 'Lowest potential.')),
      potential_max: z.number().meta(unit('V', 'Highest potential.')),
    })
    .describe('The part of the plane that the regions cover.'),
  water: z
    .object({
      hydrogen: z.number().meta(unit('V', 'Potential at pH 0 below which water gives hydrogen.')),
      oxygen: z.number().meta(unit('V', 'Potential at pH 0 above which water gives oxygen.')),
      slope: z.number().meta(unit('V', 'Change of both per unit of pH.')),
    })
    .describe('The lines between which water is stable.'),
  species: z.array(pourbaixSpecies).describe('Solids and ions that take part; others are never stable.'),
  regions: z.array(pourbaixRegion).describe('Regions; they cover the window.'),
  compound: pourbaixCompound.nullable().describe('The compound that was placed; null without one.'),
  missing: z
    .object({
      ions: z.array(z.string()).describe('Elements without measured ions: corrosion cannot be seen.'),
      references: z
        .array(
          z.object({
            element: z.string().describe('The element.'),
            solid: z.string().describe('Reference solid for the ions of the element.'),
          }),
        )
        .describe(
          'Elements whose ions are left out because the catalogue lacks their reference solid. H: hydroxides and hydrates are not corrected, because it lacks water.',
        ),
      solids: z
        .array(z.string())
        .describe('Measured oxides, hydroxides and hydrides that the catalogue lacks on this scale.'),
    })
    .describe('Known gaps of the diagram.'),
  ...energyScale.shape,
});
export type PourbaixResult = z.infer<typeof pourbaixResult>;

export const drawPourbaix = defineCall(address.drawPourbaix, {
  summary: 'Regions of a Pourbaix diagram: solids and ions in water by pH and potential at 25 °C',
  request: z.object({
    elements: z
      .string()
      .max(100)
      .optional()
      .describe(
        'One to three symbols: `Fe Cr`. O and H are always included. Default: those of the compound.',
      ),
    ratio: z
      .record(z.string().max(3), z.number())
      .optional()
      .describe('Amounts of the elements; default: those of the compound, else equal.'),
    concentrations: z
      .record(z.string().max(3), z.number())
      .optional()
      .meta(unit('mol/l', 'Concentration of the dissolved species by element; 1e-6 where absent.')),
    energies: z
      .enum(['computed', 'measured'])
      .optional()
      .describe(
        'computed (default): solids of the scale, ions tied to their reference solids. measured: tables only.',
      ),
    potential_min: z.number().optional().meta(unit('V', 'Lowest potential; default −2.')),
    potential_max: z.number().optional().meta(unit('V', 'Highest potential; default 2.')),
    ions: z
      .array(
        z.object({
          formula: z.string().max(60).describe('`Fe(OH)4[-]`; `(aq)` for a neutral species.'),
          gibbs: z.number().meta(unit('kJ/mol', 'Measured Gibbs energy of formation at 298.15 K, 1 mol/l.')),
        }),
      )
      .max(MAX_OWN_IONS)
      .optional()
      .describe('Own ions. One with the formula of a listed ion replaces it.'),
    struct_id: structId.optional().describe('A material to place on the diagram.'),
    compound: z.string().max(200).optional().describe('Or a formula, with its formation energy.'),
    compound_energy: z
      .number()
      .min(-MAX_OWN_ENERGY)
      .max(MAX_OWN_ENERGY)
      .optional()
      .meta(unit('eV/atom', 'Formation energy of `compound` on the scale of the answer.')),
    functional,
  }),
  answer: pourbaixResult,
  refusals: [
    'pourbaix.no-elements',
    'pourbaix.too-many-elements',
    'pourbaix.bad-amount',
    'pourbaix.bad-ion',
    'pourbaix.foreign-ion',
    'pourbaix.bad-range',
    'pourbaix.bad-compound',
    'pourbaix.no-energy',
    'pourbaix.measured-compound',
    'stability.unknown-element',
    'phase.no-data',
    'phase.unknown-scale',
  ],
});
