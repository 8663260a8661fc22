import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A command the tests need, the Debian package that brings it, and the suites that can't run without it. */
const NEEDED = [
  {
    command: 'sshd',
    package: 'openssh-server',
    suites: 'hosts, storage, jobs and every platform test',
  },
  { command: 'ssh', package: 'openssh-client', suites: 'hosts' },
  {
    command: 'rabbitmq-server',
    package: 'rabbitmq-server',
    suites: 'messaging on RabbitMQ, --fork',
  },
  { command: 'dockerd', package: 'docker.io', suites: 'the DOCKER runtime, the service image' },
  { command: 'busybox', package: 'busybox-static', suites: 'the DOCKER runtime (its test image)' },
  { command: 'slapd', package: 'slapd', suites: 'people of an LDAP directory' },
  { command: 'chromium', package: 'chromium', suites: 'the pages in a browser' },
  { command: 'unzip', package: 'unzip', suites: 'the ZIP runtime' },
  { command: 'tar', package: 'tar', suites: 'directory transfers' },
  { command: 'ps', package: 'procps', suites: 'job monitoring' },
];
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/lib/rabbitmq/bin'];

/** True when a program of that name can be run from PATH or a system folder. */
export function hasCommand(name) {
  return [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS].some((folder) =>
    existsSync(join(folder, name)),
  );
}

function isDebian() {
  try {
    return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/** While `work` runs, a package that brings a service does not start it: the tests start their own on their own ports. */
function withoutAutostart(work) {
  const policy = '/usr/sbin/policy-rc.d';
  const ours = !existsSync(policy);
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return work();
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['-y', '-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0'];
  return spawnSync('apt-get', [...options, ...args], { env, stdio: ['ignore', 2, 2] }).status === 0;
}

/** What the platform itself needs on a machine that is its own execution host. */
export const HOST_COMMANDS = ['sshd', 'ssh', 'tar', 'ps'];

/** Installs what is missing when it may; answers one sentence for each part that stays away. */
export function installDebianPackages(commands) {
  const wanted = NEEDED.filter(({ command }) => !commands || commands.includes(command));
  const missing = wanted.filter(({ command }) => !hasCommand(command));
  if (!missing.length) return [];
  const packages = missing.map((part) => part.package);
  if (process.getuid?.() === 0 && isDebian()) {
    process.stderr.write(`Installing Debian packages: ${packages.join(' ')}\n`);
    withoutAutostart(() => {
      const install = (names) => apt(['install', '--no-install-recommends', ...names]);
      if (install(packages)) return;
      apt(['update']);
      // one package that can't be had must not keep the others away
      if (!install(packages)) for (const name of packages) install([name]);
    });
  }
  return missing
    .filter(({ command }) => !hasCommand(command))
    .map(
      (part) =>
        `not installed: ${part.package} (no ${part.command}); without it these suites are skipped: ${part.suites}`,
    );
}
