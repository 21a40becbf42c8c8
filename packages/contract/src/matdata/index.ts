export * from './crystal-views.ts';
export * from './search.ts';
export * from './get-struct-detail.ts';
export * from './screen.ts';
export * from './material-record.ts';
export * from './phonons.ts';
export * from './section-source.ts';
export * from './rules.ts';
