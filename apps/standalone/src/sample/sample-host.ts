import type { LocalHost } from '../parts/local-host';

export const SYSTEM_ID = 'local';

/** The execution host of the sample as its owner registers it. */
export function systemRecord(host: LocalHost, rootDir: string, runtimes: string[]): object {
  return {
    id: SYSTEM_ID,
    description: 'This machine, through an SSH server of its own on loopback',
    systemType: 'LINUX',
    host: host.host,
    port: host.port,
    effectiveUserId: host.user,
    defaultAuthnMethod: 'PKI_KEYS',
    authnCredential: { publicKey: host.publicKey, privateKey: host.privateKey },
    rootDir,
    canExec: true,
    jobWorkingDir: '/scratch',
    jobRuntimes: runtimes.map((runtimeType) => ({ runtimeType })),
  };
}
