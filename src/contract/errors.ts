/** How a failure crosses a process border: words that belong to the model, a stable code, and a remedy. */
import { z } from './schemas';

// Before the first schema: the content security policy of the window forbids compiled ones.
z.config({ jitless: true });

const scriptPlaceSchema = z.strictObject({
  name: z.string(),
  line: z.number().int(),
  column: z.number().int(),
});

/** The call of a script function that failed, with the values at that moment as text. */
const scriptCallSchema = z.strictObject({
  function: z.string(),
  element: z.string(),
  isDerivative: z.boolean(),
  step: z.number().int().optional(),
  statement: z.string().optional(),
  values: z.array(
    z.strictObject({ name: z.string(), kind: z.enum(['argument', 'parameter', 'local']), value: z.string() }),
  ),
});

export const remoteErrorSchema = z.strictObject({
  /** stable identifier, e.g. `script-error`, `unknown-run`, `invalid-document` */
  code: z.string(),
  message: z.string(),
  /** JSON pointer, element id or other place in the model's terms */
  where: z.string().optional(),
  /** place of the value that failed, of those that an expression or a function gives */
  entry: z.number().int().optional(),
  /** simulated time, s */
  time: z.number().optional(),
  remedy: z.string().optional(),
  script: scriptPlaceSchema.optional(),
  call: scriptCallSchema.optional(),
});

export type RemoteError = z.infer<typeof remoteErrorSchema>;

/** The error class callers of `dispatch` catch, on either side of a transport. */
export class MoreauError extends Error {
  override readonly name = 'MoreauError';
  constructor(readonly details: RemoteError) {
    super(details.message);
  }
}
