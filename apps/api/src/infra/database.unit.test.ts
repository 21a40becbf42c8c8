import { describe, expect, it } from 'vitest';
import { databaseTrouble } from './database.ts';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

describe('databaseTrouble', () => {
  it.each([
    ['55P03', 'locked'],
    ['57014', 'slow'],
    ['53300', 'full'],
    ['57P01', 'lost'],
    ['57P03', 'away'],
    ['ECONNREFUSED', 'away'],
    ['53100', 'disk-full'],
  ])('databaseTrouble recognises %s', (code, trouble) => {
    expect(databaseTrouble(withCode(code))).toBe(trouble);
    expect(databaseTrouble(new Error('wrapped', { cause: withCode(code) }))).toBe(trouble);
    expect(databaseTrouble(new AggregateError([withCode(code)]))).toBe(trouble);
  });

  it('databaseTrouble recognises errors of pg that have no code', () => {
    expect(databaseTrouble(new Error('timeout exceeded when trying to connect'))).toBe('full');
    expect(databaseTrouble(new Error('Connection terminated unexpectedly'))).toBe('lost');
    expect(databaseTrouble(new Error('Connection terminated due to connection timeout'))).toBe('away');
  });

  it('databaseTrouble ignores other errors, even ones that wrap themselves', () => {
    expect(databaseTrouble(withCode('42P01'))).toBeNull();
    expect(databaseTrouble(new TypeError('x is not a function'))).toBeNull();
    const endless: { cause?: unknown } = {};
    endless.cause = endless;
    expect(databaseTrouble(endless)).toBeNull();
    expect(databaseTrouble('text')).toBeNull();
  });
});
