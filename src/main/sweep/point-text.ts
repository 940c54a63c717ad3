/** Results of points as text, bit by bit: for journals and for queues. */
import { remoteErrorSchema } from '@contract/errors';
import { z } from '@contract/schemas';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import type { EngineErrorDetails } from '@engine/errors';

/** base64 of float64, little endian */
export const numbersSchema = z
  .base64()
  .refine((text) => Buffer.byteLength(text, 'base64') % Float64Array.BYTES_PER_ELEMENT === 0);

export const pointSchema = z.object({
  k: z.number().int().nonnegative(),
  s: z.enum(['done', 'failed']),
  m: numbersSchema,
  p: numbersSchema,
  e: numbersSchema,
  error: remoteErrorSchema.optional(),
  /** solved, complete and accurate; older versions did not say */
  v: z
    .object({
      s: z.boolean(),
      c: z.union([z.boolean(), z.object({ resolution: z.number() })]),
      a: z.boolean().nullable().optional(),
    })
    .optional(),
});

export type PointText = z.infer<typeof pointSchema>;

export const encodeNumbers = (values: Float64Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

export function decodeNumbers(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float64Array(Uint8Array.from(bytes).buffer);
}

export const encodePoint = (
  k: number,
  { status, measures, section, end, error, verdict }: PointResult,
): PointText => ({
  k,
  s: status,
  m: encodeNumbers(measures),
  p: encodeNumbers(section),
  e: encodeNumbers(end),
  ...(error !== undefined && { error }),
  ...(verdict !== undefined && {
    v: {
      s: verdict.solved,
      c: verdict.complete,
      ...(verdict.accurate !== undefined && { a: verdict.accurate }),
    },
  }),
});

export const decodePoint = ({ s, m, p, e, error, v }: PointText): PointResult => ({
  status: s,
  measures: decodeNumbers(m),
  section: decodeNumbers(p),
  end: decodeNumbers(e),
  ...(error !== undefined && { error: error as EngineErrorDetails }),
  ...(v !== undefined && {
    verdict: { solved: v.s, complete: v.c, ...(v.a !== undefined && { accurate: v.a }) },
  }),
});
