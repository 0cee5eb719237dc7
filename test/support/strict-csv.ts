/** Parses records by the grammar of RFC 4180. Throws if the text violates it. */
export function readStrictCsv(text: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const records: string[][] = [[]];
  while (field.lastIndex < text.length) {
    const place = JSON.stringify(text.slice(field.lastIndex, field.lastIndex + 80));
    const [, quoted, plain = "", end] = field.exec(text) ?? [];
    if (end === undefined) throw new Error(`Not RFC 4180: ${place}`);
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ",") records.push([]);
  }
  return records.slice(0, -1);
}
