/** The manifest of a kept run: what a list shows of it, and who computes it. */
import { z } from 'zod';
import { remoteErrorSchema } from '@contract/errors';
import type { RunInfo } from '@contract/methods';

const MANIFEST_VERSION = 1;

const count = z.number().int().min(0);
/** also one that is not finite */
const anyNumber = z.custom<number>((value) => typeof value === 'number', 'a number is expected');
const certificate = z.looseObject({
  complementarity: anyNumber,
  coneViolation: anyNumber,
  dynamics: anyNumber,
  worstTime: z.number().nullable(),
  worstElement: z.string().nullable(),
});
const statistics = z.strictObject({
  steps: count,
  rows: count,
  events: count,
  factorisations: count,
  newtonIterations: count,
  solverIterations: count,
  rejectedSteps: count,
  simulatedTime: anyNumber,
  wallSeconds: anyNumber,
  stepsPerSecond: anyNumber,
  secondsToGo: anyNumber.nullable(),
  certificate,
  energyDrift: anyNumber.nullable(),
  energyGain: z.strictObject({ share: anyNumber, limit: anyNumber }).nullable().optional(),
  complete: z.union([z.boolean(), z.strictObject({ resolution: anyNumber })]).optional(),
});

const accuracy = z.union([
  z.strictObject({ state: z.literal('measuring') }),
  z.strictObject({
    state: z.literal('measured'),
    accuracy: z.strictObject({
      order: anyNumber.nullable(),
      until: anyNumber,
      parts: z.boolean(),
      signals: z.array(
        z.strictObject({
          name: z.string(),
          drawn: z.string().optional(),
          unit: z.string(),
          error: anyNumber.nullable(),
          limit: anyNumber,
          time: anyNumber.nullable(),
        }),
      ),
      impacts: z.array(
        z.strictObject({ element: z.string(), matched: count, missed: count, error: anyNumber.nullable() }),
      ),
    }),
  }),
  z.strictObject({
    state: z.literal('unknown'),
    reason: z.enum(['too-long', 'changed', 'failed']),
    message: z.string(),
  }),
]);

const state = z.enum([
  'queued',
  'starting',
  'running',
  'paused',
  'done',
  'failed',
  'cancelled',
  'interrupted',
] satisfies RunInfo['state'][]);

export const manifestSchema = z.object({
  version: z.literal(MANIFEST_VERSION),
  /** the program that computed it */
  engineVersion: z.string(),
  /** who computes it, while its state says that it is under way */
  owner: z.strictObject({ machine: z.string(), pid: z.number().int(), instance: z.uuid() }),
  runId: z.string(),
  /** its number among the runs of a session, as its first name says it */
  number: count,
  name: z.string(),
  pinned: z.boolean(),
  /** documents it belongs to, as windows name them */
  documents: z.array(z.string()),
  /** of runs that were started together, their common name */
  group: z.string().nullable(),
  /** when it was deleted, ms since 1970; its files stay for a while, so that this can be undone */
  deletedAt: z.number().nullable(),
  title: z.string(),
  state,
  scheme: z.enum(['time-stepping', 'event-driven']),
  parameters: z.record(z.string(), anyNumber),
  changes: z.array(z.strictObject({ time: anyNumber, name: z.string(), from: anyNumber, to: anyNumber })),
  startedAt: z.iso.datetime(),
  /** null while it is under way, and of one that was interrupted */
  endedAt: z.iso.datetime().nullable(),
  h: anyNumber,
  t0: anyNumber,
  tEnd: anyNumber,
  statistics,
  /** null during the run, and if not measured */
  accuracy: accuracy.nullable().default(null),
  warnings: z.array(z.string()),
  error: remoteErrorSchema.nullable(),
  layout: z
    .strictObject({ columns: z.number().int().min(1), rowsPerChunk: z.number().int().min(1) })
    .nullable(),
});

export type Manifest = z.infer<typeof manifestSchema>;
/** What a manifest says of a run beside what it computes. */
export type RunRecord = Pick<
  Manifest,
  'number' | 'name' | 'pinned' | 'documents' | 'group' | 'deletedAt' | 'accuracy'
>;

export const recordOf = (manifest: Manifest): RunRecord => {
  const { number, name, pinned, documents, group, deletedAt, accuracy: known } = manifest;
  // The process that was measuring it is gone.
  return {
    number,
    name,
    pinned,
    documents,
    group,
    deletedAt,
    accuracy: known?.state === 'measuring' ? null : known,
  };
};
