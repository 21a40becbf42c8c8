/** Predicted properties and their accuracy. */
import { pathToFileURL } from 'node:url';
import type { CallAnswer } from '@unitcell/contract/common';
import { modelCard, predict, predictionScore } from '@unitcell/contract/prediction';
import type { ModelManifest, TargetFigures } from '@unitcell/prediction';
import { manifestInNode } from '@unitcell/prediction/node';
import type { FastifyInstance } from 'fastify';
import { type ModelPlace, requireModel } from '../../domain/prediction/models.ts';
import {
  type PredictionRepository,
  predictionRepository,
  type Predictions,
} from '../../domain/prediction/predictions.ts';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { Db } from '../../infra/database.ts';

// ── The card of the active model, made from its manifest ──

type Card = CallAnswer<typeof modelCard>;
type Kind = Card['figures'][number]['of'];
type CardReader = () => Promise<Card>;

function figuresOf(of: Kind, target: TargetFigures): Card['figures'] {
  const energy = target.formationEnergy.test;
  return [
    {
      of,
      property: 'formation_energy_per_atom',
      rows: energy.n,
      mean_absolute_error: energy.mae,
      coverage: energy.coverage,
    },
    {
      of,
      property: 'band_gap',
      rows: target.bandGap.n,
      mean_absolute_error: target.bandGap.mae,
      coverage: target.bandGap.coverage,
    },
    ...(['bulk', 'shear'] as const).map((name) => {
      const { n, maeLog10, coverage } = target[`${name}Modulus`];
      return {
        of,
        property: `log10_${name}_modulus` as const,
        rows: n,
        mean_absolute_error: maeLog10,
        coverage,
      };
    }),
  ];
}

const detectionOf = (of: Kind, { stability }: TargetFigures): Card['detection'] =>
  ([25, 50] as const).map((margin) => {
    const figures = stability[`within${margin}`];
    return {
      of,
      margin,
      prevalence: figures.prevalence,
      precision: figures.precision,
      recall: figures.recall,
      f1: figures.f1,
      f1_of_all_yes: figures.f1OfAllYes,
      chances: figures.reliability.map(({ told, found, n }) => ({ told, found, rows: n })),
    };
  });

/** Omits figures that were tested on no crystal: a model of a small catalogue is tested on few crystals. */
function cardOf({ name, folder }: ModelPlace, { architecture, training, metrics }: ModelManifest): Card {
  const { composition } = metrics;
  const gap = composition.measuredBandGap;
  const count = (of: string): number => Number(training[of] ?? 0);
  return {
    error: 'false',
    message: '',
    model: name,
    is_shipped: folder === null,
    members: architecture.members,
    taught_crystals: count('rows'),
    taught_formulas: count('compositions'),
    calibration_crystals: count('calibration'),
    test_crystals: count('test'),
    figures: [
      ...figuresOf('crystals', metrics),
      ...figuresOf('formulas', composition),
      {
        of: 'formulas' as const,
        property: 'measured_band_gap' as const,
        rows: gap.n,
        mean_absolute_error: gap.mae,
        coverage: gap.coverage,
      },
    ].filter(({ rows }) => rows > 0),
    classes: Object.entries(metrics.formationEnergy.byClass)
      .filter(([, { n }]) => n > 0)
      .map(([group, { n, systems, mae, coverage, coverageError, meanHalfWidth }]) => ({
        compound_class: group as Card['classes'][number]['compound_class'],
        crystals: n,
        systems,
        mean_absolute_error: mae,
        coverage,
        coverage_error: coverageError,
        mean_half_width: meanHalfWidth,
      })),
    detection: [
      ...(metrics.stability.n > 0 ? detectionOf('crystals', metrics) : []),
      ...(composition.stability.n > 0 ? detectionOf('formulas', composition) : []),
    ],
  };
}

/** Reads the card of the active model; each manifest is read once. */
function cardReader(database: { readonly db: Db }, home: string): CardReader {
  let read: Card | undefined;
  /** @throws AppError prediction.off, prediction.model-missing */
  return async () => {
    const place = await requireModel(database, home);
    if (read?.model !== place.name || read.is_shipped !== (place.folder === null))
      read = cardOf(
        place,
        manifestInNode(place.folder === null ? undefined : pathToFileURL(`${place.folder}/`)),
      );
    return read;
  };
}

export function predictionFeature(app: FastifyInstance, { predictions, database, config }: Services): void {
  predictionRoutes(app, predictions, predictionRepository(database), cardReader(database, config.home));
}

function predictionRoutes(
  app: FastifyInstance,
  predictions: Predictions,
  repository: PredictionRepository,
  card: CardReader,
): void {
  serveCall(app, predict, ({ body, t, caller }) =>
    predictions.predict(
      {
        structure: body.structure,
        fileName: body.file_name ?? '',
        formula: body.formula,
        structId: body.struct_id,
        relax: body.relax === true,
      },
      t,
      caller,
    ),
  );
  serveCall(app, modelCard, card);
  serveCall(app, predictionScore, () => score(repository));
}

// ── Accuracy of predictions for materials that were later calculated here ──

type Score = CallAnswer<typeof predictionScore>;
type Row = Score['rows'][number];

/** Groups by property and scale. */
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

async function score(repository: PredictionRepository): Promise<Score> {
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
