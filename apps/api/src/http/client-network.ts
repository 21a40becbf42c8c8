/** Whose requests these are, as far as an address tells: one spelling each, and the networks limits are counted for. */
import ipaddr from 'ipaddr.js';

/** What a provider hands to one customer: a host of IPv4, or the /64 in which a host of IPv6 picks its own addresses. */
const HOST_BITS = { ipv4: 32, ipv6: 64 } as const;
/** A laboratory or a small provider: /24, or the /48 a site is given. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 } as const;

/** IPv4 addresses that arrive through an IPv6 socket (`::ffff:a.b.c.d`) are IPv4 addresses; null when it is no address. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const withoutZone = address.replace(/%.*$/, '');
  return ipaddr.isValid(withoutZone) ? ipaddr.process(withoutZone) : null;
}

function prefixOf(address: string, bits: Readonly<Record<'ipv4' | 'ipv6', number>>): string {
  const parsed = parse(address);
  if (!parsed) return address;
  const kind = parsed.kind();
  const first = (kind === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(
    `${parsed.toString()}/${bits[kind]}`,
  );
  return `${first.toString()}/${bits[kind]}`;
}

/** The address in its one canonical spelling. */
export const canonicalAddress = (address: string): string => parse(address)?.toString() ?? address;

/** `192.0.2.7/32`, `2001:db8:7:7::/64`: who a limit for one visitor counts. */
export const hostOf = (address: string): string => prefixOf(address, HOST_BITS);

/** `192.0.2.0/24`, `2001:db8:7::/48`: who a limit for a whole network counts. */
export const networkOf = (address: string): string => prefixOf(address, NETWORK_BITS);
