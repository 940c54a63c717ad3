/**
 * Models of the gallery with one or two values in the place of others: whatever they say, none is run to its
 * end with a value that is not finite, and none makes the program fail in place of the model.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { ModelDocument, SchemeName } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { prepareRun } from '@engine/run/session';
import { sample } from '../support/prove';
import { seeded } from './support/random';

type Way = readonly (string | number)[];

const FOLDER = fileURLToPath(new URL('../../resources/examples/', import.meta.url));
/** Steps or events of each run. */
const MOVES = 24;
/** Larger models take their time, and have the same fields. */
const LARGEST_TEXT = 20_000;

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
};

/** What is put in the place of a value. */
const VALUES: readonly unknown[] = [
  ...['0/0', '1/0', '-1/0', '1e308*10', 'log(0)', 'sqrt(-1)', '1/(1-1)', 'x', '', 'm', '__proto__'],
  ...[1e308, -1e308, 1e200, 1e-308, 5e-324, 0, -0, -1, 1, 0.5, NaN, Infinity],
  ...[null, true, [], {}, [0], [[0]], ['0/0'], { function: 'nothing' }, nested(500)],
];

const documents = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.moreau.json'))
  .map((name) => ({ name, text: readFileSync(`${FOLDER}${name}`, 'utf8') }))
  .filter(({ text }) => text.length < LARGEST_TEXT)
  .flatMap(({ name, text }) => {
    const { document } = readDocument(text);
    // What builders are asked to build has no limit but memory.
    return document === null || document.scripts.some(({ role }) => role === 'builder')
      ? []
      : [{ name, document }];
  });

/** Ways to everything in the sections of a model that a run reads. */
function waysOf(value: unknown, way: Way = []): Way[] {
  if (typeof value !== 'object' || value === null) return [way];
  const inside = Object.entries(value).flatMap(([key, own]) =>
    way.length === 0 && ['scripts', 'layout', 'references', 'title', 'description'].includes(key)
      ? []
      : waysOf(own, [...way, Array.isArray(value) ? Number(key) : key]),
  );
  return way.length === 0 ? inside : [way, ...inside];
}

function put(document: ModelDocument, way: Way, value: unknown): void {
  const owner = way
    .slice(0, -1)
    .reduce<unknown>(
      (node, key) => (node as Record<string | number, unknown> | null | undefined)?.[key],
      document,
    );
  if (typeof owner === 'object' && owner !== null)
    (owner as Record<string | number, unknown>)[way[way.length - 1]] = value;
}

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
    const { chance, integer } = seeded(14);
    const pick = <T>(list: readonly T[]): T => list[integer(0, list.length - 1)];
    const ways = documents.map(({ document }) => waysOf(document));
    const faults: string[] = [];
    let refused = 0;
    const count = sample(200, 10_000);
    for (let k = 0; k < count; k++) {
      const i = integer(0, documents.length - 1);
      const document = structuredClone(documents[i].document);
      const said: string[] = [];
      for (let left = chance(0.7) ? 1 : 2; left > 0; left--) {
        const [way, value] = [pick(ways[i]), pick(VALUES)];
        put(document, way, structuredClone(value));
        said.push(`${way.join('/')} = ${JSON.stringify(value)?.slice(0, 40) ?? String(value)}`);
      }
      const what = `${documents[i].name}: ${said.join(', ')}`;
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
