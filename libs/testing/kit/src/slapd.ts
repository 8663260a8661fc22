import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports';
import { until } from './until';

const PROGRAM = '/usr/sbin/slapd';
const SCHEMAS = ['core', 'cosine', 'nis', 'inetorgperson'];

/** Why there is no LDAP server for tests on this machine; undefined when there can be one. */
export function slapdMissing(): string | undefined {
  return existsSync(PROGRAM) ? undefined : '(skipped: no slapd)';
}

/** A real OpenLDAP server with a folder of its own, on free loopback ports: ldap:// and ldaps://. */
export class Slapd {
  readonly base = 'dc=example,dc=org';
  readonly readerDn = `cn=reader,${this.base}`;
  readonly readerPassword = 'read-only-please';
  readonly folder = mkdtempSync(join(tmpdir(), 'slapd-'));
  /** The certificate is its own authority. */
  readonly caFile = join(this.folder, 'server.pem');
  port = 0;
  tlsPort = 0;
  private child?: ChildProcess;

  /** `ldif`: entries below the base, which is made. */
  static async start(ldif: string): Promise<Slapd> {
    const server = new Slapd();
    [server.port, server.tlsPort] = (await freePorts(2)) as [number, number];
    server.makeCertificate();
    server.configure();
    server.load(ldif);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const urls = `ldap://127.0.0.1:${this.port}/ ldaps://127.0.0.1:${this.tlsPort}/`;
    const args = ['-h', urls, '-f', this.at('slapd.conf'), '-d', '0'];
    const child = spawn(PROGRAM, args, { stdio: 'ignore' });
    this.child = child;
    process.once('exit', () => child.kill('SIGKILL'));
    await until(() => answers(this.tlsPort), 10_000, 50);
  }

  /** The server is away; `start` brings it back. */
  async stop(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private at(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  private makeCertificate(): void {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', this.at('server.key'), '-out', this.caFile];
    const how = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
    execFileSync('openssl', [...how, ...subject, ...files], { stdio: 'ignore' });
  }

  private configure(): void {
    mkdirSync(this.at('data'));
    const lines = [
      ...SCHEMAS.map((name) => `include /etc/ldap/schema/${name}.schema`),
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      `pidfile ${this.at('slapd.pid')}`,
      `TLSCertificateFile ${this.caFile}`,
      `TLSCertificateKeyFile ${this.at('server.key')}`,
      'database mdb',
      'maxsize 33554432',
      `suffix "${this.base}"`,
      `rootdn "cn=admin,${this.base}"`,
      `directory ${this.at('data')}`,
      'access to attrs=userPassword by anonymous auth by * none',
      `access to * by dn.exact="${this.readerDn}" read by * none`,
    ];
    writeFileSync(this.at('slapd.conf'), `${lines.join('\n')}\n`);
  }

  private load(ldif: string): void {
    const top = `dn: ${this.base}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ${this.readerDn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: reader
userPassword: ${this.readerPassword}

`;
    const args = ['-f', this.at('slapd.conf')];
    execFileSync('/usr/sbin/slapadd', args, {
      input: top + ldif,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    }).once('error', () => done(false));
  });
}
