/**
 * Messages of the byte-stream transports: one JSON header, then the typed arrays it refers to, without copies
 * of numbers into text.
 *
 *   uint32 header length | header (UTF-8 JSON) | padding to 8 bytes | array 0 | padding to 8 | array 1 | …
 *
 * In the header an array stands as {"$array": index, "type": name, "length": n}. All numbers little-endian.
 */
import { z } from './schemas';
import { type RemoteError, remoteErrorSchema } from './errors';

const ARRAY_TYPES = { Float64Array, Uint32Array, Uint8Array } as const;
type ArrayTypeName = keyof typeof ARRAY_TYPES;
type FrameArray = Float64Array | Uint32Array | Uint8Array;

/** Longest frame accepted, bytes. */
const MAX_FRAME_BYTES = 512 * 1024 * 1024;

export const requestSchema = z.strictObject({
  id: z.number().int().min(0),
  method: z.string().max(100),
  params: z.unknown(),
});

export type RequestFrame = z.infer<typeof requestSchema>;

export type ReplyFrame =
  { id: number; result: unknown } | { id: number; error: RemoteError } | { event: string; data: unknown };

export const replySchema = z.union([
  z.object({ id: z.number().int(), error: remoteErrorSchema }),
  z.object({ id: z.number().int(), result: z.unknown() }),
  z.object({ event: z.string(), data: z.unknown() }),
]);

const align = (offset: number): number => (offset + 7) & ~7;

function arrayTypeName(value: unknown): ArrayTypeName | null {
  for (const name of Object.keys(ARRAY_TYPES) as ArrayTypeName[]) {
    if (value instanceof ARRAY_TYPES[name]) return name;
  }
  return null;
}

/** Encodes a message. Typed arrays may stand anywhere in it. */
export function encodeFrame(message: unknown): Uint8Array {
  const arrays: FrameArray[] = [];
  const header = JSON.stringify(message, (_key, value: unknown) => {
    const type = arrayTypeName(value);
    if (type === null) return value;
    arrays.push(value as FrameArray);
    return { $array: arrays.length - 1, type, length: (value as FrameArray).length };
  });
  const headerBytes = new TextEncoder().encode(header);
  let total = align(4 + headerBytes.length);
  for (const array of arrays) total = align(total + array.byteLength);
  const frame = new Uint8Array(total);
  new DataView(frame.buffer).setUint32(0, headerBytes.length, true);
  frame.set(headerBytes, 4);
  let offset = align(4 + headerBytes.length);
  for (const array of arrays) {
    frame.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
    offset = align(offset + array.byteLength);
  }
  return frame;
}

const arrayReferenceSchema = z.strictObject({
  $array: z.number().int().min(0),
  type: z.enum(['Float64Array', 'Uint32Array', 'Uint8Array']),
  length: z.number().int().min(0),
});

/**
 * Decodes a frame.
 * @throws {Error} when the header is not JSON or refers to bytes that the frame does not have
 */
export function decodeFrame(frame: Uint8Array): unknown {
  if (frame.byteLength < 4 || frame.byteLength > MAX_FRAME_BYTES)
    throw new Error('frame has no valid length');
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const headerLength = view.getUint32(0, true);
  if (4 + headerLength > frame.byteLength) throw new Error('frame is shorter than its header says');
  const text = new TextDecoder('utf-8', { fatal: true }).decode(frame.subarray(4, 4 + headerLength));
  let offset = align(4 + headerLength);
  // Arrays are met by the reviver in the order they were written: children before parents, in key order.
  let expected = 0;
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$array' in value)) return value;
    const reference = arrayReferenceSchema.parse(value);
    if (reference.$array !== expected++) throw new Error('frame arrays are out of order');
    const Type = ARRAY_TYPES[reference.type];
    const bytes = reference.length * Type.BYTES_PER_ELEMENT;
    if (offset + bytes > frame.byteLength) throw new Error('frame is shorter than its arrays');
    const copy = frame.slice(offset, offset + bytes);
    offset = align(offset + bytes);
    return new Type(copy.buffer, 0, reference.length);
  });
}
