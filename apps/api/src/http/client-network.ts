/** Client addresses in one canonical spelling, and the networks by which rate limits count. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Caller } from '../infra/thread-pool.ts';
import { type Language, preferredLanguage } from '../messages/messages.ts';

export interface RequestOrigin {
  readonly address: string;
  readonly userAgent: string;
  readonly language: Language;
}

/** Client address and language of a request. */
export const originOf = (request: FastifyRequest): RequestOrigin => ({
  address: canonicalAddress(request.ip),
  userAgent: request.headers['user-agent'] ?? '',
  language: preferredLanguage(request.headers['accept-language']),
});

/** The range of one customer: an IPv4 host, or the /64 in which an IPv6 host chooses its addresses. */
const HOST_BITS = { ipv4: 32, ipv6: 64 } as const;
/** A laboratory or a small provider: /24, or the /48 assigned to a site. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 } as const;

/** IPv4 addresses from an IPv6 socket (`::ffff:a.b.c.d`) count as IPv4; null if it is not an address. */
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

/** The canonical spelling of the address. */
export const canonicalAddress = (address: string): string => parse(address)?.toString() ?? address;

/** `192.0.2.7/32`, `2001:db8:7:7::/64`: the key of a limit per visitor. */
export const hostOf = (address: string): string => prefixOf(address, HOST_BITS);

/** `192.0.2.0/24`, `2001:db8:7::/48`: the key of a limit per network. */
export const networkOf = (address: string): string => prefixOf(address, NETWORK_BITS);

// ── Owner of a request and its abort signal, for sharing and stopping calculations ──

/** The account or key of a request. Anonymous visitors are identified by their IPv4 address or IPv6 /64. */
export const ownerOf = ({ identity, ip }: Pick<FastifyRequest, 'identity' | 'ip'>): string => {
  if (identity === null) return `address:${hostOf(ip)}`;
  return identity.apiKeyId === undefined ? `account:${identity.accountId}` : `key:${identity.apiKeyId}`;
};

/** The signal aborts when the connection closes before the answer is sent. */
export function callerOf(request: FastifyRequest, { raw: response }: FastifyReply): Caller {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  if (response.destroyed) controller.abort();
  return { owner: ownerOf(request), signal: controller.signal };
}
