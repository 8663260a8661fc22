/** A file name for the header: plain characters for everybody, the rest for who understands RFC 6266. */
export function disposition(how: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const header = `${how}; filename="${plain}"`;
  if (plain === name) return header;
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${header}; filename*=UTF-8''${encoded}`;
}

/** `data.tar` becomes `data.zip`; a name that only has an extension keeps it. */
export function zipName(name: string): string {
  const dot = name.lastIndexOf('.');
  return `${dot > 0 ? name.slice(0, dot) : name}.zip`;
}
