/** Pins of signals in the window: they join their kind, and one source. */
import type { ModelDocument } from '@engine/document/types';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { addComponent, pinsFit, wirePins } from '@renderer/graph/editing/circuit-edits';
import { useCircuitStore } from '@renderer/graph/circuit/circuit-store';
import { useDocumentStore } from '@renderer/stores/document';
import { camFollower } from '../fake/cam-follower';
import { openCamFollower } from '../setup';

const drawing = (): ModelDocument => ({
  ...camFollower(),
  systems: [],
  interactions: [],
  observables: [],
  scripts: [],
  views: [],
  layout: {
    nodes: { V1: { x: 0, y: 0 }, S1: { x: 400, y: 0 }, W1: { x: 0, y: 400 }, W2: { x: 0, y: 600 } },
  },
  components: [
    { id: 'V1', type: 'VoltageSource', voltage: 100 },
    { id: 'S1', type: 'Switch', gate: '1' },
    { id: 'W1', type: 'Signal', value: 1 },
    { id: 'W2', type: 'Signal', value: 1 },
  ],
  wires: [{ id: 'n1', ends: ['V1.n', 'S1.a'] }],
});

const wires = () => useDocumentStore().model.wires ?? [];

beforeAll(async () => {
  await openCamFollower();
});
beforeEach(() => {
  const documents = useDocumentStore();
  const first = documents.session;
  documents.load(drawing(), null);
  documents.close(first, drawing);
});

it('outputs join inputs, and neither each other nor electrical pins', () => {
  expect(pinsFit('W1.y', 'S1.gate')).toBe(true);
  expect(pinsFit('S1.gate', 'W1.y')).toBe(true);
  expect(pinsFit('W1.y', 'W2.y')).toBe(false);
  expect(pinsFit('W1.y', 'S1.b')).toBe(false);
  wirePins('W1.y', 'S1.b');
  expect(wires()).toHaveLength(1);
  wirePins('W1.y', 'S1.gate');
  expect(wires()[1]?.ends).toEqual(['W1.y', 'S1.gate']);
});

it('what is drawn from an output begins with its input', () => {
  addComponent('Gain', { x: 300, y: 400 }, 'W1.y');
  expect(wires()[1]?.ends).toEqual(['W1.y', 'K1.u']);
});

it.each([
  ['Ammeter', [2, 2]],
  ['Gain', [2]],
])('put on a wire of a circuit, %s leaves wires of %o ends', (type, ends) => {
  const [branch] = useCircuitStore().wires[0]?.branches ?? [];
  const [a, b] = branch?.points ?? [];
  addComponent(type, { x: ((a?.x ?? 0) + (b?.x ?? 0)) / 2, y: ((a?.y ?? 0) + (b?.y ?? 0)) / 2 });
  expect(wires().map((wire) => wire.ends.length)).toEqual(ends);
});
