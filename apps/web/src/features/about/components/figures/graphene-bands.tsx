/**
 * The π bands of graphene in nearest-neighbour tight binding: E = ±t |1 + exp(i k·a₁) + exp(i k·a₂)|
 * (P. R. Wallace, Phys. Rev. 71 (1947) 622). Path Γ–K–M–Γ, energies in units of t.
 */
import { useTexts } from '../../../../i18n/texts.ts';
import { aboutTexts } from '../../texts.ts';
import classes from '../home.module.css';
import { Frame, pathOf, scaleOf } from './frame.tsx';

/** Fractional coordinates in the reciprocal basis, and lengths of the path in units of |Γ–K|. */
const PATH = [
  { name: 'Γ', k: [0, 0], at: 0 },
  { name: 'K', k: [1 / 3, -1 / 3], at: 1 },
  { name: 'M', k: [1 / 2, 0], at: 1.5 },
  { name: 'Γ ', k: [0, 0], at: 1.5 + Math.sqrt(3) / 2 },
] as const;
const STEPS = 60;

function bandEnergy(k1: number, k2: number): number {
  const [a, b] = [2 * Math.PI * k1, 2 * Math.PI * k2];
  return Math.hypot(1 + Math.cos(a) + Math.cos(b), Math.sin(a) + Math.sin(b));
}

const UPPER = PATH.slice(1).flatMap((to, index) => {
  const from = PATH[index] ?? to;
  return Array.from({ length: STEPS + 1 }, (_, step): [number, number] => {
    const s = step / STEPS;
    const k = [from.k[0] + (to.k[0] - from.k[0]) * s, from.k[1] + (to.k[1] - from.k[1]) * s] as const;
    return [from.at + (to.at - from.at) * s, bandEnergy(...k)];
  });
});
const LOWER = UPPER.map(([x, energy]): [number, number] => [x, -energy]);
const END = 1.5 + Math.sqrt(3) / 2;
const scale = scaleOf([0, END], [-3.3, 3.3]);

export function GrapheneBands() {
  const { t } = useTexts(aboutTexts);
  return (
    <Frame
      scale={scale}
      label={t('figBand')}
      xTicks={PATH.map(({ name, at }) => ({ at, text: name }))}
      yTicks={[-3, 0, 3].map((at) => ({ at, text: String(at).replace('-', '\u2212') }))}
      yName="E / t"
    >
      {PATH.slice(1, 3).map(({ name, at }) => (
        <path key={name} d={`M${scale.x(at)} ${scale.y(-3.3)}V${scale.y(3.3)}`} className={classes.guide} />
      ))}
      <path d={`M${scale.x(0)} ${scale.y(0)}H${scale.x(END)}`} className={classes.guide} />
      <path d={pathOf(UPPER, scale)} className={classes.line} />
      <path d={pathOf(LOWER, scale)} className={classes.line} />
    </Frame>
  );
}
