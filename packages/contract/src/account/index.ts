export * from './api-keys.ts';
export * from './fields.ts';
export * from './third-party.ts';
export * from './login.ts';
export * from './profile.ts';
export * from '../common.ts';
export * from './second-factor.ts';
export * from './rules.ts';
