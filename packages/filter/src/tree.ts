/** What a filter says, as plain data that JSON carries. */

export type Operator = '<' | '<=' | '>' | '>=' | '=' | '!=';
export type Constant = string | number | boolean;

/** What a property is compared with: a constant, or another property of the same row. */
export type Operand = { readonly value: Constant } | { readonly property: string };

/** `= "O"`, `> 0.5`: what one entry of a list is held against. */
export interface EntryTest {
  readonly operator: Operator;
  readonly value: Constant;
}

export type Filter =
  /** At least two terms. */
  | { readonly kind: 'and'; readonly terms: readonly Filter[] }
  | { readonly kind: 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | {
      readonly kind: 'compare';
      readonly property: string;
      readonly operator: Operator;
      readonly to: Operand;
    }
  | { readonly kind: 'known'; readonly property: string; readonly isKnown: boolean }
  | {
      readonly kind: 'text';
      readonly property: string;
      readonly match: 'contains' | 'starts' | 'ends';
      readonly to: Operand;
    }
  /**
   * Lists side by side, entry by entry; mostly one. Each test has one part per list. `one`: some entry passes the (only)
   * test; `all`: every test is passed by some entry; `any`: some test is; `only`: every entry passes some test.
   */
  | {
      readonly kind: 'has';
      readonly properties: readonly string[];
      readonly match: 'one' | 'all' | 'any' | 'only';
      readonly tests: readonly (readonly EntryTest[])[];
    }
  | {
      readonly kind: 'length';
      readonly property: string;
      readonly operator: Operator;
      readonly value: number;
    };

export type Comparison = Exclude<Filter, { readonly kind: 'and' | 'or' | 'not' }>;
