/** What the program that ships says of the rows that judge. Answers are kept in a file, so that a run goes on where it was stopped. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import {
  crystalGraph,
  type Model,
  predictComposition,
  probabilityWithin,
  type Values,
  valuesOf,
} from '@unitcell/prediction';
import type { HeldOut, Known, KnownCrystal, MeasuredGap } from './held-out.ts';
import type { Told, ToldGap } from './judge.ts';
import { TRAINING_TOLERANCE } from './read-rows.ts';

type Answer = Omit<Told, 'known'>;
export interface Asked {
  readonly crystals: readonly Told[];
  readonly formulas: readonly Told[];
  readonly measured: readonly { readonly truth: number; readonly gap: ToldGap }[];
}

type Hulls = ReadonlyMap<string, number>;

function answerOf(
  model: Model,
  values: Values,
  members: readonly number[],
  thirds: readonly number[],
  hull: number | undefined,
): Answer {
  const { value, high } = values.formationEnergyPerAtom;
  const near = (margin: number): number =>
    hull === undefined ? 0 : probabilityWithin(model, values, value - hull, margin);
  return {
    energy: value,
    members,
    half: high - value,
    third: thirds.filter((edge) => values.expectedError > edge).length,
    gap: { ...values.bandGap, chance: values.insulatorProbability },
    log10: {
      bulkModulus: Math.log10(values.bulkModulus.value),
      shearModulus: Math.log10(values.shearModulus.value),
    },
    distance: values.domain.distance,
    hull: hull ?? null,
    chances: { 25: near(0.025), 50: near(0.05) },
  };
}

function ofCrystal(model: Model, { structure, id }: KnownCrystal, hulls: Hulls): Answer {
  const { manifest } = model;
  const given = structure();
  const { values, outputs } = valuesOf(model, manifest.scales, crystalGraph(given, TRAINING_TOLERANCE), [
    Math.log(given.sites.length),
  ]);
  const energies = outputs.map(({ energy }) => energy);
  const reference =
    values.formationEnergyPerAtom.value - energies.reduce((sum, x) => sum + x, 0) / energies.length;
  return answerOf(
    model,
    values,
    energies.map((energy) => energy + reference),
    manifest.interval.thirds,
    hulls.get(id),
  );
}

function ofFormula(model: Model, { composition, id }: Known, hulls: Hulls): Answer {
  const values = predictComposition(model, composition);
  const { thirds } = model.manifest.composition.interval;
  return answerOf(model, values, [values.formationEnergyPerAtom.value], thirds, hulls.get(id));
}

function ofMeasured(model: Model, { composition, gap: truth }: MeasuredGap): Asked['measured'][number] {
  const { measuredBandGap, measuredInsulatorProbability } = predictComposition(model, composition);
  return { truth, gap: { ...measuredBandGap, chance: measuredInsulatorProbability } };
}

/** Answers by the name of the row, read from the file as far as they are there. */
function kept(file: string): (id: string, ask: () => Answer) => Answer {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const known = new Map(
    // The last line of a run that was killed may be half a line.
    lines.filter((line) => line.endsWith('}]')).map((line) => JSON.parse(line) as [string, Answer]),
  );
  return (id, ask) => {
    const found = known.get(id);
    if (found) return found;
    const answer = ask();
    appendFileSync(file, `${JSON.stringify([id, answer])}\n`);
    return answer;
  };
}

/** @param file where answers are kept: of one model alone */
export function askProgram(
  model: Model,
  { crystals, formulas, measured }: HeldOut,
  hulls: Hulls,
  file: string,
): Asked {
  const answers = kept(file);
  return {
    crystals: crystals.map((known) => ({
      known,
      ...answers(known.id, () => ofCrystal(model, known, hulls)),
    })),
    formulas: formulas
      .filter(({ part }) => part === 'test')
      .map((known) => ({ known, ...ofFormula(model, known, hulls) })),
    measured: measured.map((row) => ofMeasured(model, row)),
  };
}
