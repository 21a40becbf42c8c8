/** How good the predictions were of what was calculated here afterwards. */
import type { CallAnswer } from '@unitcell/contract/define-call';
import type { predictionScore } from '@unitcell/contract/prediction';
import type { PredictionRepository } from '../../domain/prediction/prediction.repository.ts';

type Score = CallAnswer<typeof predictionScore>;
type Row = Score['rows'][number];

/** By property and scale. */
function groupsOf(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.property} ${row.functional}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

function summaryOf(rows: readonly Row[]): Score['summary'] {
  const groups = groupsOf(rows);
  return [...groups.values()].map((group) => ({
    property: group[0]!.property,
    functional: group[0]!.functional,
    compared: group.length,
    mean_absolute_error:
      group.reduce((sum, { predicted, calculated }) => sum + Math.abs(predicted.value - calculated), 0) /
      group.length,
    within: group.filter(({ is_within }) => is_within).length / group.length,
  }));
}

export async function score(repository: PredictionRepository): Promise<Score> {
  const found = await repository.scored();
  const rows = found.flatMap(({ structId, formula, model, functional, values, ...calculated }): Row[] =>
    (
      [
        ['formation_energy_per_atom', calculated.formationEnergyPerAtom],
        ['band_gap', calculated.bandGap],
      ] as const
    ).flatMap(([property, value]) => {
      const predicted = values[property];
      return value === null
        ? []
        : [
            {
              struct_id: structId,
              formula,
              model,
              functional,
              property,
              predicted,
              calculated: value,
              is_within: value >= predicted.low && value <= predicted.high,
            },
          ];
    }),
  );
  return { error: 'false', message: '', rows, summary: summaryOf(rows) };
}
