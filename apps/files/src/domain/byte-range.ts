import { BadInput, RangeNotSatisfiable } from '@libs/envelope';

/** Which bytes of a file are asked for, and in what clothes they go out. */
export interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
  kind: 'whole' | 'part' | 'range' | 'page';
}

export interface RangeRequest {
  startByte?: number;
  count?: number;
  /** Header `Range`. */
  range?: string;
  /** Header `If-Range`: a standard range counts only of the file that it names. */
  ifRange?: string;
  /** Header `more`. */
  more?: string;
}

/** What tells one state of a file from another: the values of the headers of these names. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

const PAGE = 1024;

/** Query parameters win over the headers; of these `Range` wins over `more`. */
export function byteRange(
  request: RangeRequest,
  size: number,
  validators: Validators = {},
): ByteRange {
  const { startByte, count, range, ifRange, more } = request;
  if (startByte !== undefined || count !== undefined) {
    return part(startByte ?? 0, count ?? Infinity, size);
  }
  if (range !== undefined && range.trim() !== '') {
    const own = /^\s*(-?\d+)\s*,\s*(-?\d+)\s*$/.exec(range);
    if (own) return ownRange(Number(own[1]), Number(own[2]), size);
    if (/^\s*bytes\s*=/i.test(range)) {
      const found = isSame(validators, ifRange) && standardRange(range, size);
      if (found) return found;
    } else throw new BadInput('FILES_RANGE2', `Range "${range}" is neither bytes=a-b nor a,b`);
  } else if (more !== undefined) {
    if (!/^[1-9]\d{0,11}$/.test(more.trim())) {
      throw new BadInput('FILES_MORE', `more "${more}" is not a page number, 1 or greater`);
    }
    const start = Math.min((Number(more) - 1) * PAGE, size);
    return { start, end: Math.min(start + PAGE, size), kind: 'page' };
  }
  return { start: 0, end: size, kind: 'whole' };
}

const isSame = ({ etag, lastModified }: Validators, ifRange: string | undefined): boolean =>
  ifRange === undefined || [etag, lastModified].includes(ifRange.trim());

/** `a,b` in the header: b bytes from a on. */
function ownRange(start: number, count: number, size: number): ByteRange {
  if (start < 0 || start > count) {
    throw new BadInput(
      'FILES_RANGE2',
      `Range ${start},${count}: the first must not be negative or greater`,
    );
  }
  return part(start, count, size);
}

function part(start: number, count: number, size: number): ByteRange {
  mustBegin(start, size);
  return { start, end: Math.min(start + count, size), kind: 'part' };
}

/** RFC 9110: one range of bytes. What it does not define, several ranges among it, counts as no range at all. */
function standardRange(header: string, size: number): ByteRange | undefined {
  const found = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header);
  if (!found || (found[1] === '' && found[2] === '')) return undefined;
  if (found[1] === '') {
    const last = Number(found[2]);
    if (last === 0) throw tooFar(size);
    return { start: Math.max(0, size - last), end: size, kind: 'range' };
  }
  const start = Number(found[1]);
  const end = found[2] === '' ? size : Number(found[2]) + 1;
  if (end <= start && found[2] !== '') return undefined;
  if (start >= size) throw tooFar(size);
  return { start, end: Math.min(end, size), kind: 'range' };
}

function mustBegin(start: number, size: number): void {
  if (start > 0 && start >= size) throw tooFar(size);
}

function tooFar(size: number): RangeNotSatisfiable {
  return new RangeNotSatisfiable(
    'FILES_RANGE',
    `the file has ${size} bytes, the range begins beyond`,
    size,
  );
}
