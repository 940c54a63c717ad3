/**
 * The job of a sweep as text that others can send: read with the care that everything needs that crosses a
 * process border.
 */
import { createHash } from 'node:crypto';
import { MoreauError } from '@contract/errors';
import { z } from '@contract/schemas';
import { type SweepJob, countResults } from '@engine/analysis/sweep/job';
import { readDocument } from '@engine/document/read';

/** More points than anybody computes; a larger number would only fill the memory of who reads it. */
const MOST_POINTS = 10_000_000;

const expression = z.union([z.number(), z.string()]);
const count = z.number().int().positive().max(MOST_POINTS);

const range = { from: z.number(), to: z.number(), count };
const list = { values: z.array(z.number()).min(1) };
const axisSchema = z.union([
  z.strictObject({ parameter: z.string(), ...range }),
  z.strictObject({ parameter: z.string(), ...list }),
  z.strictObject({ initial: z.string(), ...range }),
  z.strictObject({ initial: z.string(), ...list }),
]);

const planSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('grid'), axes: z.array(axisSchema).min(1) }),
  z.strictObject({
    kind: z.enum(['random', 'latinHypercube']),
    axes: z.array(axisSchema).min(1),
    count,
    seed: z.number(),
  }),
]);

const sectionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stroboscopic'), period: expression, phase: expression.optional() }),
  z.strictObject({
    kind: z.literal('impact'),
    contact: z.string(),
    state: z.enum(['before', 'after']).optional(),
  }),
  z.strictObject({
    kind: z.literal('surface'),
    g: z.string(),
    direction: z.enum(['rising', 'falling', 'both']).optional(),
  }),
]);

const jobSchema = z.strictObject({
  document: z.record(z.string(), z.unknown()),
  set: z.record(z.string(), expression).optional(),
  scheme: z.enum(['time-stepping', 'event-driven']).optional(),
  h: z.number().positive().optional(),
  tEnd: z.number().optional(),
  plan: planSchema,
  section: z
    .strictObject({
      section: sectionSchema,
      transient: z.number().int().nonnegative(),
      count: z.number().int().positive(),
      signals: z.array(z.string()).optional(),
    })
    .optional(),
  measures: z.array(z.string()),
  skip: z.number().min(0).max(1).optional(),
  start: z.enum(['initial', 'up', 'down', 'both']).optional(),
  accuracy: z.boolean().optional(),
});

export const jobText = (job: SweepJob): string => JSON.stringify(job);

export const nameOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name by which a job is known again: equal jobs have equal results. */
export const jobName = (job: SweepJob): string => nameOfText(jobText(job));

/**
 * @param where it comes from, for the error
 * @throws {MoreauError} `invalid-sweep-job`
 */
export function readJobText(text: string, where: string): SweepJob {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw notAJob(where, 'it is not JSON');
  }
  const job = jobSchema.safeParse(parsed);
  if (!job.success) {
    const { path, message } = job.error.issues[0];
    throw notAJob(where, `${path.join('.')}: ${message}`);
  }
  const { document, issues } = readDocument(JSON.stringify(job.data.document));
  if (document === null) throw notAJob(where, issues[0].message);
  const points = countResults(job.data as Pick<SweepJob, 'plan' | 'start'>);
  if (points > MOST_POINTS) throw notAJob(where, `${points} points are too many`);
  // JSON has no undefined.
  return { ...(job.data as Omit<SweepJob, 'document'>), document };
}

const notAJob = (where: string, why: string): MoreauError =>
  new MoreauError({
    code: 'invalid-sweep-job',
    message: `${where} cannot be read as the job of a sweep: ${why}.`,
    where,
    remedy: 'Create it again with the version of Moreau that will compute it.',
  });
