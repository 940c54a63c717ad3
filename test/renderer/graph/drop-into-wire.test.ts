/** A component dragged onto a wire stands in it then, and a mend is an edit that places what it adds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import { emptyDocument } from '@renderer/document/factory';
import { useCircuitStore } from '@renderer/graph/circuit/circuit-store';
import { dropIntoWire, mend } from '@renderer/graph/editing/circuit-edits';
import { useDocumentStore } from '@renderer/stores/document';
import { openCamFollower } from '../setup';

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().load(
    {
      ...emptyDocument(catalogue(), 3, 'new'),
      components: [
        { id: 'V1', type: 'VoltageSource', voltage: 10 },
        { id: 'R1', type: 'Resistor', resistance: 1 },
        { id: 'C1', type: 'Capacitor', capacitance: 1 },
      ],
      wires: [
        { id: 'in', ends: ['V1.p', 'R1.a'] },
        { id: 'back', ends: ['V1.n', 'R1.b'] },
      ],
      layout: {
        nodes: {
          V1: { x: 0, y: 0, turns: 1 },
          R1: { x: 400, y: 0, turns: 1 },
          C1: { x: 200, y: 300 },
        },
      },
    },
    null,
  );
});

const model = (): ReturnType<typeof useDocumentStore>['model'] => useDocumentStore().model;

describe('a component that is dragged', () => {
  it('onto a wire stands in it, and undo takes it out again', () => {
    const before = structuredClone(model());
    const line = useCircuitStore().wires.find(({ id }) => id === 'in')!.lines[0];
    const [from, to] = line.reduce(
      (best, point, k) => {
        const next = line[k + 1];
        const length = next === undefined ? 0 : Math.abs(next.x - point.x);
        return length > Math.abs(best[1].x - best[0].x) ? [point, next] : best;
      },
      [line[0], line[0]],
    );
    const at = { x: (from.x + to.x) / 2, y: from.y };
    expect(dropIntoWire('C1', { x: at.x - 200, y: at.y - 300 })).toBe(true);
    const own = model().wires!.filter(({ ends }) => ends.some((end) => end.startsWith('C1.')));
    expect(own).toHaveLength(2);
    expect(own.map(({ ends }) => ends.length)).toEqual([2, 2]);
    expect(model().wires).toHaveLength(3);
    useDocumentStore().undo();
    expect(model()).toEqual(before);
  });

  it('elsewhere, or that has wires, is only moved', () => {
    expect(dropIntoWire('C1', { x: 500, y: 500 })).toBe(false);
    expect(dropIntoWire('R1', { x: -200, y: 0 })).toBe(false);
  });
});

describe('a mend', () => {
  it('places what it adds, free of the rest, in one step', () => {
    const before = structuredClone(model());
    const issue = reportDocument(model()).issues.find(({ code }) => code === 'no-ground')!;
    mend(issue.mends![0]);
    const ground = model().components!.find(({ type }) => type === 'Ground')!;
    expect(model().layout.nodes[ground.id]).toBeDefined();
    const isOpen = ({ code, element }: { code: string; element?: string }): boolean =>
      code === 'no-ground' && element === issue.element;
    expect(reportDocument(model()).issues.some(isOpen)).toBe(false);
    const boxes = [...useCircuitStore().components.values()].map(({ box }) => box);
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1))
        expect(
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y,
        ).toBe(true);
    useDocumentStore().undo();
    expect(model()).toEqual(before);
  });
});
