import { describe, expect, it } from 'vitest';
import {
  enrolment,
  hashRecoveryCode,
  newRecoveryCodes,
  newSecret,
  openSecret,
  sealSecret,
  stepOf,
} from './second-factor.ts';

/** RFC 6238, appendix B: the SHA-1 secret, seconds, and the last six digits of its codes. */
const RFC_SECRET = Buffer.from('12345678901234567890');
const RFC_CODES = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
] as const;

describe('authenticator codes', () => {
  it.each(RFC_CODES)('at %d s equal the codes in RFC 6238', (seconds, code) => {
    const step = Math.floor(seconds / 30);
    expect(stepOf(RFC_SECRET, code, seconds * 1000)).toBe(step);
    expect(stepOf(RFC_SECRET, code, (seconds + 30) * 1000)).toBe(step);
    expect(stepOf(RFC_SECRET, code, (seconds - 30) * 1000)).toBe(step);
    expect(stepOf(RFC_SECRET, code, (seconds + 60) * 1000)).toBeNull();
    expect(stepOf(RFC_SECRET, code, (seconds - 60) * 1000)).toBeNull();
  });

  it('equal the codes of an app that was set up with the enrolment URI', () => {
    const { secret, uri } = enrolment(RFC_SECRET, '13800000000');
    expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    const address = new URL(uri);
    expect(address.host + address.pathname).toBe('totp/Unitcell:13800000000');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      secret,
      issuer: 'Unitcell',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('recovery codes', () => {
  it('are ten distinct codes, accepted with or without hyphens', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}$/);
    const key = newSecret();
    const [code = ''] = codes;
    expect(hashRecoveryCode(key, 1, code.replaceAll('-', ''))).toEqual(hashRecoveryCode(key, 1, code));
    expect(hashRecoveryCode(key, 2, code)).not.toEqual(hashRecoveryCode(key, 1, code));
  });
});

describe('a sealed secret', () => {
  const key = Buffer.alloc(32, 7);

  it('opens only for its account and with its key, and not after a bit was changed', () => {
    const secret = newSecret();
    const sealed = sealSecret(key, 5, secret);
    expect(sealed.includes(secret)).toBe(false);
    expect(openSecret(key, 5, sealed)).toEqual(secret);
    expect(openSecret(key, 6, sealed)).toBeNull();
    expect(openSecret(Buffer.alloc(32, 8), 5, sealed)).toBeNull();
    expect(openSecret(key, 5, sealed.subarray(0, 20))).toBeNull();
    for (let bit = 0; bit < sealed.length * 8; bit += 5) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(openSecret(key, 5, changed), `bit ${bit}`).toBeNull();
    }
  });
});
