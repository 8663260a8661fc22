import { byteRange } from './byte-range';

describe('bytes asked for', () => {
  const size = 3000;
  it.each([
    [{}, 0, 3000, 'whole'],
    [{ startByte: 10 }, 10, 3000, 'part'],
    [{ count: 5 }, 0, 5, 'part'],
    [{ startByte: 2990, count: 100 }, 2990, 3000, 'part'],
    [{ startByte: 1, range: 'bytes=5-6' }, 1, 3000, 'part'],
    [{ range: 'bytes=0-0' }, 0, 1, 'range'],
    [{ range: 'bytes=10-' }, 10, 3000, 'range'],
    [{ range: 'bytes=-5' }, 2995, 3000, 'range'],
    [{ range: 'bytes=-9999' }, 0, 3000, 'range'],
    [{ range: 'bytes=2999-99999' }, 2999, 3000, 'range'],
    [{ range: 'bytes=0-1,5-6' }, 0, 3000, 'whole'],
    [{ range: 'bytes=9-2' }, 0, 3000, 'whole'],
    [{ range: '0,1000' }, 0, 1000, 'part'],
    [{ range: '5,10' }, 5, 15, 'part'],
    [{ more: '1' }, 0, 1024, 'page'],
    [{ more: '3' }, 2048, 3000, 'page'],
    [{ more: '9' }, 3000, 3000, 'page'],
    [{ more: '1', range: 'bytes=1-2' }, 1, 3, 'range'],
  ])('%j', (request, start, end, kind) => {
    expect(byteRange(request, size)).toEqual({ start, end, kind });
  });

  it.each([
    [{ startByte: 3000 }, 416],
    [{ range: 'bytes=3000-' }, 416],
    [{ range: 'bytes=-0' }, 416],
    [{ range: '3000,4000' }, 416],
    [{ range: '9,5' }, 400],
    [{ range: '-1,5' }, 400],
    [{ range: 'lines=1-2' }, 400],
    [{ more: '0' }, 400],
    [{ more: 'x' }, 400],
  ])('%j is refused', (request, status) => {
    expect(() => byteRange(request, size)).toThrow(expect.objectContaining({ status }));
  });

  it('takes the start of an empty file', () => {
    expect(byteRange({ startByte: 0 }, 0)).toEqual({ start: 0, end: 0, kind: 'part' });
    expect(() => byteRange({ range: 'bytes=0-' }, 0)).toThrow();
  });
});
