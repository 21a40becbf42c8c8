import { modelCard } from '@unitcell/contract/prediction';
import { expect, it } from 'vitest';
import answers from '../../testing/answers.json';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import { chanceFigure, coverageFigure } from './components/model-card-page.tsx';

const colors: ChartColors = {
  ink: 'ink',
  faint: 'faint',
  rule: 'rule',
  surface: 'surface',
  series: ['first', 'second'],
  stable: 'stable',
  unstable: 'unstable',
  highlight: 'highlight',
};
const card = modelCard.answer.parse(answers.modelCard);

it('the coverage figure draws a class outside the limits hollow, in the error colour', () => {
  const [met] = card.classes;
  const classes = [met!, { ...met!, compound_class: 'chalcogenide' as const, coverage: 0.842 }];
  const { data } = coverageFigure(classes, { names: ['oxides', 'chalcogenides'], axis: 'inside' }, colors);
  expect(data[0]).toMatchObject({
    x: [expect.closeTo(90.1), expect.closeTo(84.2)],
    y: ['oxides', 'chalcogenides'],
    marker: { color: ['stable', 'surface'], line: { color: ['stable', 'unstable'] } },
  });
});

it('the probability figure omits probabilities that were predicted for no crystal', () => {
  const [first] = card.detection;
  const chances = [...first!.chances, { told: 0.05, found: 0.05, rows: 0 }];
  const texts = { names: ['within 25'], told: 'told', found: 'found' };
  const { data } = chanceFigure([{ ...first!, chances }], texts, colors);
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({ x: [97], y: [97], name: 'within 25' });
});
