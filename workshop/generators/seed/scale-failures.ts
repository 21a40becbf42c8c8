/**
 * Where an energy scale contradicts experiment: `seed-data/scale-failures.csv`, one row for a phase that is stable at ambient
 * conditions and the phases of its composition the scale puts below it. seed.test.ts holds every row against the energies.
 */
import { parseCsv } from './csv.ts';

export interface ScaleFailure {
  /** The phase that is stable by experiment. */
  readonly structId: number;
  readonly formula: string;
  /** Phases the scale has below it. */
  readonly rivals: readonly number[];
  readonly functional: string;
  readonly en: string;
  readonly zh: string;
  readonly source: string;
  readonly citationChecked: string;
}

/** @throws Error naming the row that cannot be read */
export const parseScaleFailures = (text: string): readonly ScaleFailure[] =>
  parseCsv(text).map((record) => {
    const { formula = '', functional = '', en = '', zh = '', source = '' } = record;
    const structId = Number(record['struct_id']);
    const rivals = (record['rivals'] ?? '').split(' ').map(Number);
    if (
      ![structId, ...rivals].every((id) => Number.isInteger(id) && id > 0) ||
      !functional ||
      !en ||
      !zh ||
      !source
    )
      throw new Error(
        `scale-failures.csv, struct_id ${record['struct_id']}: expected ids, a scale, both texts, a source.`,
      );
    const citationChecked = record['citation_checked'] ?? '';
    return { structId, formula, rivals, functional, en, zh, source, citationChecked };
  });

/** As the provenance of all phases it is about says it. */
export const failureProvenance = ({
  structId,
  functional,
  en,
  zh,
  source,
  citationChecked,
}: ScaleFailure) => ({
  scale: functional,
  stable: structId,
  en,
  zh,
  source,
  citation_checked: citationChecked,
});
