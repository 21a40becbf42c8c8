/** What is said of one scalar property of a material. Everything that handles the property follows from it. */

export interface Bilingual {
  readonly en: string;
  readonly zh: string;
}

interface Described {
  /** Name in sentences and in tables of facts. */
  readonly label: Bilingual;
  /** One sentence: what the value is, of which cell, against which zero. */
  readonly meaning: Bilingual;
  /** Column of the table `material`; also the name in filters. */
  readonly column: string;
  /** Not every material has it. */
  readonly isNullable?: true;
  /** Where it stands in the detail answer. */
  readonly detail?: string;
  /** Its place in a row of search results. */
  readonly row?: {
    /** From 0. Clients read by position, so a new field takes the next free one and none ever moves. */
    readonly position: number;
    /** Name of the position on the wire, and of the column in addresses. */
    readonly name: string;
    /** Heading of its column. */
    readonly heading: Bilingual;
    readonly isHiddenByDefault?: true;
  };
}

/** It follows from the crystal, its energies or its larger results. */
interface Derived {
  readonly line?: undefined;
  readonly lineDefault?: undefined;
}

/** A source gives it. */
interface Given {
  /** Where it stands in a line of the import format, `band_gap` or `names.en`. */
  readonly line: string;
  /** What a line means that leaves it out; without one, and when not nullable, a line must have it. */
  readonly lineDefault?: string | boolean;
}

/**
 * Which value a material shows when several sources give it: that of the source of its structure (`primary`), the first known one,
 * true if any source says so, or that of the source whose value of another field is shown.
 */
interface ChosenOfSeveral {
  readonly ofSeveral: 'primary' | 'first' | 'any' | { readonly with: string };
}

/** Its filter beside the results of a search: there is one unless it says `none`. */
export interface Rail {
  /** Unfolded when the page opens. */
  readonly isOpen?: true;
  /** Ranges people mean, one click each; null is no limit. */
  readonly presets?: readonly (readonly [from: number | null, to: number | null])[];
}

interface Filtered {
  readonly rail?: Rail | 'none';
}

type LettersOf<Text extends string, Found = never> = Text extends `${infer First}${infer Rest}`
  ? LettersOf<Rest, Found | First>
  : Found & string;
type UnitStart = LettersOf<'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZÅμ°%1'>;

/** A unit is never left empty by mistake: what has none says so. */
type Measured =
  | { readonly unit: `${UnitStart}${string}`; readonly isRatio?: undefined }
  | { readonly unit: ''; readonly isRatio: true };

interface NumberOfMaterial extends Described, Filtered {
  readonly kind: 'number';
  /** It grows with the cell it is given for (`cell`); other values do not change with the choice of cell. */
  readonly per?: 'cell';
  /** Smallest value that makes sense. */
  readonly min?: number;
  /** How the number comes about: a method of the page of methods. */
  readonly method: string;
  /** The part of a material it belongs to, by the name its source has in answers. */
  readonly sourceSection: string;
}

/**
 * Of several sources the best one for its section is shown. The material's page lists it under More Information and compares it
 * with other materials, with its own method and source.
 */
interface GivenNumber extends Given {
  readonly isNullable: true;
  readonly detail: string;
  /** The page has another place for it than More Information. */
  readonly hasOwnPlace?: true;
  /** Its zero differs between sources: materials are not compared by it. */
  readonly isIncomparable?: true;
}

type NumberField = NumberOfMaterial & Measured & (Derived | GivenNumber);

type OtherField = Described & (Derived | (Given & ChosenOfSeveral));

/** `id` is a number that names, `texts` a list. */
type PlainField = OtherField & { readonly kind: 'id' | 'flag' | 'texts' | 'url' };

type CountField = OtherField & Filtered & { readonly kind: 'count'; readonly method?: string };

type TextField = OtherField & {
  readonly kind: 'text';
  /** How its characters are set. */
  readonly notation?: 'formula' | 'hermann-mauguin';
};

type ChoiceField = OtherField &
  Filtered & {
    readonly kind: 'choice';
    /** The values it may have, with their names. */
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
