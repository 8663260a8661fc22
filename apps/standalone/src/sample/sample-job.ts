import { platform } from '@libs/platform-name';
import type { LocalHost } from '../parts/local-host';
import { Problem } from '../problem';
import { Refused, type PublicApi } from './public-api';
import { SYSTEM_ID, systemRecord } from './sample-host';
import { expectedWords, SAMPLE_TEXT, WORD_COUNT, wordCountArchive } from './word-count';

const TERMINAL = ['FINISHED', 'FAILED', 'CANCELLED'];
const PATIENCE_MS = 120_000;

export interface Sample {
  api: PublicApi;
  host: LocalHost;
  rootDir: string;
  runtimes: string[];
  /** A line with the time since the start. */
  say: (line: string) => void;
  /** A line that belongs to the one before. */
  more: (line: string) => void;
}

interface Job {
  uuid: string;
  status: string;
  lastMessage: string | null;
  remoteResultInfo: string | null;
  archiveSystemId: string;
  archiveSystemDir: string;
}

/** Does what a tenant would do, from registering a host to reading a result; true when the result is right. */
export async function runSample(sample: Sample): Promise<boolean> {
  const { api, say } = sample;
  await registerHost(sample);
  const folder = 'sample';
  const put = (name: string, content: Buffer) =>
    api.upload(`/v3/files/ops/${SYSTEM_ID}/${folder}/${name}`, name, content);
  await put(WORD_COUNT.archive, wordCountArchive());
  await registerApp(sample, `${platform().scheme}://${SYSTEM_ID}/${folder}/${WORD_COUNT.archive}`);
  await put(WORD_COUNT.inputFile, Buffer.from(SAMPLE_TEXT));
  say(`input    ${folder}/${WORD_COUNT.inputFile} uploaded to system ${SYSTEM_ID}`);
  const { uuid } = await api.post<Job>('/v3/jobs/submit', {
    name: 'sample',
    appId: WORD_COUNT.id,
    appVersion: WORD_COUNT.version,
    fileInputs: [
      {
        name: WORD_COUNT.inputName,
        sourceUrl: `${platform().scheme}://${SYSTEM_ID}/${folder}/${WORD_COUNT.inputFile}`,
      },
    ],
  });
  say(`job      ${uuid} submitted`);
  await follow(sample, uuid);
  return report(sample, await api.get<Job>(`/v3/jobs/${uuid}`));
}

async function registerHost({ api, host, rootDir, runtimes, say }: Sample): Promise<void> {
  const known = await api.find<{ port: number; rootDir: string }>(`/v3/systems/${SYSTEM_ID}`);
  if (known && known.rootDir !== rootDir)
    throw new Problem(
      `System ${SYSTEM_ID} begins at ${known.rootDir}, but this data folder is another one: move it back, or set DATA_DIR.`,
    );
  if (!known) await api.post('/v3/systems', systemRecord(host, rootDir, runtimes));
  else if (known.port !== host.port)
    await api.patch(`/v3/systems/${SYSTEM_ID}`, { port: host.port });
  say(
    `system   ${SYSTEM_ID} is ${host.user}@${host.host}:${host.port}, paths begin at ${known?.rootDir ?? rootDir}`,
  );
}

async function registerApp({ api, say }: Sample, containerImage: string): Promise<void> {
  const { id, version } = WORD_COUNT;
  if (!(await api.find(`/v3/apps/${id}/${version}`)))
    await api.post('/v3/apps', {
      id,
      version,
      description: 'Counts the words of a text',
      runtime: 'ZIP',
      containerImage,
      jobType: 'FORK',
      jobAttributes: {
        execSystemId: SYSTEM_ID,
        archiveSystemId: SYSTEM_ID,
        archiveSystemDir: '/archive/${JobUUID}',
        fileInputs: [
          { name: WORD_COUNT.inputName, targetPath: WORD_COUNT.inputFile, inputMode: 'REQUIRED' },
        ],
      },
    });
  say(`app      ${id} ${version}, runtime ZIP, image ${containerImage}`);
}

/** Shows each status when it happens; a stream that breaks is taken up where it stopped. */
async function follow({ api, more }: Sample, uuid: string): Promise<void> {
  const started = performance.now();
  const patience = AbortSignal.timeout(PATIENCE_MS);
  let last: string | undefined;
  let status = '';
  while (!TERMINAL.includes(status)) {
    for await (const event of api.events(`/v3/jobs/${uuid}/events`, last, patience)) {
      last = event.id ?? last;
      const { newJobStatus } = JSON.parse(event.data) as { newJobStatus?: string };
      if (!newJobStatus || newJobStatus === status) continue;
      status = newJobStatus;
      more(`${((performance.now() - started) / 1000).toFixed(2)} s  ${status}`);
      if (TERMINAL.includes(status)) break;
    }
  }
}

async function report({ api, say, more }: Sample, job: Job): Promise<boolean> {
  if (job.status !== 'FINISHED') {
    say(`The job did not finish: ${job.status}, ${job.lastMessage ?? 'no message'}`);
    return false;
  }
  say(
    `exit     code ${job.remoteResultInfo ?? 0}, archived in ${job.archiveSystemId}:${job.archiveSystemDir}`,
  );
  const files = await api.get<{ path: string; name: string; size: number }[]>(
    `/v3/jobs/${job.uuid}/output/list/`,
  );
  for (const file of files) more(`${String(file.size).padStart(6)}  ${file.name}`);
  const result = await download(api, job.uuid);
  if (result !== expectedWords(SAMPLE_TEXT)) {
    say(`The result is not what it should be:\n${result.slice(0, 500)}`);
    return false;
  }
  say(`result   ${WORD_COUNT.result} begins:`);
  for (const line of result.split('\n').slice(0, 5)) more(line);
  return true;
}

async function download(api: PublicApi, uuid: string): Promise<string> {
  try {
    const path = `/v3/jobs/${uuid}/output/download/${WORD_COUNT.result}`;
    return (await api.download(path)).toString('utf8');
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
