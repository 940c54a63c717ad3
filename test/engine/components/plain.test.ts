/** A drawing turned into plain elements gives the same results, bit for bit. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { plainDocument } from '@engine/preparation/plain';
import { reportDocument } from '@engine/preparation/report';
import { example, EXAMPLES } from '../support/models';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../support/run';
import { drawn } from './drawn';

const DRAWN = EXAMPLES.filter((name) => (example(name).components?.length ?? 0) > 0);

/** Where something is carried along: only a script can say it of plain elements. */
const isCarried = (name: string): boolean =>
  (example(name).components ?? []).some(({ type }) => ['Motion', 'RotaryMotion', 'Belt'].includes(type));

/** As a file has it: every number is written and read again. */
const stored = (document: ModelDocument): ModelDocument =>
  JSON.parse(writeDocument(document)) as ModelDocument;

/** All rows of some signals. */
function rows(document: ModelDocument, names: readonly string[]): number[][] {
  const { column } = run(document, { sandbox: createSandbox });
  return names.map((name) => [...column(name)]);
}

const shortened = (document: ModelDocument, steps: number): ModelDocument => {
  const { t0, h, tEnd } = document.simulation;
  const end = typeof h === 'number' && typeof t0 === 'number' ? t0 + steps * h : tEnd;
  return { ...document, simulation: { ...document.simulation, tEnd: end } };
};

describe('a drawing turned into plain elements', () => {
  it.each(DRAWN.filter((name) => !isCarried(name)))('%s runs with the same bits', (name) => {
    const document = shortened(example(name), 400);
    const plain = stored(plainDocument(document));
    expect(plain.components).toBeUndefined();
    expect(reportDocument(plain).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    const states = reportDocument(document)
      .signals.map((signal) => signal.name)
      .filter((signal) => /^(circuit|junctions|mechanism)\d*\./.test(signal));
    expect(states.length).toBeGreaterThan(0);
    expect(rows(plain, states)).toEqual(rows(document, states));
    // What plots show of components is there under other names.
    const shown = (one: ModelDocument): string[] =>
      one.views.flatMap((view) => ('signals' in view ? view.signals : []));
    // A formula may have a zero below zero where a sum has one above it.
    const unsigned = (table: number[][]): number[][] => table.map((row) => row.map((value) => value + 0));
    expect(unsigned(rows(plain, shown(plain)))).toEqual(unsigned(rows(document, shown(document))));
  });

  it.each(DRAWN.filter(isCarried))('%s is refused, as a gap moves with time', (name) => {
    expect(() => plainDocument(example(name))).toThrow(/moves with time/);
  });

  it('is refused where a gap moves with time', () => {
    const document = drawn([
      ['m', 'Mass', ['n'], { mass: 1 }],
      ['u', 'Motion', ['b'], { value: 'sin(t)' }],
      ['s', 'Stop', ['b', 'n'], { gap: 1 }],
    ]);
    document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
    expect(() => plainDocument(document)).toThrow(/moves with time/);
  });

  it('of nothing drawn is the document itself', () => {
    const document = example('bouncing-ball');
    expect(plainDocument(document)).toBe(document);
  });
});
