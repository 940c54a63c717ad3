/** Wires of one name are one node, drawn apart, with the name at each of their parts. */
import { expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import type { ModelDocument } from '@engine/document/types';
import { isNamed, labelPlaces } from '@figures/circuit/wires';
import { svgModel } from '@main/export/model/svg';
import { emptyDocument } from '@renderer/document/factory';
import { useCircuitStore } from '@renderer/graph/circuit/circuit-store';
import { nameAsNode, wiresFit } from '@renderer/graph/editing/circuit-edits';
import { useDocumentStore } from '@renderer/stores/document';
import { openCamFollower } from '../setup';

const model = (): ModelDocument => useDocumentStore().model;
const drawn = (id: string) => useCircuitStore().wires.find((wire) => wire.id === id)!;

it('are joined by naming one as the other, keep their lines, and part again by undo', async () => {
  await openCamFollower();
  useDocumentStore().load(
    {
      ...emptyDocument(catalogue(), 3, 'new'),
      components: [
        { id: 'V1', type: 'VoltageSource', voltage: 10 },
        { id: 'R1', type: 'Resistor', resistance: 1 },
        { id: 'C1', type: 'Capacitor', capacitance: 1 },
        { id: 'R2', type: 'Resistor', resistance: 1 },
        { id: 'G1', type: 'Gain', gain: 1 },
        { id: 'G2', type: 'Gain', gain: 1 },
      ],
      wires: [
        { id: 'supply', ends: ['V1.p', 'R1.a'] },
        { id: 'n2', ends: ['C1.a', 'R2.a'] },
        { id: 'signal', ends: ['G1.y', 'G2.u'] },
      ],
      layout: {
        nodes: {
          ...{ V1: { x: 0, y: 0, turns: 1 }, R1: { x: 200, y: 0, turns: 1 } },
          ...{ C1: { x: 600, y: 0, turns: 1 }, R2: { x: 800, y: 0, turns: 1 } },
          ...{ G1: { x: 0, y: 300 }, G2: { x: 200, y: 300 } },
        },
      },
    },
    null,
  );
  const before = structuredClone(model());
  expect(wiresFit('n2', 'signal')).toBe(false);
  const lines = [...drawn('supply').lines, ...drawn('n2').lines];
  nameAsNode('n2', 'supply');
  expect(model().wires).toEqual([
    { id: 'supply', ends: ['V1.p', 'R1.a', 'C1.a', 'R2.a'] },
    { id: 'signal', ends: ['G1.y', 'G2.u'] },
  ]);
  // No line leads from one part to the other.
  expect(drawn('supply').lines).toEqual(lines);
  const places = labelPlaces(drawn('supply'));
  expect(places.map(({ x }) => x > 400)).toEqual([false, true]);
  const document = model();
  const { text } = svgModel.write({
    document,
    expanded: document,
    expand: false,
    report: reportDocument(document),
  });
  expect(text.split('>supply</text>')).toHaveLength(3);
  useDocumentStore().undo();
  expect(model()).toEqual(before);

  // The given name stays, whichever is typed; an automatic one is written where it tells two parts.
  nameAsNode('supply', 'n2');
  expect(model().wires?.map(({ id }) => id)).toEqual(['supply', 'signal']);
  expect(isNamed({ ...drawn('supply'), id: 'n7' })).toBe(true);
  expect(isNamed({ ...drawn('signal'), id: 'n7' })).toBe(false);
});
