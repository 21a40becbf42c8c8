export * from './columns.ts';
export * from './draft.ts';
export type * from './fields/field.ts';
export * from './fields/fields.ts';
export * from './given.ts';
export * from './places.ts';
export * from './properties.ts';
export * from './search-row.ts';
export type * from './structure-json.ts';
