/**
 * The hull of the titanium oxides from measured enthalpies of formation at 298 K.
 * Source: M. W. Chase, NIST-JANAF Thermochemical Tables, 4th ed. (1998); kJ per mole of formula.
 */
import { formulaText } from '../../../../components/formula.tsx';
import { useTexts } from '../../../../i18n/texts.ts';
import { aboutTexts } from '../../texts.ts';
import classes from '../home.module.css';
import { Frame, pathOf, scaleOf } from './frame.tsx';

/** kJ/mol in one eV per particle. */
const KJ_PER_MOL_PER_EV = 96.485;

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

const scale = scaleOf([0, 1], [-3.8, 0.2]);
const stable = OXIDES.filter((oxide) => oxide.isStable);
const hull = [[0, 0], ...stable.map(({ x, y }) => [x, y]), [1, 0]] as [number, number][];

export function TitaniumOxides() {
  const { t } = useTexts(aboutTexts);
  return (
    <Frame
      scale={scale}
      label={t('figHull')}
      xTicks={[0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: String(at) }))}
      yTicks={[0, -1, -2, -3].map((at) => ({ at, text: String(at).replace('-', '\u2212') }))}
      xName={t('axisOxygen')}
      yName={t('axisFormation')}
    >
      <path d={pathOf(hull, scale)} className={classes.line} />
      {OXIDES.map(({ x, y, isStable, enthalpy }) => (
        <circle
          key={enthalpy}
          cx={scale.x(x)}
          cy={scale.y(y)}
          r={isStable ? 4 : 3.6}
          className={isStable ? classes.stable : classes.unstable}
        />
      ))}
      {[stable[0], stable[3]].map(
        (oxide, index) =>
          oxide && (
            <text
              key={oxide.formula}
              x={scale.x(oxide.x) + (index === 0 ? -9 : 9)}
              y={scale.y(oxide.y) + 12}
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
