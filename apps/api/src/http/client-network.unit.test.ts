import { describe, expect, it } from 'vitest';
import { canonicalAddress, hostOf, networkOf } from './client-network.ts';

describe('the networks of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2.7/32', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7/32', '192.0.2.0/24'],
    ['::ffff:c000:207', '192.0.2.7', '192.0.2.7/32', '192.0.2.0/24'],
    ['2001:db8:7:7::1', '2001:db8:7:7::1', '2001:db8:7:7::/64', '2001:db8:7::/48'],
    ['2001:0DB8:0007:0007:0000:0000:0000:0001', '2001:db8:7:7::1', '2001:db8:7:7::/64', '2001:db8:7::/48'],
    // A zero in the prefix is abbreviated and still belongs to the prefix.
    ['2001:db8::9', '2001:db8::9', '2001:db8::/64', '2001:db8::/48'],
    ['2001:db8:0:0:1:2:3:4', '2001:db8::1:2:3:4', '2001:db8::/64', '2001:db8::/48'],
    ['fe80::1%eth0', 'fe80::1', 'fe80::/64', 'fe80::/48'],
    ['::1', '::1', '::/64', '::/48'],
  ])('%s', (address, canonical, host, network) => {
    expect([canonicalAddress(address), hostOf(address), networkOf(address)]).toEqual([
      canonical,
      host,
      network,
    ]);
  });

  it('leaves a text that is not an address unchanged', () => {
    expect([canonicalAddress('command line'), hostOf('command line'), networkOf('')]).toEqual([
      'command line',
      'command line',
      '',
    ]);
  });
});
