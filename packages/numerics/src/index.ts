export * from './envelope-profile.ts';
export * from './hermitian-eigen.ts';
export * from './kernel-memory.ts';
export * from './linear-algebra.ts';
export * from './linear-solve.ts';
export * from './lower-envelope.ts';
export * from './seeded-random.ts';
export * from './symmetric-eigen.ts';
