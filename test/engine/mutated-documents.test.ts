/**
 * Models with one or two values in the place of others, drawings with parts taken away, doubled and wired
 * elsewhere: whatever they say, none is run to its end with a value that is not finite, none makes the
 * program fail in place of the model, and what is refused is refused where it stands.
 */
import { expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument, SchemeName } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { prepareRun } from '@engine/run/session';
import { sample } from '../support/prove';
import { drawings, rewirings } from './support/drawings';
import { gallery, mutating } from './support/mutated';
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

/** Whether a pointer leads to something that is there, or is asked for where it leads to. */
function leadsSomewhere(document: ModelDocument, pointer: string): boolean {
  const keys = pointer.split('/').slice(1);
  let node: unknown = document;
  for (const [k, key] of keys.entries()) {
    if (typeof node !== 'object' || node === null) return false;
    const next = (node as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
    if (next === undefined) return k === keys.length - 1 && k > 0 && !Array.isArray(node);
    node = next;
  }
  return keys.length > 0;
}

const unlocated = (document: ModelDocument, issues: readonly DocumentIssue[]): string[] =>
  issues
    .filter(
      ({ pointer, message, remedy }) => message === '' || remedy === '' || !leadsSomewhere(document, pointer),
    )
    .map(({ code, pointer, message }) => `${code} at “${pointer}”: ${message}`);

it.each([
  // The mutations say something, and leave something.
  { of: 'model', mutated: mutating(gallery), seed: 14, count: sample(200, 10_000) },
  {
    of: 'drawing',
    mutated: mutating(drawings, rewirings),
    seed: 15,
    count: sample(200, 10_000),
  },
])(
  'no mutated $of ends with a value that is not finite, and none is refused nowhere',
  ({ mutated, seed, count }) => {
    const random = seeded(seed);
    const faults: string[] = [];
    let refused = 0;
    for (let k = 0; k < count; k++) {
      const { document, what } = mutated(random);
      try {
        const { issues } = reportDocument(document);
        faults.push(...unlocated(document, issues).map((issue) => `${what}: ${issue}`));
        if (issues.some(({ severity }) => severity === 'error')) {
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
    expect(refused).toBeGreaterThan(count / 4);
    expect(refused).toBeLessThan(count);
  },
  sample(90_000, 3_600_000),
);
