/** Materials selected in tables. The selection lasts as long as the tab and spans pages and searches. */
import { useCallback, useMemo, useState } from 'react';
import type { RowSelection } from '../data-table/data-table.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { materialsTexts } from './texts.ts';
import { idOf } from '../../lib/format.ts';
import { SCALE_PARAMETER } from '../energy-scale/scale-parameter.ts';

export const MOST_COMPARED = 6;

/** Material numbers in an address: the first six distinct ones. */
export function readCompared(parameters: URLSearchParams): readonly number[] {
  const ids = (parameters.get('ids') ?? '')
    .split(',')
    .map(idOf)
    .filter((id) => id !== null);
  return [...new Set(ids)].slice(0, MOST_COMPARED);
}

/** A comparison keeps its materials in the address, so that it can be shared, reloaded and reached by Back. */
export function compareAddress(ids: readonly number[], scale: string | null = null): string {
  const parameters = new URLSearchParams({ ids: ids.join(',') });
  if (scale !== null) parameters.set(SCALE_PARAMETER, scale);
  // Unescaped commas are easier to read.
  return `/matdata/compare?${parameters.toString().replaceAll('%2C', ',')}`;
}

interface PickedMaterial {
  readonly structId: number;
  readonly formula: string;
}

export interface Picked {
  readonly materials: readonly PickedMaterial[];
  readonly clear: () => void;
  readonly selection: RowSelection<PickedMaterial>;
}

export function usePicked(): Picked {
  const { t } = useTexts(materialsTexts);
  const [materials, setMaterials] = useState<readonly PickedMaterial[]>([]);
  const clear = useCallback(() => setMaterials([]), []);
  const selection = useMemo(
    (): RowSelection<PickedMaterial> => ({
      isSelected: ({ structId }) => materials.some((other) => other.structId === structId),
      onToggle: ({ structId, formula }) =>
        setMaterials((now) =>
          now.some((other) => other.structId === structId)
            ? now.filter((other) => other.structId !== structId)
            : [...now, { structId, formula }],
        ),
      label: ({ structId, formula }) => t('choose', { name: `${formula} (${structId})` }),
    }),
    [materials, t],
  );
  return { materials, clear, selection };
}
