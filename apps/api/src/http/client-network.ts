/** Whose requests these are, as far as an address tells: one spelling each, and the networks limits are counted for. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Caller } from '../infra/task-admission.ts';

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

// ── Who a request asks for, and until when: what calculations are shared out and ended by ──

/** The account or key of a request; the address of a visitor who has none, of IPv6 the /64 in which it picks its own. */
export const ownerOf = ({ identity, ip }: Pick<FastifyRequest, 'identity' | 'ip'>): string => {
  if (identity === null) return `address:${hostOf(ip)}`;
  return identity.apiKeyId === undefined ? `account:${identity.accountId}` : `key:${identity.apiKeyId}`;
};

/** Its signal fires when the connection closes before the answer is sent. */
export function callerOf(request: FastifyRequest, { raw: response }: FastifyReply): Caller {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  if (response.destroyed) controller.abort();
  return { owner: ownerOf(request), signal: controller.signal };
}
