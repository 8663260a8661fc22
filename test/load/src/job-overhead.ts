// A no-op ZIP job from submission to FINISHED, against a script that does the same by hand over one OpenSSH connection.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPlatform } from './bench-platform';
import { main, median, pairs, reportPairs, timed } from './measure';
import { OpenSsh } from './open-ssh';

const PAIRS = 15;
const LAUNCH = `cd "$(dirname "$0")" && . ./job.env && tar -xf "$IMAGE" && ./svcjob_app.sh > output/job.out 2>&1\n`;

main(() =>
  withPlatform(async ({ host, say: { given, when, then } }) => {
    const system = await given.system({ host });
    const app = await given.app({ host, system, script: 'true' });
    const image = host.path(`images/${app.id}.tar.gz`);
    const local = mkdtempSync(join(tmpdir(), 'bench-script-'));
    writeFileSync(join(local, 'job.sh'), `#!/bin/sh\n${LAUNCH}`, { mode: 0o755 });
    writeFileSync(join(local, 'job.env'), `IMAGE='${image}'\n`);
    const ssh = new OpenSsh(host);

    const job = () =>
      timed(async () => {
        const { uuid } = await when.submit(app);
        await then.job(uuid).reaches('FINISHED');
      });
    let connected: number[] = [];
    const script = (round: number) =>
      timed(async () => {
        await ssh.connect();
        const work = host.path('by-hand', String(round));
        connected.push(
          await timed(async () => {
            await ssh.ssh(`mkdir -p ${work}/output`);
            await ssh.scp(join(local, 'job.sh'), join(local, 'job.env'), ssh.remote(work));
            await ssh.ssh(`${work}/job.sh`);
            await ssh.scp(ssh.remote(`${work}/output/job.out`), join(local, 'out'));
          }),
        );
        await ssh.disconnect();
      });
    await job();
    await script(-1);
    connected = [];
    const measured = await pairs(PAIRS, job, script);
    reportPairs('job-overhead', 'ms', measured, {
      baselineOnOpenConnection: median(connected),
      ratioToOpenConnection: median(measured.ours.map((ms, i) => ms / connected[i]!)),
      goal: 1.5,
    });
    ssh.close();
    rmSync(local, { recursive: true });
  }),
);
