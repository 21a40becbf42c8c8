import { describe, expect, it } from 'vitest';
import { deviceName, maskAddress } from './sessions.ts';

describe('deviceName', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['unitcell token', 'unitcell token'],
    ['curl/8.5.0\u202e<b>', 'curl/8.5.0<b>'],
    ['', ''],
  ])('names the browser and system of %j as %j', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });
});

describe('maskAddress', () => {
  it.each([
    ['192.0.2.17', '192.0.2.*'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:*'],
    ['', ''],
    ['command line', 'command line'],
  ])('masks %j as %j', (address, masked) => {
    expect(maskAddress(address)).toBe(masked);
  });
});
