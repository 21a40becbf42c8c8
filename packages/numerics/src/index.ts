export * from './hermitian-eigen.ts';
export * from './linear-algebra-3.ts';
export * from './seeded-random.ts';
export * from './symmetric-eigen.ts';
