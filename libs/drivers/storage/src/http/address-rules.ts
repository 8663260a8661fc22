import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { StorageError } from '../storage-error';

/** What a site's settings open beside the public internet. */
export interface AddressRules {
  allowPrivateAddresses: boolean;
  allowLoopbackAddresses: boolean;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const closed = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  closed.addSubnet(net, bits, 'ipv4');
}
for (const [net, bits] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  closed.addSubnet(net, bits, 'ipv6');
}

/** False for loopback, link-local, private and other addresses that are not the public internet. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && !isIn(closed, address);

/** An IPv4 address in IPv6 clothes is judged as what it is; a list does that by itself for `::ffff:`. */
const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Connections to the outside that somebody else's URL leads to. Every address is judged when it is connected to, so
 * neither a redirect nor a name that changes its address gets past.
 */
export function outwardAgent(rules: AddressRules): Agent {
  const options = { connectTimeout: 15_000, headersTimeout: 60_000, bodyTimeout: 120_000 };
  if (rules.allowPrivateAddresses)
    return new Agent({ ...options, connect: { lookup: localLookup } });
  const isOpen = (address: string) =>
    isPublicAddress(address) || (rules.allowLoopbackAddresses && isIn(loopback, address));
  const connect = buildConnector({ timeout: 15_000, lookup: guardedLookup(isOpen) });
  return new Agent({
    ...options,
    connect: (target, done) => {
      const host = target.hostname.replace(/^\[|\]$/g, '');
      // A host that is an address already is never looked up.
      if (isIP(host) && !isOpen(host)) done(refused(host, host), null);
      else connect(target, done);
    },
  });
}

/** Names below `localhost` are this machine, whatever its resolver says. */
const localLookup: LookupFunction = (host, options, done) =>
  systemLookup(/(^|\.)localhost$/i.test(host) ? 'localhost' : host, options, done as never);

const guardedLookup =
  (isOpen: (address: string) => boolean): LookupFunction =>
  (host, options, done) => {
    localLookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const found = addresses as LookupAddress[];
      const bad = found.find(({ address }) => !isOpen(address));
      if (bad || !found[0]) return done(refused(host, bad?.address ?? '?'), '', 0);
      if (options.all) done(null, found);
      else done(null, found[0].address, found[0].family);
    });
  };

function refused(host: string, address: string): StorageError {
  const which = host === address ? host : `${host} (${address})`;
  return new StorageError('refused-address', host, `the address of ${which} is not a public one`);
}
