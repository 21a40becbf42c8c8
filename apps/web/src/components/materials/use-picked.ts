/** Materials selected in tables. The selection lasts as long as the tab and spans pages and searches. */
import { useCallback, useMemo, useState } from 'react';
import type { RowSelection } from '../data-table/data-table.tsx';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { idOf } from '../../lib/format.ts';
import { readableQuery } from '../../lib/use-address-state.ts';
import { readScale, SCALE_PARAMETER } from '../energy-scale/energy-scale.tsx';

export const materialsTexts = defineTexts('materials', {
  download: ['Download all {{n}} as', '下载全部 {{n}} 个：'],
  downloading: ['Writing the file…', '正在生成文件…'],
  csv: ['CSV', 'CSV'],
  jsonl: ['JSON Lines', 'JSON Lines'],
  cif: ['CIF', 'CIF'],
  'cif.tar.gz': ['CIF archive', 'CIF 压缩包'],
  'poscar.tar.gz': ['POSCAR archive', 'POSCAR 压缩包'],
  choose: ['Select {{name}}', '选择 {{name}}'],
});

export const MOST_COMPARED = 6;

/** Materials side by side, and the energy scale of their numbers (null: the default of the site). */
interface Comparison {
  readonly ids: readonly number[];
  readonly scale: string | null;
}

/** The first six distinct material numbers of an address, and its energy scale. */
export function readComparison(parameters: URLSearchParams): Comparison {
  const ids = (parameters.get('ids') ?? '')
    .split(',')
    .map(idOf)
    .filter((id) => id !== null);
  return { ids: [...new Set(ids)].slice(0, MOST_COMPARED), scale: readScale(parameters) };
}

export function comparisonParameters({ ids, scale }: Comparison): URLSearchParams {
  const parameters = new URLSearchParams({ ids: ids.join(',') });
  if (scale !== null) parameters.set(SCALE_PARAMETER, scale);
  return parameters;
}

/** A comparison keeps its materials in the address, so that it can be shared, reloaded and reached by Back. */
export const compareAddress = (ids: readonly number[], scale: string | null = null): string =>
  `/matdata/compare?${readableQuery(comparisonParameters({ ids, scale }))}`;

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
