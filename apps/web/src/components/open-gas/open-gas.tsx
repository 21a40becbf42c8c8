/** The gas to which a calculation is open, with temperature and pressure. */
import { NativeSelect } from '@mantine/core';
import { isReservoir, RESERVOIRS } from '@unitcell/contract/phase-diagram/rules';
import { memo, Suspense } from 'react';
import { formulaText } from '../formula.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { AIR_FURNACE, type OpenGasState } from './open-gas-state.ts';
import classes from './open-gas.module.css';
import { openGasTexts } from './texts.ts';

interface OpenGasProps {
  readonly open: OpenGasState | null;
  readonly onChange: (open: OpenGasState | null) => void;
  /** Label of the field, and text of the choice without a gas; default: the texts of an open diagram. */
  readonly label?: string;
  readonly noGas?: string;
}

/** The inputs for the gas are fetched when a gas is first chosen, because most diagrams have none. */
const Conditions = lazyPart(async () => (await import('./gas-conditions.tsx')).GasConditions);

const CLOSED = 'closed';

export const OpenGas = memo(function OpenGas({ open, onChange, label, noGas }: OpenGasProps) {
  const { t } = useTexts(openGasTexts);
  return (
    <fieldset className={`uc-wrap ${classes.openGas}`} title={t('openSource')}>
      <NativeSelect
        size="xs"
        label={label ?? t('openTo')}
        value={open?.gas ?? CLOSED}
        data={[
          { value: CLOSED, label: noGas ?? t('closed') },
          ...Object.keys(RESERVOIRS).map((gas) => ({ value: gas, label: formulaText(gas) })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (!isReservoir(value)) return onChange(null);
          const partner = RESERVOIRS[value];
          // A compound such as H2O needs a second gas, because it fixes only the sum of its elements' chemical
          // potentials.
          const second = partner === null ? null : { gas: partner, pressure: 1 };
          return onChange({ ...(open ?? AIR_FURNACE), gas: value, second });
        }}
      />
      {open && (
        <NativeSelect
          size="xs"
          label={t('secondGas')}
          value={open.second?.gas ?? CLOSED}
          data={[
            { value: CLOSED, label: t('noSecondGas') },
            ...Object.keys(RESERVOIRS)
              .filter((gas) => gas !== open.gas)
              .map((gas) => ({ value: gas, label: formulaText(gas) })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const pressure = open.second?.pressure ?? 1;
            onChange({ ...open, second: isReservoir(value) ? { gas: value, pressure } : null });
          }}
        />
      )}
      {open && (
        <Suspense>
          <Conditions open={open} onChange={onChange} />
        </Suspense>
      )}
    </fieldset>
  );
});
