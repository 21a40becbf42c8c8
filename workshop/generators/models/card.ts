/** The tables of docs/methods/prediction.md, written from the figures in the manifest, so that the card cannot say anything else. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type {
  EnergyFigures,
  ListFigures,
  MarginFigures,
  ModelManifest,
  TargetFigures,
} from '@unitcell/prediction';

const CARD = fileURLToPath(new URL('../../../docs/methods/prediction.md', import.meta.url));
const [BEGIN, END] = ['<!-- figures: npm run generate models -->', '<!-- end of figures -->'];

const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;
const ev = (value: number, digits = 4): string => value.toFixed(digits);
const whole = (value: number): string => value.toLocaleString('en');
/** A table of Markdown: the head and its rows, whose cells are separated by ` | `. */
const table = (head: string, rows: readonly string[]): string =>
  [
    head,
    head
      .split(' | ')
      .map(() => '---')
      .join(' | '),
    ...rows,
  ]
    .map((row) => `| ${row} |`)
    .join('\n');
const asked = (met: boolean, target: string): string => (met ? target : `${target}: **missed**`);
const inside = (share: number): boolean => share >= 0.88 && share <= 0.92;
const coverageOf = (share: number): string => `${percent(share)}${inside(share) ? '' : ' (**missed**)'}`;

function summary({ metrics }: ModelManifest): string {
  const {
    formationEnergy: energy,
    bandGap,
    bulkModulus,
    shearModulus,
    domain,
    stability,
    design,
    agreement,
  } = metrics;
  const { test, byThird, alsoHeldOut } = energy;
  const hull = stability.within25;
  const { rare } = hull;
  const ratio = domain.maeFarthestPercent / domain.maeNearestQuarter;
  const thirds = byThird.map(
    ({ coverage, meanHalfWidth }) => `${percent(coverage)} (${ev(meanHalfWidth, 3)})`,
  );
  const rows = [
    `formation energy, mean absolute error of ${whole(test.n)} crystals | ${ev(test.mae)} eV/atom (median ${ev(test.median)}, RMSE ${ev(test.rmse, 3)}); members alone ${energy.members.map((mae) => ev(mae)).join(', ')} | ${asked(test.mae <= 0.033, '0.033')}`,
    `the same of ${whole(alsoHeldOut.n)} further crystals never taught | ${ev(alsoHeldOut.mae)} eV/atom | `,
    `90 % interval, coverage | ${percent(test.coverage)} | ${asked(inside(test.coverage), '88–92 %')}`,
    `90 % interval, mean half width | ${ev(test.meanHalfWidth)} eV/atom | ${asked(test.meanHalfWidth <= 0.07, '0.07')}`,
    `surest, middle, least sure third: coverage (half width) | ${thirds.join(', ')} | ${asked(
      byThird.every(({ coverage }) => inside(coverage)),
      '88–92 % each',
    )}`,
    `within 25 meV of the hull, F1 (${percent(hull.prevalence, 0)} are; saying yes to all gives ${ev(hull.f1OfAllYes, 3)}) | ${ev(hull.f1, 3)} (precision ${ev(hull.precision, 3)}, recall ${ev(hull.recall, 3)}); ${ev(hull.atThreshold.f1, 3)} at a threshold of ${(1000 * hull.threshold).toFixed(0)} meV chosen on calibration systems | ${asked(Math.max(hull.f1, hull.atThreshold.f1) >= 0.88, '0.88')}`,
    `the same where ${percent(rare.prevalence, 0)} are (all yes: ${ev(rare.f1OfAllYes, 3)}) | ${ev(rare.f1, 3)} (precision ${ev(rare.precision, 3)}); ${ev(rare.atThreshold.f1, 3)} at ${(1000 * rare.threshold).toFixed(0)} meV | stated`,
    `metal or insulator, AUC | ${ev(bandGap.aucInsulator, 3)} (${percent(bandGap.insulators, 0)} insulators) | ${asked(bandGap.aucInsulator >= 0.96, '0.96')}`,
    `PBE gap, mean absolute error of ${whole(bandGap.n)} | ${ev(bandGap.mae, 3)} eV (median ${ev(bandGap.median, 3)}); coverage ${percent(bandGap.coverage)} | ${asked(bandGap.mae <= 0.22, '0.22')}`,
    `log10 K, mean absolute error of ${whole(bulkModulus.n)} | ${ev(bulkModulus.maeLog10)}; coverage ${percent(bulkModulus.coverage)} | ${asked(bulkModulus.maeLog10 <= 0.055, '0.055')}`,
    `log10 G | ${ev(shearModulus.maeLog10)}; coverage ${percent(shearModulus.coverage)} | ${asked(shearModulus.maeLog10 <= 0.078, '0.078')}`,
    `error of the farthest percent against the nearest quarter | ${ev(domain.maeFarthestPercent, 3)} against ${ev(domain.maeNearestQuarter, 3)} eV/atom: ${ratio.toFixed(1)} times | ${asked(ratio >= 4, '4 times')}`,
  ];
  if (design)
    rows.push(
      `design: of the first 100 candidates, easy cases left out, on the hull | ${percent(design.first100Hard.onHull, 0)} (baseline without the network ${percent(design.baselineHard.onHull, 0)}; of all such candidates ${percent(design.hardPrevalence.onHull, 0)}) | ${asked(design.first100Hard.onHull >= 0.75, '75 %')}`,
    );
  if (agreement) {
    const { structures, formulas: texts, largestEnergy, largestHead, largestOfFormulas } = agreement;
    const { meanAtoms, processorMillisecondsPerMember: ms } = agreement;
    const anyHead = Math.max(largestHead, largestOfFormulas);
    rows.push(
      `the program against the training code, ${whole(structures)} crystals and ${whole(texts)} formulas | ${largestEnergy.toExponential(1)} eV/atom, ${anyHead.toExponential(1)} any head | ${asked(Math.max(largestEnergy, anyHead) <= 1e-5, '1e-5')}`,
      `processor time a structure and member (mean ${meanAtoms.toFixed(0)} atoms) | ${ms.toFixed(1)} ms | ${asked(ms <= 10, '10 ms')}`,
    );
  }
  return table(' | reached | asked', rows);
}

const classes = ({ byClass, alsoByClass }: EnergyFigures): string =>
  table(
    'class | crystals (systems) | error | coverage | mean half width | further crystals never taught: coverage',
    Object.entries(byClass).map(([name, figures]) => {
      const also = alsoByClass[name as keyof typeof alsoByClass];
      const missed = inside(figures.coverage) ? '' : ': **missed**';
      return `${name} | ${whole(figures.n)} (${whole(figures.systems)}) | ${ev(figures.mae)} | ${percent(figures.coverage)} ± ${percent(figures.coverageError)}${missed} | ${ev(figures.meanHalfWidth, 3)} | ${percent(also.coverage)} ± ${percent(also.coverageError)} (${whole(also.n)})`;
    }),
  );

const reliability = (within25: MarginFigures, within50: MarginFigures): string =>
  table(
    'chance told | within 25 meV: came true (crystals) | within 50 meV: came true (crystals)',
    within25.reliability.map((bin, k) => {
      const cell = ({ told, found, n }: typeof bin): string =>
        `${percent(told, 0)} → ${percent(found, 0)} (${whole(n)})`;
      return `${10 * k}–${10 * (k + 1)} % | ${cell(bin)} | ${cell(within50.reliability[k])}`;
    }),
  );

function designs({ metrics: { design } }: ModelManifest): string {
  if (!design) return '';
  const list = (name: string, { onHull, within25, within50 }: ListFigures): string =>
    [name, percent(onHull, 0), percent(within25, 0), percent(within50, 0)].join(' | ');
  return table(' | on the hull | within 25 meV | within 50 meV', [
    list(`all ${whole(design.candidates)} candidates`, design.prevalence),
    list('first 100', design.first100),
    list(`the ${whole(design.hard)} that are not easy`, design.hardPrevalence),
    list('first 100 of them', design.first100Hard),
    list('first 100 by the template (baseline)', design.baselineHard),
    list('first 100 from relaxed cells', design.relaxedHard),
  ]);
}

function formulas(figures: TargetFigures & { readonly measuredBandGap: TargetFigures['bandGap'] }): string {
  const { bandGap, measuredBandGap: measured, bulkModulus, shearModulus, stability } = figures;
  const { test, byClass } = figures.formationEnergy;
  const byName = Object.entries(byClass).map(([name, { coverage }]) => `${name} ${coverageOf(coverage)}`);
  return table('of formulas | rows | error | coverage', [
    `formation energy of the lowest crystal, eV/atom | ${whole(test.n)} | ${ev(test.mae)} (median ${ev(test.median)}) | ${coverageOf(test.coverage)} at a mean half width of ${ev(test.meanHalfWidth, 3)}; by class ${byName.join(', ')}`,
    `its PBE gap, eV | ${whole(bandGap.n)} | ${ev(bandGap.mae, 3)}; AUC ${ev(bandGap.aucInsulator, 3)} | ${coverageOf(bandGap.coverage)}`,
    `measured gap, eV (no oxides, no halides) | ${whole(measured.n)} | ${ev(measured.mae, 3)}; AUC ${ev(measured.aucInsulator, 3)} (${percent(measured.insulators, 0)} with a gap) | ${coverageOf(measured.coverage)}`,
    `log10 K | ${whole(bulkModulus.n)} | ${ev(bulkModulus.maeLog10)} | ${coverageOf(bulkModulus.coverage)}`,
    `log10 G | ${whole(shearModulus.n)} | ${ev(shearModulus.maeLog10)} | ${coverageOf(shearModulus.coverage)}`,
    `within 25 meV of the hull, F1 | ${whole(stability.n)} | ${ev(stability.within25.f1, 3)} (all yes: ${ev(stability.within25.f1OfAllYes, 3)}) | `,
  ]);
}

/** The tables of the card, one below the other. */
export const cardTables = (manifest: ModelManifest): string => {
  const { metrics } = manifest;
  return [
    summary(manifest),
    classes(metrics.formationEnergy),
    reliability(metrics.stability.within25, metrics.stability.within50),
    designs(manifest),
    formulas(metrics.composition),
  ].join('\n\n');
};

function cardWith(manifest: ModelManifest): { old: string; now: string } {
  const old = readFileSync(CARD, 'utf8');
  const [before, rest] = old.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${CARD} has no place for the figures (${BEGIN} … ${END})`);
  return { old, now: `${before}${BEGIN}\n\n${cardTables(manifest)}\n\n${END}${after}` };
}

export const writeCard = (manifest: ModelManifest): void => writeFileSync(CARD, cardWith(manifest).now);

/** @throws Error when the card states other figures than the manifest */
export function checkCard(manifest: ModelManifest): void {
  const { old, now } = cardWith(manifest);
  if (old !== now)
    throw new Error(
      'docs/methods/prediction.md states other figures than packages/prediction/model/model.json',
    );
}
