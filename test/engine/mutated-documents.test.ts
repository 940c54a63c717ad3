/**
 * Models of the gallery with one or two values in the place of others: whatever they say, none is run to its
 * end with a value that is not finite, and none makes the program fail in place of the model.
 */
import { expect, it } from 'vitest';
import type { ModelDocument, SchemeName } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { prepareRun } from '@engine/run/session';
import { sample } from '../support/prove';
import { mutatedDocument } from './support/mutated';
import { seeded } from './support/random';

/** Steps or events of each run. */
const MOVES = 24;

/** Time of some steps behind the start; undefined where the model does not say that any more. */
function endOf(document: ModelDocument): number | undefined {
  const { simulation } = document as { simulation?: Partial<ModelDocument['simulation']> | null };
  const { t0, h } = simulation ?? {};
  return typeof t0 === 'number' && typeof h === 'number' && h > 0 ? t0 + (MOVES - 4) * h : undefined;
}

/** Why the run of a document is wrong; null where it is not. */
function fault(document: ModelDocument, scheme: SchemeName): string | null {
  const sink = new MemoryChunks();
  const prepared = prepareRun({ document, scheme, tEnd: endOf(document) }, { sandbox: createSandbox, sink });
  if (!prepared.ok) return prepared.error.message === '' ? 'refused without a word' : null;
  const { session } = prepared;
  const state = session.advance(MOVES);
  const columns = session.signals.map((_, i) => i);
  const { columns: values } = new TrajectoryReader(sink).rows(columns, 0, session.rows);
  const wrong = values.findIndex((column) => !column.every(Number.isFinite));
  if (wrong >= 0)
    return `${state} with ${session.signals[wrong].name} = ${values[wrong].find((x) => !Number.isFinite(x))}`;
  const { dynamics, complementarity, coneViolation } = session.certificate;
  return state !== 'done' || [dynamics, complementarity, coneViolation].every(Number.isFinite)
    ? null
    : `done with the residuals ${dynamics}, ${complementarity}, ${coneViolation}`;
}

it(
  'no mutated model ends with a value that is not finite',
  () => {
    const random = seeded(14);
    const faults: string[] = [];
    let refused = 0;
    const count = sample(200, 10_000);
    for (let k = 0; k < count; k++) {
      const { document, what } = mutatedDocument(random);
      try {
        if (reportDocument(document).issues.some(({ severity }) => severity === 'error')) {
          refused++;
          continue;
        }
        for (const scheme of ['time-stepping', 'event-driven'] as const) {
          const found = fault(document, scheme);
          if (found !== null) faults.push(`${what}: ${scheme}: ${found}`);
        }
      } catch (error) {
        faults.push(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
    }
    expect(faults).toEqual([]);
    // The mutations say something, and leave something.
    expect(refused).toBeGreaterThan(count / 4);
    expect(refused).toBeLessThan(count);
  },
  sample(90_000, 3_600_000),
);
