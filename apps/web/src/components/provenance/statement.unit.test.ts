// @vitest-environment node
/** Chinese source sentences of the seed data: citations stay unchanged and no other English remains. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { statementIn } from './statement.ts';

const SEED = new URL('../../../../../seed-data/generated/materials.jsonl', import.meta.url);

interface Stated {
  readonly source?: string | { readonly name: string; readonly id?: string };
  readonly evidence?: string;
}
interface Line {
  readonly source: { readonly name: string };
  readonly energies?: readonly { readonly source: { readonly name: string; readonly id: string } }[];
  readonly provenance: Readonly<Record<string, string | Stated | undefined>> & {
    readonly scale_failures?: readonly { readonly source: string }[];
  };
}

/** Lower-case words that citations contain in the names of authors, titles and journals. */
const OF_CITATIONS = new Set(
  'et al ed vol of and de van von doi mp npj substance data el standard anorg allg qmpy'.split(' '),
);

/** Provenance fields that a page shows as sentences. */
const SHOWN = [
  'structure',
  'formation_energy',
  'band_gap',
  'band_gap_experiment',
  'electronic',
  'own_energy',
  'elastic_tensor',
  'dielectric',
  'piezoelectric_total',
  'topology',
  'observed',
];

function sentencesOf({ source, energies = [], provenance }: Line): string[] {
  const said = SHOWN.map((part) => {
    const entry = provenance[part];
    if (typeof entry !== 'object') return entry;
    return entry.evidence ?? (typeof entry.source === 'string' ? entry.source : entry.source?.name);
  });
  const ofEnergies = energies.map(({ source: { name, id } }) => `${name} ${id}`.trim());
  const failures = (provenance.scale_failures ?? []).map((failure) => failure.source);
  return [source.name, ...ofEnergies, ...said, ...failures].filter((sentence) => sentence !== undefined);
}

const lines = readFileSync(SEED, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Line);
const sentences = [...new Set(lines.flatMap(sentencesOf))];

describe('sentences of sources', () => {
  it('contain no English on a Chinese page except citations', () => {
    expect(lines.length).toBeGreaterThan(1600);
    const left = sentences.flatMap((sentence) => {
      const said = statementIn(sentence, 'zh');
      const words =
        said.replaceAll(/doi:\S+|[ek]?[VJ]\/(?:atom|mol)/g, '').match(/(?<![\w'’-])[a-z]{2,}(?!\w)/g) ?? [];
      const english = words.filter((word) => !OF_CITATIONS.has(word));
      return english.length === 0 ? [] : [`${english.join(' ')}: ${said}`];
    });
    expect(left).toEqual([]);
  });

  it('contain no program identifiers in either language', () => {
    const raw = sentences.filter((sentence) =>
      /undefined|\bnull\b|\bNaN\b|\[object|\{\{|[a-z]_[a-z]|\b[a-z]{2,}[A-Z][a-z]{2,}\b/.test(
        sentence.replaceAll(/doi:\S+/g, ''),
      ),
    );
    expect(raw).toEqual([]);
  });

  it('use Chinese punctuation where translated', () => {
    const doubled = sentences
      .map((sentence) => statementIn(sentence, 'zh'))
      .filter((said) => /[,;，；：][，；：]/.test(said));
    expect(doubled).toEqual([]);
  });

  it('are unchanged in English', () => {
    for (const sentence of sentences) expect(statementIn(sentence, 'en')).toBe(sentence);
  });
});
