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
  /** Column of the table `material`. */
  readonly column: string;
  /** Not every material has it. */
  readonly isNullable?: true;
  /** Where it stands in a line of the import format, `band_gap` or `names.en`: absent when it is derived. */
  readonly line?: string;
  /** What a line means that leaves it out; without one, and when not nullable, a line must have it. */
  readonly lineDefault?: string | boolean;
  /** Where it stands in the detail answer. */
  readonly detail?: string;
  /** Its place in a row of search results; the order of the places is SEARCH_ROW. */
  readonly row?: {
    /** Name of the position on the wire, and of the column in addresses. */
    readonly name: string;
    /** Heading of its column. */
    readonly heading: Bilingual;
    readonly isHiddenByDefault?: true;
  };
}

interface NumberField extends Described {
  readonly kind: 'number';
  readonly unit: string;
  /** It grows with the cell it is given for (`cell`); other values do not change with the choice of cell. */
  readonly per?: 'cell';
  /** Smallest value that makes sense. */
  readonly min?: number;
  /** It is listed under More Information on the material's page. */
  readonly isListed?: true;
}

interface PlainField extends Described {
  /** `id` is a number that names, `texts` a list. */
  readonly kind: 'id' | 'count' | 'flag' | 'texts' | 'url';
}

interface TextField extends Described {
  readonly kind: 'text';
  /** How its characters are set. */
  readonly notation?: 'formula' | 'hermann-mauguin';
}

interface ChoiceField extends Described {
  readonly kind: 'choice';
  /** The values it may have, with their names. */
  readonly options: Readonly<Record<string, Bilingual>>;
}

export type Field = NumberField | PlainField | TextField | ChoiceField;

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
