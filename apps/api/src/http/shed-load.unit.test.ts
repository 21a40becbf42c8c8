import { describe, expect, it } from 'vitest';
import { stalledCalls } from './shed-load.ts';

describe('a call that meets a lock', () => {
  it('is refused after three strikes, tried by one request a pause, and open again once one is served', () => {
    let now = 0;
    const stalled = stalledCalls(3, () => now);
    for (const strike of [1, 2, 3]) {
      expect(stalled.refusedFor('listSessions'), `before strike ${strike}`).toBe(0);
      stalled.ended('listSessions', true);
    }
    expect(stalled.refusedFor('listSessions')).toBe(3);
    expect(stalled.refusedFor('search')).toBe(0);
    now = 3_001;
    expect(stalled.refusedFor('listSessions')).toBe(0);
    expect(stalled.refusedFor('listSessions')).toBe(3);
    stalled.ended('listSessions', false);
    expect(stalled.refusedFor('listSessions')).toBe(0);
  });

  it('is not refused for strikes that were not in a row', () => {
    const stalled = stalledCalls(3, () => 0);
    for (let i = 0; i < 5; i++) {
      stalled.ended('search', true);
      stalled.ended('search', true);
      stalled.ended('search', false);
    }
    expect(stalled.refusedFor('search')).toBe(0);
  });
});
