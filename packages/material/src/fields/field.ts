/**
 * Definition of one scalar property of a material. Everything that handles the property is derived from it.
 */

export interface Bilingual {
  readonly en: string;
  readonly zh: string;
}

interface Described {
  /** Name in sentences and in tables of facts. */
  readonly label: Bilingual;
  /** One sentence: what the value is, for which cell, relative to which zero. */
  readonly meaning: Bilingual;
  /** Column of the table `material`; also the name in filters. */
  readonly column: string;
  /** Not every material has it. */
  readonly isNullable?: true;
  /** Path in the detail answer. */
  readonly detail?: string;
  /** Its position in a row of search results. */
  readonly row?: {
    /** From 0. Clients read by position: a new field takes the next free position, and none ever moves. */
    readonly position: number;
    /** Name of the position in the API, and of the column in addresses. */
    readonly name: string;
    /** Heading of its column. */
    readonly heading: Bilingual;
    readonly isHiddenByDefault?: true;
  };
}

/** Derived from the crystal, its energies or its larger results. */
interface Derived {
  readonly line?: undefined;
  readonly lineDefault?: undefined;
}

/** Given by a source. */
interface Given {
  /** Path in a line of the import format, `band_gap` or `names.en`. */
  readonly line: string;
  /** Value when a line omits it; without a default, and unless nullable, the line must have it. */
  readonly lineDefault?: string | boolean;
}

/**
 * Which value a material shows when several sources give it: that of the source of its structure (`primary`),
 * the first known one, true if any source says so, or that of the source whose value of another field is
 * shown.
 */
interface ChosenOfSeveral {
  readonly ofSeveral: 'primary' | 'first' | 'any' | { readonly with: string };
}

/** Its filter beside the search results; `none` for no filter. */
export interface FilterControl {
  /** Unfolded when the page opens. */
  readonly isOpen?: true;
  /** Common ranges, one click each; null is no limit. */
  readonly presets?: readonly (readonly [from: number | null, to: number | null])[];
}

interface Filtered {
  readonly filterControl?: FilterControl | 'none';
}

type LettersOf<Text extends string, Found = never> = Text extends `${infer First}${infer Rest}`
  ? LettersOf<Rest, Found | First>
  : Found & string;
type UnitStart = LettersOf<'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZÅμ°%1'>;

/** A field without a unit says so, so that none is forgotten. */
type Measured =
  | { readonly unit: `${UnitStart}${string}`; readonly isRatio?: undefined }
  | { readonly unit: ''; readonly isRatio: true };

interface NumberOfMaterial extends Described, Filtered {
  readonly kind: 'number';
  /** `cell`: the value is per cell and grows with it; other values do not depend on the choice of cell. */
  readonly per?: 'cell';
  /** Smallest meaningful value. */
  readonly min?: number;
  /** How the number is obtained: an entry of the methods page. */
  readonly method: string;
  /** The section of a material it belongs to, by its name in the source information of answers. */
  readonly sourceSection: string;
}

/**
 * Of several sources the best one for its section is shown. The material's page lists it under More
 * Information and compares it with other materials, with its own method and source.
 */
interface GivenNumber extends Given {
  readonly isNullable: true;
  readonly detail: string;
  /** The page shows it elsewhere than under More Information. */
  readonly hasOwnPlace?: true;
  /** Its zero differs between sources, so it is not compared between materials. */
  readonly isIncomparable?: true;
}

type NumberField = NumberOfMaterial & Measured & (Derived | GivenNumber);

type OtherField = Described & (Derived | (Given & ChosenOfSeveral));

/** `id` is a number used as a name, `texts` a list. */
type PlainField = OtherField & { readonly kind: 'id' | 'flag' | 'texts' | 'url' };

type CountField = OtherField & Filtered & { readonly kind: 'count'; readonly method?: string };

type TextField = OtherField & {
  readonly kind: 'text';
  /** How its characters are typeset. */
  readonly notation?: 'formula' | 'hermann-mauguin';
};

type ChoiceField = OtherField &
  Filtered & {
    readonly kind: 'choice';
    /** The possible values, with their names. */
    readonly options: Readonly<Record<string, Bilingual>>;
  };

export type Field = NumberField | CountField | PlainField | TextField | ChoiceField;

interface ValueOfKind {
  readonly number: number;
  readonly id: number;
  readonly count: number;
  readonly flag: boolean;
  readonly text: string;
  readonly url: string;
  readonly choice: string;
  readonly texts: readonly string[];
}

type KnownValue<F extends Field> = F extends { readonly options: infer Options }
  ? keyof Options & string
  : ValueOfKind[F['kind']];

/** Type of the values of a field. */
export type ValueOf<F extends Field> = F extends { readonly isNullable: true }
  ? KnownValue<F> | null
  : KnownValue<F>;
