export * from './people.ts';
export * from './site.ts';
export * from './work.ts';
export * from './rules.ts';
