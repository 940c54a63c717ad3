/**
 * An archive of files that are compressed already: each is stored as it is. Format of PKWARE's APPNOTE.TXT
 * 6.3.10, sections 4.3.7 (local header), 4.3.12 (central directory) and 4.3.16 (its end).
 */

export interface ArchiveFile {
  /** plain ASCII, without folder */
  readonly name: string;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Version of the format that is needed to extract, 1.0. */
const VERSION = 10;
/** First day that the format knows, 1 January 1980: the same files give the same archive. */
const DATE = (1 << 5) | 1;
const LOCAL_HEADER = 30;
const CENTRAL_HEADER = 46;
const END = 22;

/** Polynomial of the checksum, bits reversed. */
const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? POLYNOMIAL : 0);
  return value;
});

/** CRC-32 of ISO 3309. */
export function crc32(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}

/** Size of an archive, given the sizes of its files, bytes. */
export const archiveBytes = (files: readonly ArchiveFile[]): number =>
  files.reduce(
    (sum, { name, data }) => sum + LOCAL_HEADER + CENTRAL_HEADER + 2 * name.length + data.length,
    END,
  );

/** The archive. @param files less than 65 536, together less than 4 GiB */
export function storedZip(files: readonly ArchiveFile[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(archiveBytes(files));
  const view = new DataView(out.buffer);
  const text = new TextEncoder();
  const heads = files.map(({ name, data }) => ({
    name: text.encode(name),
    data,
    crc: crc32(data),
    offset: 0,
  }));
  let at = 0;
  /** What both headers of a file have in common, from the version that is needed on. */
  const writeCommon = (place: number, { crc, data, name }: (typeof heads)[number]): void => {
    view.setUint16(place, VERSION, true);
    view.setUint16(place + 8, DATE, true);
    view.setUint32(place + 10, crc, true);
    view.setUint32(place + 14, data.length, true);
    view.setUint32(place + 18, data.length, true);
    view.setUint16(place + 22, name.length, true);
  };
  for (const head of heads) {
    head.offset = at;
    view.setUint32(at, 0x04034b50, true);
    writeCommon(at + 4, head);
    out.set(head.name, at + LOCAL_HEADER);
    out.set(head.data, at + LOCAL_HEADER + head.name.length);
    at += LOCAL_HEADER + head.name.length + head.data.length;
  }
  const directory = at;
  for (const head of heads) {
    view.setUint32(at, 0x02014b50, true);
    view.setUint16(at + 4, VERSION, true);
    writeCommon(at + 6, head);
    view.setUint32(at + 42, head.offset, true);
    out.set(head.name, at + CENTRAL_HEADER);
    at += CENTRAL_HEADER + head.name.length;
  }
  view.setUint32(at, 0x06054b50, true);
  view.setUint16(at + 8, files.length, true);
  view.setUint16(at + 10, files.length, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return out;
}
