import { type Host, quote } from '@libs/hosts';
import { permissionsOf } from './linux-entry';
import type { LinuxStore } from './linux-store';

export interface LinuxStat {
  absolutePath: string;
  uid: number;
  gid: number;
  size: number;
  perms: string;
  accessTime: Date;
  modifyTime: Date;
  dir: boolean;
  link: boolean;
}

export interface NativeResult {
  command: string;
  exitCode: number;
  stdOut: string;
  stdErr: string;
}

/** What only a Linux host can: mode, owner and group of files. A code other than 0 is a result, not an error. */
export class LinuxNative {
  constructor(private readonly store: LinuxStore) {}

  async stat(path: string, follow: boolean): Promise<LinuxStat> {
    const absolutePath = await this.store.host.checked(path, follow);
    const s = await this.store.host.sftp(path, (sftp) =>
      follow ? sftp.stat(absolutePath) : sftp.lstat(absolutePath),
    );
    return {
      absolutePath,
      uid: s.uid,
      gid: s.gid,
      size: s.size,
      perms: permissionsOf(s.mode),
      accessTime: new Date(s.atime * 1000),
      modifyTime: new Date(s.mtime * 1000),
      dir: s.isDirectory(),
      link: s.isSymbolicLink(),
    };
  }

  /** `argument` must have been checked; it is quoted all the same. */
  async change(
    tool: 'chmod' | 'chown' | 'chgrp',
    path: string,
    argument: string,
    recursive: boolean,
  ): Promise<NativeResult> {
    await this.store.stat(path);
    const absolute = await this.store.host.checked(path);
    const command = `${tool}${recursive ? ' -R' : ''} -- ${quote(argument, absolute)}`;
    return this.result(this.store.host.host, command);
  }

  private async result(host: Host, command: string): Promise<NativeResult> {
    const { code, stdout, stderr } = await host.exec(command, { timeoutMs: 600_000 });
    return { command, exitCode: code ?? -1, stdOut: stdout, stdErr: stderr };
  }
}
