export * from './fields/condition-fields.ts';
export type * from './fields/field.ts';
export * from './fields/fields.ts';
export {
  type PredictedField,
  predictedFieldOf,
  predictedFields,
  predictedFieldsBy,
} from './fields/energy-and-origin-fields.ts';
export * from './places.ts';
export * from './properties.ts';
