/** Definition of one scalar property of a material. All code that handles the property is derived from it. */

export interface Bilingual {
  readonly en: string;
  readonly zh: string;
}

interface Described {
  /** Name in sentences and in tables of facts. */
  readonly label: Bilingual;
  /** One sentence: the meaning of the value, the cell it refers to, and its zero. */
  readonly meaning: Bilingual;
  /** Column of the table `material`; also the name used in filters. */
  readonly column: string;
  /** Whether some materials lack the value. */
  readonly isNullable?: true;
  /** Path in the detail answer of the API. */
  readonly detail?: string;
  /** Position in a row of search results. */
  readonly row?: {
    /**
     * Starts at 0. Clients read rows by position: a new field takes the next free position, and no field ever moves.
     */
    readonly position: number;
    /** Name of the position in the API, and of the column in addresses. */
    readonly name: string;
    /** Heading of the column. */
    readonly heading: Bilingual;
    readonly isHiddenByDefault?: true;
  };
}

/** The value is derived from the crystal, its energies or its larger results (bands, tensors …). */
interface Derived {
  readonly line?: undefined;
  readonly lineDefault?: undefined;
}

/** The value is given by a source. */
interface Given {
  /** Path in a line of the import format: `band_gap` or `names.en`. */
  readonly line: string;
  /** Value used if a line omits the field. Without a default, the line must contain the field unless it is nullable. */
  readonly lineDefault?: string | boolean;
}

/**
 * Rule for the shown value if several sources give one: the value of the source of the structure (`primary`), the first
 * known value (`first`), true if any source has true (`any`), or the value of the source chosen for another field
 * (`with`).
 */
interface ChosenOfSeveral {
  readonly ofSeveral: 'primary' | 'first' | 'any' | { readonly with: string };
}

/** Filter control beside the search results; `none` means that there is no filter. */
export interface FilterControl {
  /** Whether the control is unfolded when the page opens. */
  readonly isOpen?: true;
  /** Common ranges, each set by one click; null means no limit. */
  readonly presets?: readonly (readonly [from: number | null, to: number | null])[];
}

interface Filtered {
  readonly filterControl?: FilterControl | 'none';
}

type LettersOf<Text extends string, Found = never> = Text extends `${infer First}${infer Rest}`
  ? LettersOf<Rest, Found | First>
  : Found & string;
type UnitStart = LettersOf<'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZÅμ°%1'>;

/** A number without a unit must state this explicitly, so that units are not forgotten. */
type Measured =
  | { readonly unit: `${UnitStart}${string}`; readonly isRatio?: undefined }
  | { readonly unit: ''; readonly isRatio: true };

interface NumberOfMaterial extends Described, Filtered {
  readonly kind: 'number';
  /** `cell`: the value is per cell and grows with it; other values do not depend on the choice of cell. */
  readonly per?: 'cell';
  /** Digits after the decimal point in tables. */
  readonly decimals: number;
  /** Smallest meaningful value. */
  readonly min?: number;
  /** Method that gives the number: an entry of the methods page. */
  readonly method: string;
  /** Section of a material's page to which the number belongs, named as in the sources of an answer. */
  readonly sourceSection: string;
}

/**
 * If several sources give the number, the value of the best source for its section is shown. The material's page lists
 * it under More Information and compares it with other materials, with its own method and source.
 */
interface GivenNumber extends Given {
  readonly isNullable: true;
  readonly detail: string;
  /** Whether the page shows the number in a place other than More Information. */
  readonly hasOwnPlace?: true;
  /** Whether the zero of the number differs between sources, so that it is not compared between materials. */
  readonly isIncomparable?: true;
}

type NumberField = NumberOfMaterial & Measured & (Derived | GivenNumber);

type OtherField = Described & (Derived | (Given & ChosenOfSeveral));

/** `id` is a number used as a name; `texts` is a list. */
type PlainField = OtherField & { readonly kind: 'id' | 'flag' | 'texts' | 'url' };

type CountField = OtherField & Filtered & { readonly kind: 'count'; readonly method?: string };

type TextField = OtherField & {
  readonly kind: 'text';
  /** How the text is typeset. */
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
