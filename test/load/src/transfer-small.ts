// 10,000 files of 4 KiB from host to host, against `scp -3 -r`.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, median, report } from './measure';
import { transferBench } from './transfer-bench';

const FILES = Number(process.env.BENCH_SMALL_FILES ?? 10_000);

main(() =>
  transferBench(
    {
      pairs: 3,
      source: 'small',
      bytes: FILES * 4096,
      recursive: true,
      prepare: (host) => {
        mkdirSync(host.path('small'));
        for (let i = 0; i < FILES; i++)
          writeFileSync(host.path('small', `f${i}`), randomBytes(4096));
      },
      verify: (from, to, copy) => {
        const names = readdirSync(to.path(copy));
        if (names.length !== FILES) throw new Error(`${names.length} files of ${FILES} arrived`);
        for (const name of names)
          if (
            !readFileSync(join(to.path(copy), name)).equals(readFileSync(from.path('small', name)))
          )
            throw new Error(`${name} differs`);
      },
    },
    ({ ours, baseline, memory }) =>
      report({
        bench: 'transfer-small',
        ratio: median(ours.map((ms, i) => baseline[i]! / ms)),
        ours: (FILES * 1000) / median(ours),
        baseline: (FILES * 1000) / median(baseline),
        unit: 'files/s',
        pairs: ours.length,
        storage: memory ? 'memory' : 'disk',
        files: FILES,
        goal: 6,
      }),
  ),
);
