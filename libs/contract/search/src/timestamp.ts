const FORM =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?)?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * The point in time of a text whose last parts may be missing (then the earliest), in UTC, with six
 * digits of fraction as the database keeps: such texts compare like times. Undefined when it is none.
 */
export function timestampOf(text: string): string | undefined {
  const parts = FORM.exec(text);
  if (!parts) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = parts;
  const [fraction = '', zone = 'Z'] = [parts[7], parts[8]];
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const plain = new Date(`${local}Z`);
  // Date takes February 30 and hour 24 for the day after; a calendar does not
  if (Number.isNaN(plain.getTime()) || plain.toISOString().slice(0, 19) !== local) return undefined;
  const time = new Date(`${local}${zone}`);
  if (Number.isNaN(time.getTime())) return undefined;
  const utc = time.toISOString();
  if (!/^\d{4}-/.test(utc) || utc.startsWith('0000')) return undefined;
  return `${utc.slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}
