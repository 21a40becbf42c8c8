/** Materials found by a filter of columns in memory. The slice of screening holds the columns and offers this; others ask. */
import type { Filter } from '@unitcell/filter';
import type { Asker } from '../infra/task-admission.ts';

export interface FinderQuery {
  /** Over the columns of the screening index and those of `federated-texts.ts`; null finds all. */
  readonly filter: Filter | null;
  /** A column, its unknown values last; null: by number. */
  readonly sort: { readonly field: string; readonly desc: boolean } | null;
  /** How many ids are wanted. */
  readonly limit: number;
  /** They begin behind this one. */
  readonly after: number | null;
}

export interface FoundMaterials {
  readonly total: number;
  /** null: the material they were to begin behind is gone. */
  readonly ids: readonly number[] | null;
  readonly isLast: boolean;
}

/** null where the columns are not in memory yet, or the catalogue changed since they were read. */
export type FindMaterials = (query: FinderQuery, asker: Asker) => Promise<FoundMaterials | null>;

export interface MaterialFinder {
  offer(find: FindMaterials): void;
  readonly find: FindMaterials;
}

export function materialFinder(): MaterialFinder {
  let offered: FindMaterials = async () => null;
  return {
    offer(find) {
      offered = find;
    },
    find: (query, asker) => offered(query, asker),
  };
}
