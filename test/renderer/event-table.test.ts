/** Events in columns, and the rows of them that are drawn. */
import type { RunEvent } from '@contract/methods';
import { describe, expect, it } from 'vitest';
import { eventsCsv, EventTable } from '@renderer/events/event-table';
import { rowAfterKey, scrolledTo, visibleRows } from '@renderer/events/virtual-rows';
import { fakeEvent, fakeEvents } from './fake/event-driven';

function filled(count: number): EventTable {
  const table = new EventTable();
  table.append(fakeEvents(count, 1));
  return table;
}

describe('the table of events', () => {
  it('gives back what was put in, however it grew', () => {
    const table = new EventTable();
    const events = fakeEvents(1000, 1e-3);
    for (let from = 0; from < events.length; from += 7) table.append(events.slice(from, from + 7));
    expect(table.length).toBe(1000);
    for (const index of [0, 7, 9, 255, 256, 257, 999]) {
      const { time, kind, element, before, after, impulse } = fakeEvent(index, 1e-3);
      expect(table.row(index)).toEqual({ index, time, kind, element, before, after, impulse });
    }
    expect(() => table.row(1000)).toThrow(RangeError);
  });

  it('knows elements and kinds it has met, and where impacts accumulate', () => {
    const table = filled(40);
    expect(table.elements).toEqual(['cam', 'stop']);
    expect(table.kinds).toEqual(['impact', 'zeno', 'takeOff']);
    const { time } = fakeEvent(7, 1);
    expect(table.accumulations).toEqual([
      { element: 'cam', from: time, limit: { time: time + 1 / 3, error: 2e-9 } },
    ]);
  });

  it('selects by element and kind as a filter of the events does', () => {
    const count = 200;
    const table = filled(count);
    const events = fakeEvents(count, 1);
    const by = (element: string | null, kind: RunEvent['kind'] | null): number[] =>
      events.flatMap((event, index) =>
        (element === null || event.element === element) && (kind === null || event.kind === kind)
          ? [index]
          : [],
      );
    expect(table.select({ element: null, kind: null })).toBeNull();
    for (const [element, kind] of [
      ['stop', null],
      [null, 'impact'],
      ['cam', 'zeno'],
      ['stop', 'impact'],
      ['absent', null],
      [null, 'slip'],
    ] as const)
      expect([...(table.select({ element, kind }) ?? [])]).toEqual(by(element, kind));
  });

  it('finds times in a window, and none where there are too many', () => {
    const table = new EventTable();
    const at = (time: number): RunEvent => ({ ...fakeEvent(0, 1), time });
    table.append([1, 2, 2, 2, 3, 5].map(at));
    expect([...(table.timesWithin(1.5, 4, 2) ?? [])]).toEqual([2, 3]);
    expect(table.timesWithin(1, 4, 2)).toBeNull();
    expect([...(table.timesWithin(6, 9, 2) ?? [NaN])]).toEqual([]);
    expect(table.indexAt(2)).toBe(1);
    expect(table.indexAt(6)).toBe(6);
  });

  it('writes numbers in full to CSV', () => {
    const table = new EventTable();
    table.append([{ ...fakeEvent(0, 1), time: 0.1 + 0.2 }, fakeEvent(9, 1)]);
    expect(eventsCsv(table, Uint32Array.of(1))).toBe(
      'time [s],element,kind,velocity before,velocity after,impulse\n9000,stop,takeOff,0,0,0\n',
    );
    const [, first] = eventsCsv(table, null).split('\n');
    expect(Number(first?.split(',')[0])).toBe(0.1 + 0.2);
  });
});

describe('rows in sight', () => {
  it('are those between the edges, with a margin, and never outside the list', () => {
    expect(visibleRows(100_000, 20, 1_000_000, 200)).toEqual({ first: 49_992, end: 50_018 });
    expect(visibleRows(5, 20, 0, 200)).toEqual({ first: 0, end: 5 });
    expect(visibleRows(5, 20, 9000, 200)).toEqual({ first: 0, end: 5 });
    expect(visibleRows(0, 20, 0, 200)).toEqual({ first: 0, end: 0 });
  });

  it('come into sight with the least scrolling', () => {
    expect(scrolledTo(3, 20, 100, 200)).toBe(60);
    expect(scrolledTo(7, 20, 100, 200)).toBe(100);
    expect(scrolledTo(20, 20, 100, 200)).toBe(220);
  });

  it('are reached by keys, and by no other key', () => {
    expect(rowAfterKey('ArrowDown', -1, 10, 4)).toBe(0);
    expect(rowAfterKey('PageDown', 8, 10, 4)).toBe(9);
    expect(rowAfterKey('PageUp', 2, 10, 4)).toBe(0);
    expect(rowAfterKey('End', 0, 10, 4)).toBe(9);
    expect(rowAfterKey('x', 0, 10, 4)).toBeNull();
    expect(rowAfterKey('End', 0, 0, 4)).toBeNull();
  });
});
