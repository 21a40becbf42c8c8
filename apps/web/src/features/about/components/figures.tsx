/** The powder pattern of silicon (a = 5.431 Å), computed in the browser with the site's own code. */
import { orderedSite, type Structure } from '@unitcell/crystal';
import { powderPattern } from '@unitcell/diffraction';
import { findElement } from '@unitcell/elements';
import { type ReactNode, useMemo } from 'react';
import { formulaText } from '../../../components/formula.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { CrystalSketch } from '../../../viz/crystal-sketch/crystal-sketch.tsx';
import { aboutTexts } from '../texts.ts';
import classes from './home.module.css';

/** Frame of a small chart: axes with inward ticks, axis titles, and the scale from data to pixels. */
const WIDTH = 360;
const HEIGHT = 230;
const MARGIN = { left: 50, right: 12, top: 10, bottom: 42 };

interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

const scaleOf = (x: readonly [number, number], y: readonly [number, number]): Scale => ({
  x: (value) => MARGIN.left + ((value - x[0]) / (x[1] - x[0])) * (WIDTH - MARGIN.left - MARGIN.right),
  y: (value) =>
    HEIGHT - MARGIN.bottom - ((value - y[0]) / (y[1] - y[0])) * (HEIGHT - MARGIN.top - MARGIN.bottom),
});

interface Tick {
  readonly at: number;
  readonly text: string;
}

interface FrameProps {
  readonly scale: Scale;
  readonly label: string;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly xName?: string;
  readonly yName: string;
  readonly children: ReactNode;
}

function Frame({ scale, label, xTicks, yTicks, xName, yName, children }: FrameProps) {
  const [left, right] = [MARGIN.left, WIDTH - MARGIN.right];
  const [top, bottom] = [MARGIN.top, HEIGHT - MARGIN.bottom];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={classes.figure} role="img" aria-label={label}>
      <rect x={left} y={top} width={right - left} height={bottom - top} className={classes.axes} />
      {xTicks.map(({ at, text }) => (
        <g key={text}>
          <path d={`M${scale.x(at)} ${bottom}v-4`} className={classes.axes} />
          <text x={scale.x(at)} y={bottom + 16} textAnchor="middle" className={classes.tick}>
            {text}
          </text>
        </g>
      ))}
      {yTicks.map(({ at, text }) => (
        <g key={text}>
          <path d={`M${left} ${scale.y(at)}h4`} className={classes.axes} />
          <text x={left - 6} y={scale.y(at) + 3.5} textAnchor="end" className={classes.tick}>
            {text}
          </text>
        </g>
      ))}
      {xName && (
        <text x={(left + right) / 2} y={HEIGHT - 7} textAnchor="middle" className={classes.axisName}>
          {xName}
        </text>
      )}
      <text
        transform={`translate(13 ${(top + bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
        className={classes.axisName}
      >
        {yName}
      </text>
      {children}
    </svg>
  );
}

const pathOf = (points: readonly (readonly [number, number])[], scale: Scale): string =>
  points
    .map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${scale.x(x).toFixed(1)} ${scale.y(y).toFixed(1)}`)
    .join('');

/** kJ/mol per eV per particle. */
const KJ_PER_MOL_PER_EV = 96.485;

/**
 * The hull of the titanium oxides from measured enthalpies of formation at 298 K.
 * Source: M. W. Chase, NIST-JANAF Thermochemical Tables, 4th ed. (1998); kJ per mole of formula.
 */
const OXIDES = [
  { formula: 'TiO', titanium: 1, oxygen: 1, enthalpy: -542.66, isStable: true },
  { formula: 'Ti2O3', titanium: 2, oxygen: 3, enthalpy: -1520.88, isStable: true },
  { formula: 'Ti3O5', titanium: 3, oxygen: 5, enthalpy: -2459.15, isStable: true },
  { formula: 'TiO2', titanium: 1, oxygen: 2, enthalpy: -944.75, isStable: true },
  { formula: 'TiO2', titanium: 1, oxygen: 2, enthalpy: -938.72, isStable: false },
].map((oxide) => ({
  ...oxide,
  x: oxide.oxygen / (oxide.titanium + oxide.oxygen),
  y: oxide.enthalpy / KJ_PER_MOL_PER_EV / (oxide.titanium + oxide.oxygen),
}));

const titaniumOxidesScale = scaleOf([0, 1], [-3.8, 0.2]);
const stable = OXIDES.filter((oxide) => oxide.isStable);
const hull = [[0, 0], ...stable.map(({ x, y }) => [x, y]), [1, 0]] as [number, number][];

export function TitaniumOxides() {
  const { t } = useTexts(aboutTexts);
  return (
    <Frame
      scale={titaniumOxidesScale}
      label={t('figHull')}
      xTicks={[0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: String(at) }))}
      yTicks={[0, -1, -2, -3].map((at) => ({ at, text: String(at).replace('-', '\u2212') }))}
      xName={t('axisOxygen')}
      yName={t('axisFormation')}
    >
      <path d={pathOf(hull, titaniumOxidesScale)} className={classes.line} />
      {OXIDES.map(({ x, y, isStable, enthalpy }) => (
        <circle
          key={enthalpy}
          cx={titaniumOxidesScale.x(x)}
          cy={titaniumOxidesScale.y(y)}
          r={isStable ? 4 : 3.6}
          className={isStable ? classes.stable : classes.unstable}
        />
      ))}
      {[stable[0], stable[3]].map(
        (oxide, index) =>
          oxide && (
            <text
              key={oxide.formula}
              x={titaniumOxidesScale.x(oxide.x) + (index === 0 ? -9 : 9)}
              y={titaniumOxidesScale.y(oxide.y) + 12}
              textAnchor={index === 0 ? 'end' : 'start'}
              className={classes.note}
            >
              {formulaText(oxide.formula)}
            </text>
          ),
      )}
    </Frame>
  );
}

/** Fractional coordinates in the reciprocal basis, and lengths of the path in units of |Γ–K|. */
const PATH = [
  { name: 'Γ', k: [0, 0], at: 0 },
  { name: 'K', k: [1 / 3, -1 / 3], at: 1 },
  { name: 'M', k: [1 / 2, 0], at: 1.5 },
  { name: 'Γ ', k: [0, 0], at: 1.5 + Math.sqrt(3) / 2 },
] as const;
const STEPS = 60;

/**
 * The π bands of graphene in nearest-neighbour tight binding: E = ±t |1 + exp(i k·a₁) + exp(i k·a₂)|
 * (P. R. Wallace, Phys. Rev. 71 (1947) 622). Path Γ–K–M–Γ, energies in units of t.
 */
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
const grapheneBandsScale = scaleOf([0, END], [-3.3, 3.3]);

export function GrapheneBands() {
  const { t } = useTexts(aboutTexts);
  return (
    <Frame
      scale={grapheneBandsScale}
      label={t('figBand')}
      xTicks={PATH.map(({ name, at }) => ({ at, text: name }))}
      yTicks={[-3, 0, 3].map((at) => ({ at, text: String(at).replace('-', '\u2212') }))}
      yName="E / t"
    >
      {PATH.slice(1, 3).map(({ name, at }) => (
        <path
          key={name}
          d={`M${grapheneBandsScale.x(at)} ${grapheneBandsScale.y(-3.3)}V${grapheneBandsScale.y(3.3)}`}
          className={classes.guide}
        />
      ))}
      <path
        d={`M${grapheneBandsScale.x(0)} ${grapheneBandsScale.y(0)}H${grapheneBandsScale.x(END)}`}
        className={classes.guide}
      />
      <path d={pathOf(UPPER, grapheneBandsScale)} className={classes.line} />
      <path d={pathOf(LOWER, grapheneBandsScale)} className={classes.line} />
    </Frame>
  );
}

/** A small demo of the search: part of the periodic table with a chemical system selected. */
const ROWS = [
  ['Li', 'Be', '', '', '', '', '', 'B', 'C', 'N', 'O', 'F'],
  ['Na', 'Mg', '', '', '', '', '', 'Al', 'Si', 'P', 'S', 'Cl'],
  ['K', 'Ca', 'Sc', 'Ti', 'V', 'Cr', 'Mn', 'Ga', 'Ge', 'As', 'Se', 'Br'],
  ['Rb', 'Sr', 'Y', 'Zr', 'Nb', 'Mo', 'Tc', 'In', 'Sn', 'Sb', 'Te', 'I'],
];
const PICKED = new Set(['Ti', 'O']);

export function ElementPicker() {
  return (
    <div className={classes.picker} aria-hidden="true">
      <div className={classes.box} translate="no">
        Ti-O
        <span className={classes.caret} />
      </div>
      <div className={classes.elementPickerGrid}>
        {ROWS.flatMap((row, r) =>
          row.map((symbol, c) => {
            const element = findElement(symbol);
            return (
              element && (
                <span
                  key={symbol}
                  className={classes.tile}
                  data-picked={PICKED.has(symbol) || undefined}
                  style={{
                    gridRow: r + 1,
                    gridColumn: c + 1,
                    ['--hue' as string]: `var(--uc-cat-${element.category})`,
                  }}
                >
                  {symbol}
                </span>
              )
            );
          }),
        )}
      </div>
    </div>
  );
}

/** Strontium titanate, a = 3.905 Å: the ideal perovskite. */
const LATTICE_A = 3.905;
const PEROVSKITE: Structure = {
  latticeVectors: [
    [LATTICE_A, 0, 0],
    [0, LATTICE_A, 0],
    [0, 0, LATTICE_A],
  ],
  sites: [
    orderedSite('Sr', [0, 0, 0]),
    orderedSite('Ti', [0.5, 0.5, 0.5]),
    orderedSite('O', [0.5, 0.5, 0]),
    orderedSite('O', [0.5, 0, 0.5]),
    orderedSite('O', [0, 0.5, 0.5]),
  ],
};
const TITANIUM = ['Ti'];
/** Page colours instead of the brighter viewer colours. */
const COLORS = { Sr: 'var(--uc-orpiment)', Ti: 'var(--uc-prussian)', O: 'var(--uc-cinnabar)' };

export function Perovskite() {
  const { t } = useTexts(aboutTexts);
  return (
    <CrystalSketch structure={PEROVSKITE} label={t('figCrystal')} polyhedraOf={TITANIUM} colors={COLORS} />
  );
}

const A = 5.431;
const FCC = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
] as const;
const SILICON: Structure = {
  latticeVectors: [
    [A, 0, 0],
    [0, A, 0],
    [0, 0, A],
  ],
  sites: [0, 0.25].flatMap((shift) =>
    FCC.map(([x, y, z]) => orderedSite('Si', [x + shift, y + shift, z + shift])),
  ),
};

const scale = scaleOf([20, 90], [0, 108]);

export function SiliconPattern() {
  const { t } = useTexts(aboutTexts);
  const { peaks } = useMemo(() => powderPattern(SILICON), []);
  const shown = peaks.filter((peak) => peak.twoThetaDeg > 20);
  return (
    <Frame
      scale={scale}
      label={t('figXrd')}
      xTicks={[20, 40, 60, 80].map((at) => ({ at, text: String(at) }))}
      yTicks={[0, 50, 100].map((at) => ({ at, text: String(at) }))}
      xName={t('axisTwoTheta')}
      yName={t('axisIntensity')}
    >
      {shown.map((peak) => (
        <g key={peak.twoThetaDeg}>
          <path
            d={`M${scale.x(peak.twoThetaDeg)} ${scale.y(0)}V${scale.y(peak.intensity)}`}
            className={classes.line}
          />
          {peak.intensity > 20 && peak.twoThetaDeg < 80 && (
            <text x={scale.x(peak.twoThetaDeg) + 5} y={scale.y(peak.intensity) + 9} className={classes.note}>
              {peak.hkls[0]?.hkl.map((index) => Math.abs(index)).join('')}
            </text>
          )}
        </g>
      ))}
    </Frame>
  );
}
