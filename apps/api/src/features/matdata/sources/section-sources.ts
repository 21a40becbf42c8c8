/**
 * Converts the free-form `provenance` of a material to the source of each part of its page, in one format.
 */
import type { MethodKey, SectionSource, SourceKind, SourceSection } from '@unitcell/contract/matdata';
import { fields, GIVEN_NUMBERS, isRecord } from '@unitcell/material';
import { phononsKey, statedOrigin } from '../../../catalogue/records/source-order.ts';
import type { StoredDetail } from '../stored-detail.ts';
import {
  isQuoted,
  kindsOf,
  type MethodFact,
  methodOf,
  sourceOf,
  type Work,
  worksOf,
} from '../../../domain/read-statement.ts';

type Provenance = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Writes a quantity as `598.7 eV`, from a text or from {"value", "unit"}. */
const quantityOf = (value: unknown): string =>
  isRecord(value)
    ? [value.kind, value.value, value.unit].map(textOf).filter(Boolean).join(' ')
    : textOf(value);

const meshOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(' × ') : textOf(value);

/** The method stated by an object of the provenance, under the names that calculations here use. */
function statedMethod(entry: Provenance): MethodFact[] {
  const facts: readonly (readonly [MethodKey, string])[] = [
    ['code', textOf(entry.code) || textOf(entry.engine_version)],
    ['functional', textOf(entry.functional) || textOf(entry.run_type)],
    ['cutoff', quantityOf(entry.cutoff)],
    ['k_mesh', meshOf(entry.kMesh ?? entry.k_mesh)],
    ['data_sets', textOf(entry.dataSets)],
    ['smearing', quantityOf(entry.smearing)],
    ['temperature', quantityOf(entry.temperature)],
  ];
  return facts.flatMap(([key, value]) => (value === '' ? [] : [{ key, value }]));
}

/** Reads `yes`, `no`, or `no: cell, density`, which lists the unchecked parts. */
function checkedOf(stated: unknown, what: string): boolean | null {
  if (typeof stated === 'boolean') return stated;
  const [answer, list] = textOf(stated).split(': ');
  if (answer === 'yes') return true;
  if (answer !== 'no') return null;
  return list === undefined ? false : !list.split(', ').includes(what);
}

const KINDS = new Set<string>(['measured', 'calculated', 'predicted', 'defined'] satisfies SourceKind[]);
const isKind = (value: unknown): value is SourceKind => KINDS.has(textOf(value));

interface Stated {
  readonly section: SourceSection;
  readonly of?: string;
  /** A sentence, or an object with `source` and more. */
  readonly entry: unknown;
  /** Further text from which kind and method are found: the name of the scale or the section. */
  readonly hint?: string;
  readonly checked?: boolean | null;
}

/**
 * Kinds of method of a statement. The hint (name of the scale) takes precedence, because a sentence may
 * mention other kinds of values (`far from the measured one`).
 */
function kindsSaid(statement: string, hint: string): SourceKind[] {
  const ofStatement = kindsOf(statement);
  const ofHint = kindsOf(hint);
  return ofStatement.includes('defined') || ofHint.length === 0 ? ofStatement : ofHint;
}

export function sectionSources(stored: StoredDetail): SectionSource[] {
  const { provenance, sourceName, sourceId, sourceLicence, sourceUrl } = stored;
  const own: Work = { text: `${sourceName} ${sourceId}`.trim(), url: sourceUrl };
  /** The method that applies to all results of a run. Run4U and computed entries state it at the top level. */
  const run = statedMethod(provenance);
  const hubbards = isRecord(provenance.hubbards) ? Object.entries(provenance.hubbards) : [];
  const hubbard: readonly MethodFact[] =
    hubbards.length === 0
      ? []
      : [{ key: 'hubbard', value: hubbards.map(([element, u]) => `${element} ${String(u)} eV`).join(', ') }];

  function read({ section, of = '', entry, hint = '', checked = null }: Stated): SectionSource {
    const object = isRecord(entry) ? entry : {};
    const sentence = textOf(entry) || [object.source, object.id].map(textOf).filter(Boolean).join(' ');
    const statement = sentence || own.text;
    const said = `${statement}; ${hint}`;
    const isUnverified = isQuoted(statement);
    const kind = isKind(object.kind) ? [object.kind] : kindsSaid(statement, hint);
    // A quoted value has no kind, even in a place for measured values.
    const ofSentence = isUnverified ? [] : kind;
    const stated = statedMethod(object);
    // Measured and defined values do not come from the run, even if the entry contains one.
    const isCalculable = !isUnverified && !ofSentence.includes('measured') && !ofSentence.includes('defined');
    const method = [
      ...stated,
      ...(isCalculable ? run : []),
      ...methodOf(said),
      ...(isCalculable ? hubbard : []),
    ];
    const isRun = isCalculable && method.some(({ key }) => key === 'code');
    const url = textOf(object.url);
    const works = statement.startsWith(sourceName) ? [own] : worksOf(statement);
    return {
      section,
      of,
      kinds: ofSentence.length === 0 && isRun ? ['calculated'] : ofSentence,
      statement,
      is_derived: false,
      method: method.filter(({ key }, at) => method.findIndex((other) => other.key === key) === at),
      licence: textOf(object.licence) || licenceOf(works, works.includes(own) ? sourceLicence : ''),
      works: ofSentence.includes('defined')
        ? []
        : works.map((work) => (work.url === null && url !== '' ? { ...work, url } : work)),
      citation_checked: isUnverified ? false : (checkedOf(object.citation_checked, '') ?? checked),
    };
  }

  const top = (what: string): boolean | null => checkedOf(provenance.citation_checked, what);
  const { observed } = provenance;
  const isCellMeasured = isRecord(observed) && textOf(observed.evidence).includes('measured cell');
  const stated = read({ section: 'structure', entry: provenance.structure, checked: top('cell') });
  const structure: SectionSource =
    isCellMeasured && !stated.kinds.includes('measured')
      ? { ...stated, kinds: ['measured', ...stated.kinds] }
      : stated;
  const energies = stored.energies
    .filter(
      ({ energyPerAtom, formationEnergyPerAtom }) =>
        energyPerAtom !== null || formationEnergyPerAtom !== null,
    )
    .map(({ functional, source }) =>
      read({
        section: 'energy',
        of: functional,
        entry:
          Object.keys(source).length > 0 ? { ...source, source: source.name } : provenance.formation_energy,
        hint: functional,
        checked: top('energy'),
      }),
    );
  const { tensors } = stored;
  const { electronic } = provenance;
  const derived = (
    section: SourceSection,
    from: SectionSource,
    method: MethodFact[] = [],
  ): SectionSource => ({
    ...from,
    section,
    kinds: ['calculated'],
    method,
    is_derived: true,
  });
  return [
    structure,
    derived('symmetry', structure, [{ key: 'tolerance', value: `${stored.symprec} Å` }]),
    ...energies,
    ...(stored.bandGap === null
      ? []
      : [
          read({
            section: 'band_gap',
            of: 'listed',
            entry: provenance.band_gap,
            hint: stored.functional ?? '',
            checked: top('gap'),
          }),
        ]),
    ...(isRecord(provenance.band_gap_experiment)
      ? [
          read({
            section: 'band_gap',
            of: isQuoted(sourceOf(provenance.band_gap_experiment)) ? 'quoted' : 'measured',
            entry: { kind: 'measured', ...provenance.band_gap_experiment },
            checked: top('gap_expt'),
          }),
        ]
      : []),
    ...stored.bands.map(({ functional }) =>
      read({
        section: 'bands',
        of: functional,
        // The settings of PBE bands do not apply to hybrid bands.
        entry: isOfFunctional(electronic, functional) ? electronic : undefined,
        hint: functional,
      }),
    ),
    ...energies.slice(0, 1).map((energy) => derived('phase_diagram', energy)),
    derived('xrd', structure),
    ...(tensors.dielectric ? [read({ section: 'dielectric', entry: provenance.dielectric })] : []),
    ...(tensors.piezoelectric
      ? [read({ section: 'piezoelectric', entry: provenance.piezoelectric_total })]
      : []),
    ...(tensors.elastic ? [read({ section: 'elastic', entry: provenance.elastic_tensor })] : []),
    ...stored.phononFunctionals.map((functional) =>
      read({
        section: 'phonons',
        of: functional,
        entry:
          provenance[phononsKey(functional)] ??
          (isOfFunctional(provenance.phonons, functional) ? provenance.phonons : undefined),
        hint: functional,
      }),
    ),
    ...(stored.topology ? [read({ section: 'topology', entry: provenance.topology })] : []),
    ...GIVEN_NUMBERS.flatMap((name) => {
      const { sourceSection: section, column }: { sourceSection: SourceSection; column: string } =
        fields[name];
      // The sources of the gap are listed above, one per stated gap.
      if (section === 'band_gap' || stored[name] === null) return [];
      const of = section === column ? '' : column;
      return [read({ section, of, entry: statedOrigin(provenance, name) })];
    }),
  ];
}

const isOfFunctional = (electronic: unknown, functional: string): boolean => {
  const stated = isRecord(electronic) ? textOf(electronic.functional) : '';
  return stated === '' || functional.startsWith(stated) || stated.startsWith(functional);
};

const LICENCES: readonly (readonly [RegExp, string])[] = [
  [/^Materials Project/, 'CC BY 4.0'],
  [/Crystallography Open Database/, 'CC0-1.0'],
];

/** The licences of the cited collections, otherwise the entry's own. */
function licenceOf(works: readonly Work[], own: string): string {
  const known = works.flatMap(({ text }) =>
    LICENCES.filter(([name]) => name.test(text)).map(([, licence]) => licence),
  );
  return known.length === 0 ? own : [...new Set(known)].join(', ');
}
