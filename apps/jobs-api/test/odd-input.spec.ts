import { JobsApi, REQUEST } from './jobs-api';

let api: JobsApi;
beforeAll(async () => void (api = await JobsApi.start()));
afterAll(() => api?.close());

const deep = (depth: number): unknown => (depth ? { a: deep(depth - 1) } : 1);
const arg = (text: string) => ({ parameterSet: { appArgs: [{ arg: text }] } });

/** What could upset a database, a shell or a parser: taken as it is or refused with 400, never anything else. */
it.each<[string, object]>([
  ['NUL in notes', { notes: { a: '\u0000' } }],
  ['NUL as a key', { notes: { '\u0000': 1 } }],
  ['half a character in notes', { notes: { a: '\ud800' } }],
  ['half a character in an argument', arg('\udc00x')],
  ['half a character in a name', { name: 'a\ud800' }],
  ['half a character in a tag', { tags: ['\ud83d'] }],
  [
    'half a character in notes of an argument',
    { parameterSet: { appArgs: [{ arg: 'x', notes: { b: '\ud800' } }] } },
  ],
  [
    'half a character in notes of an input',
    { fileInputs: [{ sourceUrl: 'svc://s/x', notes: '{"a":"\\ud800"}' }] },
  ],
  [
    'NUL in notes of an input',
    { fileInputs: [{ sourceUrl: 'svc://s/x', notes: { a: '\u0000' } }] },
  ],
  [
    'NUL in text notes of an input',
    { fileInputs: [{ sourceUrl: 'svc://s/x', notes: '{"a":"\\u0000"}' }] },
  ],
  ['deep notes', { notes: deep(200) }],
  ['prototype', { notes: JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}') }],
  ['huge number in notes', { notes: { a: 1e308, b: -0 } }],
  ['C1 control character', arg('a\u0085b')],
  ['long argument', arg('x'.repeat(30_000))],
  ['emoji everywhere', { name: '😀', tags: ['😀'], notes: { '😀': '😀' }, ...arg('😀') }],
  ['quotes', { name: `'"\\`, ...arg(`'"' "'" \\\\`) }],
  ['percent-encoded NUL in a source', { fileInputs: [{ sourceUrl: 'svc://s/a%00b' }] }],
  ['broken encoding in a source', { fileInputs: [{ sourceUrl: 'svc://s/a%zz' }] }],
  ['broken encoding in a web source', { fileInputs: [{ sourceUrl: 'http://h/a%zz' }] }],
  [
    'dollar patterns',
    { name: '$& $1 ${', description: '${JobName}${JobName', ...arg("'$&' '$1'") },
  ],
  [
    'empty lists',
    { fileInputs: [], fileInputArrays: [], tags: [], subscriptions: [], parameterSet: {} },
  ],
  ['nulls', { notes: null, tags: null, parameterSet: null, jobType: null, mpiCmd: null }],
  ['scientific number', { nodeCount: 1e2 }],
])('%s', async (_, request) => {
  const { status, body } = await api.as().post('/submit', { ...REQUEST, ...request });
  expect([200, 201, 400]).toContain(status);
  if (status === 400) return;
  const { uuid } = body.result;
  expect((await api.as().get(`/${uuid}`)).status).toBe(200);
  expect((await api.as().post(`/${uuid}/resubmit`)).status).toBe(201);
});

it.each(['null', '[]', '"x"', '5', '{', '', '{"name":'])('body %j is a 400', async (body) => {
  const { headers } = api.as();
  const answer = await api
    .as()
    .post('/submit', body, { ...headers, 'content-type': 'application/json' });
  expect(answer.status).toBe(400);
});

it('a body over the limit is a 413', async () => {
  const answer = await api
    .as()
    .post('/submit', { ...REQUEST, notes: { a: 'x'.repeat(1_100_000) } });
  expect(answer.status).toBe(413);
});
