/** What a sweep and its workers leave for each other in Redis. All of it is read by these schemas. */
import { MoreauError, remoteErrorSchema } from '@contract/errors';
import { z } from '@contract/schemas';
import { numbersSchema, pointSchema } from '../point-text';

/** Begins all keys, those of the engine of jobs too. */
export const PREFIX = 'moreau';

/** Each version has its own, so that a worker is never handed what it would have to give back. */
export const queueName = (version: string): string => `sweep-${version}`;

/** Ids of sweeps and of workers that may be alive; who is has its key. */
export const SWEEPS = `${PREFIX}:sweeps`;
export const WORKERS = `${PREFIX}:workers`;

/** Text of a job, by its hash: once for all chains. */
export const jobKey = (hash: string): string => `${PREFIX}:job:${hash}`;
/** A sweep that waits for its points. It expires when no client waits for it. */
export const sweepKey = (id: string): string => `${PREFIX}:sweep:${id}`;
/** A stream of replies. */
export const repliesKey = (id: string): string => `${PREFIX}:replies:${id}`;
/** A worker that is there. It goes by itself when the worker is lost. */
export const workerKey = (id: string): string => `${PREFIX}:worker:${id}`;

/** How long the word of a sweep and of a worker holds, s, and how often they give it, ms. */
export const SWEEP_LIFE_S = 60;
export const WORKER_LIFE_S = 15;
export const LOOK_MS = 2000;

/** Replies of a sweep that has been killed, s. */
export const REPLIES_LIFE_S = 3600;

const parsed = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' });
    return z.NEVER;
  }
});

/** Under `sweepKey`. */
export const sweepSchema = parsed.pipe(
  z.strictObject({
    version: z.string(),
    /** wanted, or given up: what is being computed for it can be left */
    state: z.enum(['wanted', 'over']),
  }),
);

/** Under `workerKey`. */
export const workerSchema = parsed.pipe(
  z.strictObject({ name: z.string(), version: z.string(), workers: z.number().int().positive() }),
);

export type WorkerWord = z.infer<typeof workerSchema>;

/** A job of the queue: what is left of a chain. */
export const taskSchema = z.strictObject({
  version: z.string(),
  sweep: z.uuid(),
  /** hash of the job's text */
  job: z.string().regex(/^[0-9a-f]{64}$/),
  points: z.array(z.number().int().nonnegative()).min(1),
  start: numbersSchema.nullable(),
});

export type TaskText = z.infer<typeof taskSchema>;

/** A reply, in the field `reply` of an entry of the stream. */
export const queueReplySchema = parsed.pipe(
  z.union([
    z.strictObject({ point: pointSchema }),
    /** the job itself is at fault, or the worker has a defect: no other would do better */
    z.strictObject({ refused: remoteErrorSchema }),
  ]),
);

export const otherVersion = (name: string, ours: string, theirs: string): MoreauError =>
  new MoreauError({
    code: 'other-version',
    message: `The worker ${name} has version ${ours} of Moreau and refuses a sweep of version ${theirs}: its results could differ.`,
    where: name,
    remedy: `Start workers of version ${theirs}, or sweep with version ${ours}.`,
  });
