/** Columns of the table of reactions (spec §2.12), with kJ/mol beside eV/atom. */
import type { DataColumn } from '../../components/data-table/columns.ts';
import { withScale } from '../../components/energy-scale/scale-parameter.ts';
import { Formula } from '../../components/formula.tsx';
import { NumberText } from '../../components/number-text.tsx';
import { ReactionEquation } from '../../components/reaction-equation.tsx';
import type { Translate } from '../../i18n/texts.ts';
import classes from './components/interface.module.css';
import type { interfaceTexts } from './texts.ts';
import type { ReactionRow } from './view-model.ts';

type T = Translate<(typeof interfaceTexts)['en']>;
type Column = DataColumn<ReactionRow>;

const energy = (
  id: string,
  header: string,
  value: (row: ReactionRow) => number,
  decimals: number,
): Column => ({
  id,
  header,
  value,
  render: (row) => <NumberText value={value(row)} decimals={decimals} />,
  isNumeric: true,
  method: 'reaction',
});

const Products = ({ row, scale }: { readonly row: ReactionRow; readonly scale: string | null }) =>
  row.phases.map(({ formula, struct_id: id }, index) => (
    <span key={formula}>
      {index > 0 && ' + '}
      {id === null ? (
        <Formula text={formula} />
      ) : (
        <a href={withScale(`/matdatades/${id}`, scale)} target="_blank" rel="noopener">
          <Formula text={formula} />
        </a>
      )}
    </span>
  ));

export const reactionColumns = (t: T, scale: string | null): readonly Column[] => [
  energy('molar_fraction', t('molar'), (row) => row.molar_fraction, 3),
  {
    id: 'products',
    header: t('products'),
    value: (row) => row.equilibrium_formula,
    render: (row) => (
      <span className={classes.products}>
        <Products row={row} scale={scale} />
      </span>
    ),
  },
  {
    id: 'equation',
    header: t('equation'),
    value: (row) => row.reaction_function,
    render: (row) => (
      <span className={classes.equation}>
        <ReactionEquation text={row.reaction_function} />
      </span>
    ),
  },
  energy('decomposition', t('decomposition'), (row) => row.decomposition_energy, 4),
  energy('mutual', t('mutual'), (row) => row.reaction_energy, 4),
  energy('total', t('total'), (row) => row.reaction_energy_total, 4),
  energy('kj', t('kilojoule'), (row) => row.reaction_energy_kj, 1),
];
