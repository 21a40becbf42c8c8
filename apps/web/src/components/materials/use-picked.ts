/** Materials selected in tables. The selection lasts as long as the tab and spans pages and searches. */
import { useCallback, useMemo, useState } from 'react';
import type { RowSelection } from '../data-table/data-table.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { materialsTexts } from './texts.ts';

export interface PickedMaterial {
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
