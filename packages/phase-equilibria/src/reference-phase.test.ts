/** The phase reference cases, computed with an established program and checked by a linear program. */
import { referenceCases } from '@unitcell/tools/shared-data';
import { atomicFractions, parseFormula } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { decomposition, equilibriumReactionEnergy, facetsOf } from './decomposition.ts';
import type { PhaseEntry } from './entries.ts';
import { buildHull, energiesAboveHull, formationEnergyPerAtom, stableEntries } from './hull.ts';
import { chemicalPotentials, hullEnergyPerAtom } from './testing/at-composition.ts';

interface Input {
  elements: string[];
  entries: PhaseEntry[];
}
interface Expected {
  element_reference_energy_per_atom: Record<string, number>;
  stable_ids: string[];
  n_facets: number;
  facets: string[][];
  entries: { id: string; formation_energy_per_atom: number; e_above_hull: number; stable: boolean }[];
  queries: {
    composition: string;
    hull_energy_per_atom: number;
    decomposition: unknown[];
    chempots: Record<string, number>;
  }[];
  equilibrium_reactions: { id: string; equilibrium_reaction_energy_per_atom: number }[];
}
interface Tolerance {
  energy_abs_ev_per_atom: number;
}

describe('phase reference cases', () => {
  for (const { id, input, expected, tolerance } of referenceCases<Input, Expected, Tolerance>('phase')) {
    const close = (found: number | null, value: number) =>
      Math.abs((found ?? Number.NaN) - value) <= tolerance.energy_abs_ev_per_atom;
    const hull = buildHull(input.entries, { elements: input.elements });
    const entryOf = new Map(input.entries.map((entry) => [entry.id, entry]));
    /**
     * Key of an entry; entries of equal composition and energy have the same key, because they are
     * interchangeable in a facet.
     */
    const face = (entry: PhaseEntry | undefined) =>
      JSON.stringify(
        Object.entries(atomicFractions(entry?.composition ?? {}))
          .map(([element, x]) => `${element}${x.toFixed(6)}`)
          .sort(),
      );

    it(`${id}: formation energies and energies above hull of all entries`, () => {
      const above = energiesAboveHull(hull);
      const found = new Map(
        hull.entries.map((entry, index) => [entry.id, [formationEnergyPerAtom(hull, entry), above[index]]]),
      );
      const wrong = expected.entries.filter((row) => {
        const [formation = null, aboveHull = null] = found.get(row.id) ?? [];
        return !close(formation, row.formation_energy_per_atom) || !close(aboveHull, row.e_above_hull);
      });
      expect(wrong).toEqual([]);
    });

    it(`${id}: the stable set and the facets`, () => {
      expect(
        stableEntries(hull)
          .map((entry) => entry.id)
          .sort(),
      ).toEqual(expected.stable_ids.slice().sort());
      const found = facetsOf(hull);
      expect(found).toHaveLength(expected.n_facets);
      const asText = (list: (PhaseEntry | undefined)[]) => list.map(face).sort().join(' ');
      expect(
        new Set(
          found.map((facet) =>
            asText(facet.vertices.map((vertex) => hull.entries[hull.vertexEntries[vertex]])),
          ),
        ),
      ).toEqual(new Set(expected.facets.map((ids) => asText(ids.map((name) => entryOf.get(name))))));
    });

    it(`${id}: hull energies, decompositions and chemical potentials at arbitrary compositions`, () => {
      for (const query of expected.queries) {
        const composition = parseFormula(query.composition);
        expect(hullEnergyPerAtom(hull, composition)).toSatisfy((energy: number) =>
          close(energy, query.hull_energy_per_atom),
        );
        expect(decomposition(hull, composition)).toHaveLength(query.decomposition.length);
        if (query.decomposition.length < input.elements.length) continue;
        const potentials = chemicalPotentials(hull, composition);
        const wrong = Object.entries(query.chempots).filter(
          ([element, value]) => !close(potentials[element], value),
        );
        expect(wrong).toEqual([]);
      }
    });

    it(`${id}: equilibrium reaction energies of stable compounds`, () => {
      const wrong = expected.equilibrium_reactions.filter((row) => {
        const found = equilibriumReactionEnergy(hull, entryOf.get(row.id)?.composition ?? {});
        return !close(found, row.equilibrium_reaction_energy_per_atom);
      });
      expect(wrong).toEqual([]);
    });
  }
});
