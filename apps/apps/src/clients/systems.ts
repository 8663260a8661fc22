import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { BadInput, isApiError } from '@libs/envelope';
import { path, ServiceClient } from '@libs/service-client';
import type { VersionAttributes } from '../domain/app';
import { execSystemProblems, type SystemFacts } from '../domain/host-rules';
import type { IsClear } from '../domain/read-body';
import { brokenRules } from '../domain/rules';

/** The systems an app names: they must be there, be usable by the caller and fit what the app asks of them. */
@Injectable()
export class Systems {
  constructor(private readonly client: ServiceClient) {}

  /** All rules that an app may break by its fields, by itself and by the systems it names, in one 400. */
  async assertSound(
    caller: Caller,
    app: VersionAttributes,
    what: string,
    { violations, isClear }: { violations: readonly string[]; isClear: IsClear },
  ): Promise<void> {
    const known = isClear('jobAttributes.execSystemId') && isClear('jobAttributes.archiveSystemId');
    const all = [
      ...violations,
      ...brokenRules(app, isClear),
      ...(known ? await this.problems(caller, app) : []),
    ];
    if (all.length) throw new BadInput('APPLIB_INVALID', `${what} breaks rules`, all);
  }

  /** The systems that it names and this caller can't use, or that do not fit. */
  async problems(caller: Caller, app: VersionAttributes): Promise<string[]> {
    const { execSystemId, archiveSystemId } = app.jobAttributes;
    const [exec, archive] = await Promise.all([
      execSystemId ? this.execProblems(caller, app, execSystemId) : [],
      archiveSystemId && archiveSystemId !== execSystemId
        ? this.archiveProblems(caller, archiveSystemId)
        : [],
    ]);
    return [...exec, ...archive];
  }

  private async execProblems(
    caller: Caller,
    app: VersionAttributes,
    id: string,
  ): Promise<string[]> {
    const system = await this.read(caller, id, true);
    return 'problem' in system
      ? [
          `APPLIB_EXECSYS_${system.runsNone ? 'NOT_EXEC' : 'NO_SYSTEM'} execSystemId: ${system.problem}`,
        ]
      : execSystemProblems(app, system);
  }

  private async archiveProblems(caller: Caller, id: string): Promise<string[]> {
    const system = await this.read(caller, id, false);
    return 'problem' in system
      ? [`APPLIB_ARCHSYS_NO_SYSTEM archiveSystemId: ${system.problem}`]
      : [];
  }

  /** The system, or why this caller can't use it. */
  private async read(
    caller: Caller,
    id: string,
    requireExecPerm: boolean,
  ): Promise<SystemFacts | Unusable> {
    try {
      const query = { requireExecPerm };
      return await this.client
        .for(caller)
        .get<SystemFacts>('systems', path`/v3/systems/${id}`, { query });
    } catch (error) {
      if (!isApiError(error) || ![403, 404].includes(error.status)) throw error;
      const { code, status } = error;
      if (code === 'SYSLIB_NOTEXEC')
        return { problem: `system "${id}" does not execute jobs`, runsNone: true };
      return status === 404
        ? { problem: `there is no system "${id}" that ${caller.user} can see` }
        : { problem: `${caller.user} may not run jobs on system "${id}"` };
    }
  }
}

interface Unusable {
  problem: string;
  /** It is there, but canExec is false. */
  runsNone?: boolean;
}
