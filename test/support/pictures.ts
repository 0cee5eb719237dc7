import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** A phone's photo: rotated, with GPS coordinates. */
export async function aPhoto({ width = 300, height = 200, format = "jpeg" as const } = {}) {
  return sharp({ create: { width, height, channels: 3, background: "#a33c22" } })
    .withExif({
      IFD0: { Make: "Duremont", Orientation: "6" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "48/1 8/1 0/1" },
    })
    .withMetadata({ orientation: 6 })
    .toFormat(format)
    .toBuffer();
}

/** Reads a picture's metadata without decoding it. */
export async function describePicture(content: Buffer) {
  const { width, height, format, exif, orientation } = await sharp(content).metadata();
  return { width, height, format, exif, orientation };
}

/**
 * A few hundred bytes that claim to be a picture of `side` times `side` pixels, all black or with
 * 16 bits per channel.
 */
export function aPictureBomb(side: number, { isDeep = false } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = isDeep ? 16 : 1;
  head[9] = isDeep ? 6 : 0;
  const row = Buffer.alloc(1 + Math.ceil(side / 8));
  const rows = Buffer.alloc(row.length * Math.min(side, 2000));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * A grey JPEG of 16 times 16 pixels with this many scans, at most 883: one for each bit of each
 * coefficient.
 */
export function aJpegOfScans(count: number): Buffer {
  const segment = (marker: number, ...bytes: number[]) =>
    Buffer.from([0xff, marker, 0, bytes.length + 2, ...bytes]);
  const oneCode = [1, ...Array<number>(15).fill(0)];
  const scans = [segment(0xda, 1, 1, 0, 0, 0, 0), Buffer.from([0x0f])];
  for (let pass = 0; pass < count - 1; pass += 1) {
    const coefficient = 1 + Math.floor(pass / 14);
    const bit = 13 - (pass % 14);
    const bits = bit === 13 ? bit : ((bit + 1) << 4) | bit;
    // All four blocks are empty.
    scans.push(segment(0xda, 1, 1, 0, coefficient, coefficient, bits), Buffer.from([0x0f]));
  }
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc2, 8, 0, 16, 0, 16, 1, 1, 0x11, 0),
    segment(0xc4, 0, ...oneCode, 0),
    segment(0xc4, 0x10, ...oneCode, 0x00),
    ...scans,
    Buffer.from([0xff, 0xd9]),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The first bytes of a HEIC photo, which identify its type. */
export const aHeicPhoto = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from("ftypheic\0\0\0\0mif1heic", "latin1"),
  Buffer.alloc(200, 7),
]);

/** A zip file with one stored entry. */
export function aZip(name: string, text: string): Buffer {
  const data = Buffer.from(text);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt32LE(crc32(data), 14);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt32LE(data.length, 22);
  head.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  head.copy(central, 6, 4, 28);
  const local = Buffer.concat([head, Buffer.from(name), data]);
  const directory = Buffer.concat([central, Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
}

/** The part of an office document that identifies its type. */
export function anOfficeDocument(contentType: string): Buffer {
  return aZip(
    "[Content_Types].xml",
    `<Types><Override PartName="/word/document.xml" ContentType="${contentType}.main+xml"/></Types>`,
  );
}
