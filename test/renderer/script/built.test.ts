/** What builder scripts add: the line it comes from, and how it becomes the document's own. */
import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { nudge } from '@renderer/graph/arrangement/arrangement';
import { useCircuitStore } from '@renderer/graph/circuit/circuit-store';
import { mirrorChosen, turnChosen } from '@renderer/graph/editing/circuit-edits';
import { deleteChosen } from '@renderer/graph/editing/deletion';
import { makeOfChosen, unlinkChosen } from '@renderer/graph/editing/submodel-edits';
import { rectanglesOverlap } from '@renderer/graph/frames/rectangles';
import { useGraphStore } from '@renderer/graph/graph-store';
import { isSwitchedOff } from '@renderer/script/built';
import { goToOrigin, makeEditable, scriptOriginOf } from '@renderer/script/make-editable';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { useReportStore } from '@renderer/stores/report';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from '../setup';

const bead = (id: string): { id: string; type: string } => ({ id, type: 'LagrangianLinearTI' });
const at = (name: string, line: number): { name: string; line: number; column: number } => ({
  name,
  line,
  column: 11,
});

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().edit('add', (draft) => {
    for (const name of ['one.ts', 'two.ts'])
      draft.scripts.push({ name, role: 'builder', source: ['export default () => {};'] });
  });
  const report = useReportStore();
  await report.refresh();
  report.report = {
    ...report.report,
    built: {
      systems: [bead('a'), bead('b'), bead('c')],
      interactions: [],
      origins: { systems: [at('one.ts', 4), at('two.ts', 9), null], interactions: [] },
    },
  };
});

async function answer(script: string, value: string): Promise<void> {
  const done = makeEditable(script);
  await flushPromises();
  useDialogsStore().question?.answer(value);
  await done;
}

describe('what a builder adds', () => {
  it('leads to the line that adds it', () => {
    const workspace = useWorkspaceStore();
    goToOrigin('b');
    expect(workspace.scriptPlace).toMatchObject({ name: 'two.ts', line: 9, column: 11 });
    expect(scriptOriginOf('c')).toEqual({ name: 'one.ts', line: 1, column: 1 });
    expect(scriptOriginOf('follower')).toBeNull();
  });

  it('becomes the document’s own in one step, without the script that would build it again', async () => {
    const documents = useDocumentStore();
    const before = documents.model;
    await answer('one.ts', 'cancel');
    expect(documents.model).toBe(before);
    await answer('one.ts', 'keep');
    expect(documents.model.systems.map(({ id }) => id)).toEqual(['follower', 'a', 'c']);
    expect(documents.model.layout.nodes).toHaveProperty('a');
    const [, one, two] = documents.model.scripts;
    expect([one?.role, two?.role]).toEqual(['functions', 'builder']);
    expect(one !== undefined && isSwitchedOff(one)).toBe(true);
    documents.undo();
    expect(documents.model).toEqual(before);
  });

  it('may lose its script; one that builds nothing is said so', async () => {
    const documents = useDocumentStore();
    const report = useReportStore();
    const known = report.report;
    await answer('two.ts', 'remove');
    expect(documents.model.systems.map(({ id }) => id)).toEqual(['follower', 'b']);
    expect(documents.model.scripts.map(({ name }) => name)).toEqual(['cam.ts', 'one.ts']);
    await report.refresh();
    report.report = { ...known, built: { systems: [], interactions: [] } };
    await makeEditable('one.ts');
    expect(useNoticesStore().notices.at(-1)?.message).toBe('one.ts builds nothing.');
  });
});

describe('what a builder draws', () => {
  const drawings = [
    {
      script: 'one.ts',
      components: [{ id: 'R1', type: 'Resistor', resistance: 5 }],
      instances: [{ id: 'cell', of: 'Cell' }],
      wires: [
        { id: 'n1', ends: ['R1.a', 'cell.b'] },
        { id: 'out', ends: ['R1.b'] },
      ],
    },
  ];

  beforeEach(async () => {
    useDocumentStore().edit('draw', (draft) => {
      draft.components = [
        { id: 'C1', type: 'Capacitor', capacitance: 1 },
        { id: 'GND1', type: 'Ground' },
      ];
      draft.wires = [{ id: 'out', ends: ['C1.a', 'GND1.p'] }];
      draft.submodels = [
        { id: 'Cell', ports: [{ name: 'b', wire: 'w' }], parameters: [], components: [], wires: [] },
      ];
    });
    const report = useReportStore();
    await report.refresh();
    report.report = { ...report.report, built: { systems: [], interactions: [], drawings } };
  });

  it('stands on the canvas with its wires, beside what is the document’s own', () => {
    const circuit = useCircuitStore();
    expect([...circuit.components.keys()]).toEqual(['C1', 'GND1']);
    expect([...circuit.built.keys()]).toEqual(['R1', 'cell']);
    expect(circuit.built.get('cell')?.definition?.pins?.map(({ name }) => name)).toEqual(['b']);
    expect(circuit.wires.map(({ id }) => id)).toEqual(['out']);
    // That which goes on a wire of the document begins at it.
    const lines = circuit.builtWires.map(({ id, branches }) => [id, branches.length > 0] as const);
    expect(lines).toEqual([
      ['n1', true],
      ['out', true],
    ]);
    const boxes = [...circuit.components.values(), ...circuit.built.values()].map(({ box }) => box);
    for (const [k, box] of boxes.entries())
      for (const other of boxes.slice(k + 1)) expect(rectanglesOverlap(box, other)).toBe(false);
    expect(scriptOriginOf('R1')).toEqual({ name: 'one.ts', line: 1, column: 1 });
  });

  it('is not changed by what is done to the drawing', () => {
    const documents = useDocumentStore();
    const { model } = documents;
    useGraphStore().choose(['R1', 'cell']);
    nudge({ x: 1, y: 0 }, false);
    turnChosen();
    mirrorChosen();
    deleteChosen();
    makeOfChosen();
    unlinkChosen();
    expect(documents.model).toBe(model);
  });

  it('becomes the document’s own where it stands', async () => {
    const documents = useDocumentStore();
    const places = [...useCircuitStore().built].map(([id, { place }]) => [id, place] as const);
    await answer('one.ts', 'keep');
    expect(documents.model.components?.map(({ id }) => id)).toEqual(['C1', 'GND1', 'R1']);
    expect(documents.model.instances).toEqual(drawings[0]?.instances);
    expect(documents.model.wires).toEqual([
      { id: 'out', ends: ['C1.a', 'GND1.p', 'R1.b'] },
      { id: 'n1', ends: ['R1.a', 'cell.b'] },
    ]);
    for (const [id, place] of places) expect(documents.model.layout.nodes[id]).toEqual(place);
  });
});
