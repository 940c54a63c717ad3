/** How a failure crosses a process border: words that belong to the model, a stable code, and a remedy. */
import { z } from 'zod';

export const scriptPlaceSchema = z.strictObject({
  name: z.string(),
  line: z.number().int(),
  column: z.number().int(),
});

export const remoteErrorSchema = z.strictObject({
  /** stable identifier, e.g. `script-error`, `unknown-run`, `invalid-document` */
  code: z.string(),
  message: z.string(),
  /** JSON pointer, element id or other place in the model's terms */
  where: z.string().optional(),
  /** simulated time, s */
  time: z.number().optional(),
  remedy: z.string().optional(),
  script: scriptPlaceSchema.optional(),
});

export type RemoteError = z.infer<typeof remoteErrorSchema>;

/** The error class callers of `dispatch` catch, on either side of a transport. */
export class MoreauError extends Error {
  override readonly name = 'MoreauError';
  constructor(readonly details: RemoteError) {
    super(details.message);
  }
}
