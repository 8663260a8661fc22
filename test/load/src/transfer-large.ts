// One file of 2 GiB from host to host, against `scp -3`.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { main, median, report } from './measure';
import { transferBench } from './transfer-bench';

const MIB = Number(process.env.BENCH_LARGE_MIB ?? 2048);

main(() =>
  transferBench(
    {
      pairs: 3,
      source: 'large',
      bytes: MIB * 2 ** 20,
      recursive: false,
      prepare: (host) =>
        void execFileSync('sh', ['-c', `head -c ${MIB}M /dev/urandom > "$0"`, host.path('large')]),
      verify: (from, to, copy) => {
        const [a, b] = [statSync(from.path('large')).size, statSync(to.path(copy)).size];
        if (a !== b) throw new Error(`the copy has ${b} bytes of ${a}`);
        execFileSync('cmp', [from.path('large'), to.path(copy)]);
      },
    },
    ({ ours, baseline, memory }) =>
      report({
        bench: 'transfer-large',
        ratio: median(ours.map((ms, i) => baseline[i]! / ms)),
        ours: (MIB * 1000) / median(ours),
        baseline: (MIB * 1000) / median(baseline),
        unit: 'MiB/s',
        pairs: ours.length,
        storage: memory ? 'memory' : 'disk',
        mib: MIB,
        goal: 1.4,
      }),
  ),
);
