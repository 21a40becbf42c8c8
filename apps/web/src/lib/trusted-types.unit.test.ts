import { describe, expect, it } from 'vitest';
import { ownScriptAddress } from './trusted-types.ts';

const SITE = 'https://materials.example.org';

describe('ownScriptAddress', () => {
  it.each(['/assets/worker.js', `${SITE}/assets/worker.js`, `blob:${SITE}/2f6c`])('takes %s', (address) => {
    expect(ownScriptAddress(address, SITE)).toBe(address);
  });

  it.each([
    'https://evil.example/x.js',
    '//evil.example/x.js',
    'data:text/javascript,alert(1)',
    'javascript:alert(1)',
    'blob:https://evil.example/2f6c',
  ])('refuses %s', (address) => {
    expect(() => ownScriptAddress(address, SITE)).toThrow(TypeError);
  });

  it("accepts the operator's script from another site only at its exact address", () => {
    const script = 'https://stats.example.org/matomo.js';
    expect(ownScriptAddress(script, SITE, script)).toBe(script);
    for (const other of [`${script}?x`, 'https://stats.example.org/other.js', 'https://stats.example.org/'])
      expect(() => ownScriptAddress(other, SITE, script)).toThrow(TypeError);
  });
});
