import * as errors from './api-errors';
import { ApiError, apiErrorFrom, isApiError } from './api-error';
import { envelopeOf } from './envelope';
import { problemOf } from './problem';
import { isRecoverable, Recoverable } from './recoverable';
import { isReply, reply } from './reply';
import { Violations } from './violations';

const info = { version: '1.2.3', commit: 'abc', build: '7' };
const KEYS = ['result', 'status', 'message', 'version', 'commit', 'build', 'metadata'];

describe('envelope', () => {
  it('has all keys for a reply and for an error', () => {
    expect(Object.keys(envelopeOf(reply('A', '', undefined), info))).toEqual(KEYS);
    expect(Object.keys(envelopeOf(new Error('x'), info))).toEqual(KEYS);
  });

  it('renders a reply', () => {
    const answer = reply('SYS_FOUND', 'system a', { id: 'a' }, { metadata: { recordCount: 1 } });
    expect(isReply(answer)).toBe(true);
    expect(isReply({ ...answer })).toBe(false);
    expect(envelopeOf(answer, info)).toEqual({
      result: { id: 'a' },
      status: 'success',
      message: 'SYS_FOUND system a',
      ...info,
      metadata: { recordCount: 1 },
    });
  });

  it('renders a missing named thing with its name', () => {
    const body = envelopeOf(new errors.NotFound('SK_ROLE_NOT_FOUND', 'role r of dev', 'r'), info);
    expect(body).toMatchObject({
      result: { name: 'r' },
      status: 'error',
      message: 'SK_ROLE_NOT_FOUND role r of dev',
      metadata: null,
    });
  });

  it('tells nothing of an unexpected error', () => {
    const body = envelopeOf(new Error('password=hunter2'), info);
    expect(body.result).toBeNull();
    expect(JSON.stringify(body)).not.toMatch(/hunter2|\.ts/);
    expect(problemOf('thrown text').status).toBe(500);
    const away = problemOf(new Recoverable('HOST_AWAY', 'node7:22'));
    expect([away.status, away.message]).toEqual([503, expect.not.stringContaining('node7')]);
  });
});

describe('errors', () => {
  it.each([
    [400, new errors.BadInput('C', 't')],
    [401, new errors.Unauthenticated('C', 't')],
    [403, new errors.Forbidden('C', 't')],
    [404, new errors.NotFound('C', 't')],
    [405, new errors.MethodNotAllowed('C', 't', ['GET'])],
    [409, new errors.Conflict('C', 't')],
    [410, new errors.Gone('C', 't')],
    [412, new errors.PreconditionFailed('C', 't')],
    [413, new errors.TooLarge('C', 't')],
    [415, new errors.UnsupportedMediaType('C', 't')],
    [416, new errors.RangeNotSatisfiable('C', 't', 10)],
    [429, new errors.TooMany('C', 't', 0.2)],
    [501, new errors.Unsupported('C', 't')],
    [502, new errors.Upstream('C', 't')],
    [504, new errors.Upstream('C', 't', { timedOut: true })],
    [503, new errors.NotReady('C', 't')],
  ])('have status %i', (status, error) => {
    expect(error.status).toBe(status);
    expect(error.message).toBe('C t');
    expect(error.result).toBeNull();
    expect(isApiError(error, status)).toBe(true);
    expect(isApiError(error, 418)).toBe(false);
    expect(isRecoverable(error)).toBe(false);
  });

  it('carries headers', () => {
    expect(new errors.TooMany('C', 't', 0.2).headers).toEqual({ 'Retry-After': '1' });
    expect(new errors.RangeNotSatisfiable('C', 't', 10).headers).toEqual({
      'Content-Range': 'bytes */10',
    });
  });

  it('is made again from another service’s answer', () => {
    const again = apiErrorFrom(409, 'SYSLIB_SYS_EXISTS system a exists', null);
    expect(again).toMatchObject({
      status: 409,
      code: 'SYSLIB_SYS_EXISTS',
      text: 'system a exists',
    });
    expect(apiErrorFrom(502, '<html>bad</html>')).toMatchObject({ code: 'HTTP_502' });
    expect(apiErrorFrom(404, 'GONE')).toMatchObject({ code: 'GONE', text: '' });
  });

  it('is no accident: other values are not errors of ours', () => {
    for (const value of [null, undefined, 'x', {}, new Error('x')]) {
      expect(isApiError(value)).toBe(false);
      expect(isRecoverable(value)).toBe(false);
    }
    expect(isRecoverable(new Recoverable('A', 'b'), 'A')).toBe(true);
    expect(isRecoverable(new Recoverable('A', 'b'), 'B')).toBe(false);
  });
});

describe('violations', () => {
  it('end in one error that has them all', () => {
    const found = new Violations();
    found.throwIfAny('C', 'nothing wrong');
    expect(found.check(1 < 2, 'never')).toBe(true);
    found.check(false, 'id: missing');
    found.take(() => {
      throw new errors.BadInput('X', 'inner', ['a', 'b']);
    });
    found.take(() => {
      throw new errors.BadInput('X', 'alone');
    });
    expect(() => found.take(() => JSON.parse('{'))).toThrow(SyntaxError);
    expect(() => found.throwIfAny('C', 'system a')).toThrow(
      expect.objectContaining({
        message: 'C system a: id: missing; a; b; alone',
        violations: ['id: missing', 'a', 'b', 'alone'],
      }),
    );
  });

  it('keeps the cause of an error', () => {
    const cause = new Error('inner');
    expect(new ApiError(502, 'C', 't', null, { cause }).cause).toBe(cause);
    expect('cause' in new ApiError(502, 'C', 't')).toBe(false);
  });
});
