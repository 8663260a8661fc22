import {
  archiveSelector,
  checkArchiveFilter,
  filterPattern,
  mergeArchiveFilter,
  takesEverything,
} from './archive-filter';
import { chooseArchiveMode } from './archive-mode';
import type {
  JobRequestBody,
  RequestedArg,
  RequestedEnvVariable,
  RequestedFileInput,
} from './job-request';
import { JobViolations } from './job-violations';
import { mergeArgs, underlay } from './merge-args';
import { mergeEnv, sortEnv } from './merge-env';
import { mergeFileInputArrays } from './merge-input-arrays';
import { mergeFileInputs } from './merge-inputs';
import type {
  AppArg,
  AppFileInput,
  AppFileInputArray,
  AppRecord,
  DefinedEnvVariable,
} from './records';

/** What a merge answered, or the codes of the rules that were broken. */
function outcome<T>(merge: (v: JobViolations) => T): T | string {
  const v = new JobViolations();
  const result = merge(v);
  try {
    v.throwIfAny();
  } catch (error) {
    return (error as Error).message.match(/JOBS_\w+/g)!.join(' ');
  }
  return result;
}

const app: AppArg[] = [
  { name: 'req', inputMode: 'REQUIRED', arg: 'r' },
  { name: 'blank', inputMode: 'REQUIRED' },
  { name: 'fix', inputMode: 'FIXED', arg: 'f' },
  { name: 'by', inputMode: 'INCLUDE_BY_DEFAULT', arg: 'b' },
  { name: 'byBlank', inputMode: 'INCLUDE_BY_DEFAULT', arg: ' ' },
  { name: 'dem', arg: 'd' },
  { name: 'demBlank', inputMode: 'INCLUDE_ON_DEMAND' },
];
const filled: RequestedArg = { name: 'blank', arg: 'x' };

describe('arguments', () => {
  it.each<[string, RequestedArg[], string]>([
    ['the app’s come after the request’s', [filled, { arg: 'own' }], 'x own r f b'],
    ['an overridden one stands where the request has it', [{ arg: '1' }, { name: 'by', arg: '2' }, filled], '1 2 x r f'],
    ['include false leaves out', [filled, { name: 'by', include: false }, { arg: 'no', include: false }], 'x r f'],
    ['include false means nothing for REQUIRED and FIXED', [filled, { name: 'req', include: false }, { name: 'fix', include: false }], 'x r f b'],
    ['on demand', [filled, { name: 'dem' }], 'x d r f b'],
    ['on demand with a value', [filled, { name: 'dem', arg: 'D' }], 'x D r f b'],
    ['on demand without any', [filled, { name: 'demBlank' }], 'JOBS_MISSING_ARG'],
    ['by default without any', [filled, { name: 'byBlank' }], 'x r f b'],
    ['required without any', [], 'JOBS_MISSING_ARG'],
    ['fixed, same', [filled, { name: 'fix', arg: 'f' }], 'x f r b'],
    ['fixed, other', [filled, { name: 'fix', arg: 'g' }], 'JOBS_FIXED_ARG_ERROR'],
    ['unknown name', [filled, { name: 'mine', arg: 'm' }], 'x m r f b'],
    ['twice', [filled, { name: 'a', arg: '1' }, { name: 'a', arg: '2' }], 'JOBS_DUPLICATE_NAMED_ARG'],
    ['nothing in it', [filled, {}], 'JOBS_MISSING_ARG'],
  ])('%s', (_, request, expected) => {
    const merged = outcome((v) => mergeArgs('appArgs', app, request, v));
    expect(typeof merged === 'string' ? merged : merged.map((a) => a.arg).join(' ')).toBe(expected);
  }); // prettier-ignore

  it('join their descriptions', () => {
    const [arg] = mergeArgs('appArgs', [{ name: 'a', arg: '1', description: 'app' }], [{ name: 'a', description: 'mine' }], new JobViolations());
    expect(arg).toEqual({ name: 'a', arg: '1', description: 'app\n\nmine', notes: null });
  }); // prettier-ignore

  it('of the queue lie under the app’s', () => {
    const under = underlay([{ name: 'a', arg: 'q' }, { arg: 'r' }], [{ name: 'a', arg: 'p', inputMode: 'FIXED' }]);
    const merged = mergeArgs('schedulerOptions', under, [{ arg: 'own' }], new JobViolations());
    expect(merged.map((a) => a.arg)).toEqual(['own', 'r', 'p']);
  }); // prettier-ignore
});

describe('environment', () => {
  const unset = '!svc_not_set';
  type Case = [string, DefinedEnvVariable[], DefinedEnvVariable[], RequestedEnvVariable[], string];
  it.each<Case>([
    ['the request wins', [{ key: 'A', value: 's' }], [{ key: 'A', value: 'a' }], [{ key: 'A', value: 'r' }], 'A=r'],
    ['the marker inherits', [{ key: 'A', value: 's' }], [{ key: 'A', value: unset }], [{ key: 'A', value: unset }], 'A=s'],
    ['null is empty', [{ key: 'A', value: null }], [], [], 'A='],
    ['required without', [{ key: 'A', value: unset, inputMode: 'REQUIRED' }], [], [], 'JOBS_MISSING_ENV_VALUE'],
    ['required, given', [{ key: 'A', value: unset, inputMode: 'REQUIRED' }], [], [{ key: 'A', value: '1' }], 'A=1'],
    ['required with a value', [{ key: 'A', value: 'x', inputMode: 'REQUIRED' }], [], [{ key: 'A', value: '1' }], 'JOBS_INVALID_REQUIRED_ENV_VAR'],
    ['fixed without', [{ key: 'A', value: unset, inputMode: 'FIXED' }], [], [], 'JOBS_INVALID_FIXED_ENV_VAR'],
    ['fixed by the system', [{ key: 'A', value: '1', inputMode: 'FIXED' }], [{ key: 'A', value: '2' }], [], 'JOBS_FIXED_ENV_VAR_ERROR'],
    ['fixed by the app', [], [{ key: 'A', value: '1', inputMode: 'FIXED' }], [{ key: 'A', value: '2' }], 'JOBS_FIXED_ENV_VAR_ERROR'],
    ['fixed, same', [], [{ key: 'A', value: '1', inputMode: 'FIXED' }], [{ key: 'A', value: '1' }], 'A=1'],
    ['required stays required', [{ key: 'A', inputMode: 'REQUIRED' }], [{ key: 'A', value: 'a' }], [{ key: 'A', value: 'b', include: false }], 'A=b'],
    ['on demand, not asked', [], [{ key: 'A', value: 'a', inputMode: 'INCLUDE_ON_DEMAND' }], [], ''],
    ['on demand, asked', [], [{ key: 'A', value: 'a', inputMode: 'INCLUDE_ON_DEMAND' }], [{ key: 'A', value: unset }], 'A=a'],
    ['by default, left out', [], [{ key: 'A', value: 'a' }], [{ key: 'A', value: 'a', include: false }], ''],
    ['by default, unset and unasked', [], [{ key: 'A', value: unset }], [], ''],
    ['by default, unset and asked', [], [{ key: 'A', value: unset }], [{ key: 'A', value: unset }], 'JOBS_MISSING_ENV_VALUE'],
    ['own without value', [], [], [{ key: 'A', value: unset }], 'JOBS_MISSING_ENV_VALUE'],
    ['twice', [], [], [{ key: 'A', value: '' }, { key: 'A', value: '' }], 'JOBS_DUPLICATE_ENV_VAR'],
    ['reserved', [], [], [{ key: '_svcX', value: '' }], 'JOBS_INVALID_ENV_VAR'],
    ['bad key', [], [], [{ key: '1A', value: '' }], 'JOBS_INVALID_ENV_VAR'],
    ['control character', [], [], [{ key: 'A', value: 'a\nb' }], 'JOBS_INVALID_ENV_VAR'],
    ['verbatim', [], [], [{ key: 'A', value: ' $HOME `x` "q" ' }], 'A= $HOME `x` "q" '],
  ])('%s', (_, system, ofApp, request, expected) => {
    const merged = outcome((v) => mergeEnv(system, ofApp, request, v));
    expect(typeof merged === 'string' ? merged : merged.map((e) => `${e.key}=${e.value}`).join(' ')).toBe(expected);
  }); // prettier-ignore

  it('is sorted whatever the case', () => {
    const keys = ['b', 'A', 'C', '_x'].map((key) => ({ key, value: '', description: null, notes: null }));
    expect(sortEnv(keys).map((e) => e.key)).toEqual(['_x', 'A', 'b', 'C']);
  }); // prettier-ignore
});

describe('file inputs', () => {
  const url = 'svc://store/data/in.txt';
  const inputs: AppFileInput[] = [
    { name: 'opt' },
    { name: 'optFull', sourceUrl: 'https://h/o.txt?x=/y', targetPath: 'o' },
    { name: 'req', inputMode: 'REQUIRED', targetPath: 'r' },
    { name: 'fix', inputMode: 'FIXED', sourceUrl: 'http://h/f', targetPath: '*' },
  ];
  const req: RequestedFileInput = { name: 'req', sourceUrl: url };
  it.each<[string, RequestedFileInput[], boolean, string]>([
    ['the app’s and the request’s', [req], false, 'r<svc://store/data/in.txt o<https://h/o.txt?x=/y? f<http://h/f'],
    ['own', [req, { sourceUrl: url }], false, `r<${url} in.txt<${url} o<https://h/o.txt?x=/y? f<http://h/f`],
    ['optional, named', [req, { name: 'optFull' }], false, `r<${url} o<https://h/o.txt?x=/y f<http://h/f`],
    ['optional, named, incomplete', [req, { name: 'opt' }], false, 'JOBS_NO_SOURCE_URL'],
    ['required, incomplete', [], false, 'JOBS_NO_SOURCE_URL'],
    ['fixed', [req, { name: 'fix' }], false, 'JOBS_FIXED_FILE_INPUT'],
    ['unnamed and strict', [req, { sourceUrl: url }], true, 'JOBS_UNNAMED_FILE_INPUT'],
    ['unknown and strict', [req, { name: 'x', sourceUrl: url }], true, 'JOBS_NO_FILE_INPUT_DEFINITION'],
    ['twice', [req, req], false, 'JOBS_DUPLICATE_FILE_INPUT'],
    ['no name to copy to', [req, { sourceUrl: 'svc://s/d/' }], false, 'JOBS_NO_TARGET_PATH'],
    ['unknown scheme', [req, { sourceUrl: 'ftp://h/x' }], false, 'JOBS_INVALID_SOURCE_URL'],
    ['no scheme', [req, { sourceUrl: '/x' }], false, 'JOBS_INVALID_SOURCE_URL'],
    ['notes of another kind', [req, { sourceUrl: url, notes: '[1]' }, { sourceUrl: url, notes: 5 }], false, 'JOBS_INVALID_NOTES JOBS_INVALID_NOTES'],
    ['climbs', [req, { sourceUrl: 'svc://s/a/%2e%2e/b' }], false, 'JOBS_INVALID_SOURCE_URL'],
    ['target climbs', [req, { sourceUrl: url, targetPath: 'a/../b' }], false, 'JOBS_INVALID_TARGET_PATH'],
    ['local elsewhere', [req, { sourceUrl: 'svclocal://other/x' }], false, 'JOBS_INVALID_SOURCE_URL'],
    ['decoded and tidied', [req, { sourceUrl: 'svc://s/a%20b' }, { sourceUrl: url, targetPath: '/x//y/' }], false, `r<${url} a b<svc://s/a%20b /x/y<${url} o<https://h/o.txt?x=/y? f<http://h/f`],
  ])('%s', (_, request, strict, expected) => {
    const merged = outcome((v) => mergeFileInputs(inputs, request, strict, '', v));
    const text = (list: Exclude<typeof merged, string>) => list.map((i) => `${i.targetPath}<${i.sourceUrl}${i.optional ? '?' : ''}`).join(' ');
    expect(typeof merged === 'string' ? merged : text(merged)).toBe(expected);
  }); // prettier-ignore

  it('know which of their values came from a shared app', () => {
    const merged = mergeFileInputs(inputs, [req], false, 'grantor', new JobViolations());
    expect(merged.map((i) => i.srcSharedAppCtx)).toEqual(['', 'grantor', 'grantor']);
  });

  it('merge field by field', () => {
    const [input] = mergeFileInputs(
      [{ name: 'a', description: 'app', envKey: 'KEY', autoMountLocal: false, sourceUrl: 'svc://s/1', targetPath: 't', notes: { n: 1 } }],
      [{ name: 'a', description: 'mine', sourceUrl: 'svc://s/2' }], true, '', new JobViolations(),
    );
    expect(input).toEqual({
      name: 'a', description: 'app\n\nmine', envKey: 'KEY', autoMountLocal: false, sourceUrl: 'svc://s/2', targetPath: 't',
      notes: '{"n":1}', optional: false, srcSharedAppCtx: '', destSharedAppCtx: '',
    });
  }); // prettier-ignore
});

describe('file input arrays', () => {
  const arrays: AppFileInputArray[] = [
    { name: 'opt' },
    {
      name: 'req',
      inputMode: 'REQUIRED',
      targetDir: 'd/',
      sourceUrls: ['svc://s/1', 'svc://s/2'],
      envKey: 'DIR',
    },
  ];
  it.each([
    ['the app’s', [], 'req_0.0:d/1 req_0.1:d/2'],
    ['the request’s URLs replace', [{ name: 'req', sourceUrls: ['https://h/3'] }], 'req_0.0:d/3'],
    ['an empty unnamed one is ignored', [{ sourceUrls: [] }], 'req_0.0:d/1 req_0.1:d/2'],
    ['into the input directory', [{ sourceUrls: ['svc://s/x'], targetDir: '*' }], 'unnamed_0.0:x req_1.0:d/1 req_1.1:d/2'],
    ['named and empty', [{ name: 'opt' }], 'JOBS_NO_SOURCE_URL'],
    ['in place', [{ sourceUrls: ['svclocal://exec.svc/x'] }], 'JOBS_SVCLOCAL_NOT_ALLOWED'],
    ['a directory without a name', [{ sourceUrls: ['svc://s/x/'] }], 'JOBS_NO_TARGET_PATH'],
  ])('%s', (_, request, expected) => {
    const merged = outcome((v) => mergeFileInputArrays(arrays, request, false, '', v));
    expect(typeof merged === 'string' ? merged : merged.inputs.map((i) => `${i.name}:${i.targetPath}`).join(' ')).toBe(expected);
  }); // prettier-ignore

  it('give their directory to the environment', () => {
    expect(mergeFileInputArrays(arrays, [], true, '', new JobViolations()).envKeys).toEqual([
      { called: 'file input array "req"', envKey: 'DIR', value: 'd/' },
    ]);
  });
});

describe('the archive filter', () => {
  it.each([
    ['*.txt', 'a.txt', true],
    ['*.txt', 'd/a.txt', false],
    ['**/*.txt', 'd/e/a.txt', true],
    ['**/*.txt', 'a.txt', false],
    ['d/**', 'd/e/f', true],
    ['?.c', 'a.c', true],
    ['[ab]x', 'bx', true],
    ['[!ab]x', 'bx', false],
    ['[a-c]', 'b', true],
    ['{a,b*}.o', 'bcd.o', true],
    ['a+b(c)', 'a+b(c)', true],
    ['\\*', '*', true],
    ['REGEX:a.+', 'abc/d', true],
    ['REGEX:a', 'ab', false],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(filterPattern(pattern).test(path)).toBe(expected);
  });

  it.each([
    ['{a', 'JOBS_INVALID_GLOB_FILTER'],
    ['[a/b]', 'JOBS_INVALID_GLOB_FILTER'],
    ['REGEX:(?=a)', 'JOBS_INVALID_REGEX_FILTER'],
    ['[a', 'JOBS_INVALID_GLOB_FILTER'],
    ['{a{b}}', 'JOBS_INVALID_GLOB_FILTER'],
    ['a\\', 'JOBS_INVALID_GLOB_FILTER'],
    ['REGEX:(', 'JOBS_INVALID_REGEX_FILTER'],
  ])('%s is refused', (pattern, code) => {
    const filter = { includes: [], excludes: [pattern], includeLaunchFiles: true };
    expect(outcome((v) => checkArchiveFilter(filter, v))).toBe(code);
  });

  it.each(['REGEX:(a+)+$', '**a**a**a**a**a**a**a**a**b'])('%s takes no time', (pattern) => {
    const started = performance.now();
    expect(filterPattern(pattern).test(`${'a'.repeat(4000)}!`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('lets excludes win, and everything means everything', () => {
    const filter = mergeArchiveFilter({ includes: ['**/*'], includeLaunchFiles: false }, { excludes: ['*.log'] });
    const takes = archiveSelector(filter);
    expect([takes('a.txt'), takes('d/a.log'), takes('a.log')]).toEqual([true, true, false]);
    expect(filter.includeLaunchFiles).toBe(false);
    expect(takesEverything(filter)).toBe(false);
    expect(takesEverything(mergeArchiveFilter(null, null))).toBe(true);
    expect(archiveSelector(mergeArchiveFilter(null, { includes: ['a'] }))('b')).toBe(false);
  }); // prettier-ignore
});

describe('the archive mode', () => {
  it.each([
    [{}, {}, 'ALWAYS'],
    [{}, { archiveMode: 'NEVER' }, 'NEVER'],
    [{ archiveOnAppError: false }, { archiveMode: 'NEVER' }, 'SKIP_ON_FAIL'],
    [{ archiveOnAppError: true, archiveMode: 'SKIP_ON_FAIL' }, {}, 'SKIP_ON_FAIL'],
    [{}, { archiveOnAppError: false }, 'SKIP_ON_FAIL'],
  ])('of %j over %j is %s', (request, jobAttributes, expected) => {
    expect(chooseArchiveMode(request as JobRequestBody, { jobAttributes } as AppRecord)).toBe(
      expected,
    );
  });
});
