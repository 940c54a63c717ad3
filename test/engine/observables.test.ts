/**
 * Observables: evaluated after what they use, refused when they use themselves or take a name that means
 * something.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, ObservableDocument } from '@engine/document/types';
import { orderByDependency } from '@engine/document/parameters';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { prepareRun, type RunSession } from '@engine/run/session';
import { contact, model, particle } from './support/models';
import { refusal, runFailure } from './support/run';

function falling(
  observables: ObservableDocument[],
  change: (d: ModelDocument) => void = () => undefined,
): ModelDocument {
  const document = model([particle('ball', 1, 1)], [contact('floor', ['ball'], [[1]], 0.5)]);
  document.systems[0].fExt = [-10];
  document.observables = observables;
  change(document);
  return document;
}

function run(document: ModelDocument): { session: RunSession; column: (name: string) => Float64Array } {
  const sink = new MemoryChunks();
  const prepared = prepareRun({ document }, { sandbox: createSandbox, sink });
  if (!prepared.ok) throw new Error(prepared.error.message);
  const { session } = prepared;
  session.advance(20);
  const column = (name: string): Float64Array =>
    new TrajectoryReader(sink).rows([session.signals.findIndex((s) => s.name === name)], 0, 100).columns[0];
  return { session, column };
}

const codes = (document: ModelDocument): string[] => reportDocument(document).issues.map(({ code }) => code);

describe('observables that use each other', () => {
  it('have the values of the same row, whatever their order in the document', () => {
    const { column } = run(
      falling([
        { name: 'second', expression: 'first + 1' },
        { name: 'first', expression: '2*ball.q' },
      ]),
    );
    const q = column('ball.q');
    expect([...column('second')]).toEqual([...q].map((value) => 2 * value + 1));
  });

  it('are refused when one depends on itself', () => {
    expect(codes(falling([{ name: 'c', expression: 'c + 1' }]))).toEqual(['cyclic-expression']);
    const both = falling([
      { name: 'x', expression: 'y' },
      { name: 'y', expression: 'x + 1' },
    ]);
    expect(reportDocument(both).issues.map(({ message }) => message)).toEqual([
      'The observable “x” depends on itself: x → y → x.',
    ]);
  });
});

describe('names that mean something already', () => {
  it.each(['t', 'pi', 'tau'])('%s is refused for observables and parameters', (name) => {
    expect(codes(falling([{ name, expression: '1' }]))).toContain('name-taken');
    expect(codes(falling([], (d) => (d.parameters = [{ name, value: 1 }])))).toContain('name-taken');
  });

  it('a parameter and an observable cannot share one', () => {
    const document = falling(
      [{ name: 'm', expression: '7' }],
      (d) => (d.parameters = [{ name: 'm', value: 1 }]),
    );
    expect(codes(document)).toEqual(['name-taken']);
  });
});

it('an observable that is not finite from the start is named, with the time, and nothing is run', () => {
  const { code, message, where, time, remedy } = refusal(
    falling([{ name: 'odd', expression: '1/(ball.q - ball.q)' }]),
  );
  expect(code).toBe('not-finite');
  expect(message).toBe('The observable “odd” = “1/(ball.q - ball.q)” is Infinity at t = 0 s.');
  expect([where, time]).toEqual(['odd', 0]);
  expect(remedy).toContain('division by zero');
});

it.each([
  ['-1/max(0, ball.q - 0.5)', '-Infinity'],
  ['sqrt(ball.q - 0.5)', 'NaN'],
])('an observable that ceases to be finite ends the run there: %s', (expression, value) => {
  const { session, error } = runFailure(falling([{ name: 'odd', expression }]));
  expect(error.message).toContain(`is ${value} at t = `);
  // What was recorded before stays.
  expect(session.rows).toBeGreaterThan(1);
});

it('an observable in parameters alone that is not finite is refused at its place', () => {
  const [issue] = reportDocument(falling([{ name: 'odd', expression: '0/0' }])).issues;
  expect(issue).toMatchObject({ code: 'not-finite', pointer: '/observables/0/expression', element: 'odd' });
});

it('bodies that overlap at the start are named in a warning', () => {
  const { session } = run(falling([], (d) => (d.systems[0].q0 = [-0.25])));
  expect(session.warnings[0]).toContain('“floor” starts with a gap of -0.25');
});

it('an end time nearer than a step is refused', () => {
  const prepared = prepareRun(
    { document: falling([]), tEnd: 1e-10 },
    { sandbox: createSandbox, sink: new MemoryChunks() },
  );
  expect(prepared.ok ? '' : prepared.error.message).toContain('is longer than the run of 1e-10 s');
});

it('a gap row of zeros is refused', () => {
  expect(codes(falling([], (d) => (d.interactions[0].relation.H = [[0]])))).toEqual(['empty-row']);
});

it('gaps of rotations have the units of rotations', () => {
  const { signals } = reportDocument(falling([], (d) => (d.systems[0].coordinateUnit = 'rad')));
  const units = signals.filter(({ element }) => element === 'floor').map(({ unit }) => unit);
  expect(units).toEqual(['rad', 'rad/s', 'N m s']);
});

it('a chain of a hundred thousand definitions is put in order without recursion', () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `p${i}`);
  const { order, cycles } = orderByDependency(
    names,
    names.map((_, i) => (i + 1 < names.length ? [names[i + 1]] : [])),
  );
  expect(cycles).toEqual([]);
  expect(order[0]).toBe(names.length - 1);
  expect(order.at(-1)).toBe(0);
});
