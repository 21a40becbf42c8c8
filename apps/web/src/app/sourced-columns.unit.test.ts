/** Every number column of every tool states its method. */
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { predictedFields } from '@unitcell/material';
import { describe, expect, it } from 'vitest';
import { coatingColumns } from '../features/coatings/components/coating-results.tsx';
import { pairColumns } from '../features/coatings/components/matrix-result.tsx';
import { candidateColumns } from '../features/design/components/design-results.tsx';
import { electrodeColumns, stateColumns } from '../features/electrodes/columns.tsx';
import { windowColumns } from '../features/ecwindow/columns.tsx';
import { reactionColumns } from '../features/interface-reaction/components/reaction-result.tsx';
import { materialColumns } from '../components/materials/columns.tsx';
import { methodOfProperty, NUMBER_PROPERTIES } from '../components/filter/filter-fields.ts';
import { phaseColumns } from '../features/phase-diagram/columns.tsx';
import { hitColumns, peakColumns } from '../features/xrd/components/results.tsx';

interface Column {
  readonly id: string;
  readonly isNumeric?: boolean | undefined;
  readonly method?: unknown;
}

/** Headings are distinguished by their keys. */
const t = ((key: string) => key) as never;
const phases = phaseColumns(t, () => false, null, t, false);

const phase = { formula: 'LiCoO2', struct_id: null, energy_above_hull: null };
const answer = { a: phase, b: phase, reaction_limit: 0.05, potential: null, working_ion: 'Li', results: [] };

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  search: materialColumns('en', t),
  'stable phases': phases.stable,
  'unstable phases': phases.unstable,
  windows: windowColumns(t, t),
  electrodes: electrodeColumns(t),
  'states of charge': stateColumns(t, null),
  reactions: reactionColumns(t, null, ''),
  coatings: coatingColumns(t, answer, null),
  pairs: pairColumns(t),
  hits: hitColumns(t),
  peaks: peakColumns(t),
  candidates: candidateColumns(t, WORKING_IONS, undefined, true),
};

/** Numbers that identify or count a row: they describe the table and not the crystal. */
const COUNTS = new Set(['struct_id', 'rank', 'nsites', 'nelements', 'plateaus']);

describe('columns of numbers', () => {
  it.each(Object.entries(TABLES))('of the table of %s have a method', (_, columns) => {
    const numbers = columns.filter(({ id, isNumeric }) => isNumeric === true && !COUNTS.has(id));
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers.filter(({ method }) => method === undefined).map(({ id }) => id)).toEqual([]);
  });

  it('every number that a search can filter by has a method', () => {
    const numbers = NUMBER_PROPERTIES.filter((name) => !COUNTS.has(name));
    expect(numbers.filter((name) => methodOfProperty(name) === undefined)).toEqual([]);
    // Predicted values must not be presented as calculated.
    expect(new Set(predictedFields.map(({ name }) => methodOfProperty(name)))).toEqual(
      new Set(['prediction', 'potential']),
    );
  });
});
