/** Pixels as PNG (RFC 2083): eight bits a channel, RGBA, no filter. */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const out = Buffer.alloc(8 + content.length);
  out.writeUInt32BE(body.length, 0);
  content.copy(out, 4);
  out.writeUInt32BE(crc32(content), 4 + content.length);
  return out;
}

/** @param pixels RGBA, top row first */
function pngOf(pixels: Uint8ClampedArray, width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  head[9] = 6;
  const rows = Buffer.alloc(height * (4 * width + 1));
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(4 * width * row, 4 * width * (row + 1)), row * (4 * width + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export const pngDataUrl = (pixels: Uint8ClampedArray, width: number, height: number): string =>
  `data:image/png;base64,${pngOf(pixels, width, height).toString('base64')}`;
