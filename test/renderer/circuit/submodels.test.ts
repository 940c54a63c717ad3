/** Components of one’s own in the window: made of what is drawn, taken apart, edited inside. */
import { readDocument } from '@engine/document/read';
import type { ModelDocument, SubmodelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { submodelOf } from '@figures/circuit/own-components';
import {
  addComponent,
  renameInDrawing,
  setComponentFields,
  wirePins,
} from '@renderer/graph/editing/circuit-edits';
import { copyChosen } from '@renderer/graph/editing/copying';
import { pasteInto, readFragment } from '@renderer/graph/editing/clipboard';
import { deleteElements } from '@renderer/graph/editing/edits';
import {
  duplicateOfChosen,
  makeOfChosen,
  renameOwnPort,
  setArray,
  setInstanceValue,
  unlinkChosen,
} from '@renderer/graph/editing/submodel-edits';
import { useCircuitStore } from '@renderer/graph/circuit/circuit-store';
import { rectanglesOverlap } from '@renderer/graph/frames/rectangles';
import { useGraphStore } from '@renderer/graph/graph-store';
import { useDocumentStore } from '@renderer/stores/document';
import { useDrawingStore } from '@renderer/stores/drawing';
import { run } from '../../engine/support/run';
import { camFollower } from '../fake/cam-follower';
import { openCamFollower } from '../setup';

/** A half bridge with an inductive load. */
const bridge = (): ModelDocument => ({
  ...camFollower(),
  parameters: [{ name: 'T', value: 1e-3 }],
  systems: [],
  interactions: [],
  observables: [{ name: 'twice', expression: '2*Q1.i + mid.v' }],
  scripts: [],
  views: [
    { id: 'currents', type: 'time-series', signals: ['L1.i', 'Q1.i', 'mid.v'] },
  ] as ModelDocument['views'],
  layout: { nodes: {} },
  components: [
    { id: 'V1', type: 'VoltageSource', voltage: 100 },
    { id: 'Q1', type: 'Mosfet', gate: 't mod T < T/2', onResistance: 1e-3 },
    { id: 'Q2', type: 'Mosfet', gate: '-(t mod T < T/2)', onResistance: 1e-3 },
    { id: 'R1', type: 'Resistor', resistance: 2 },
    { id: 'L1', type: 'Inductor', inductance: 1e-3 },
    { id: 'GND1', type: 'Ground' },
  ],
  wires: [
    { id: 'n1', ends: ['V1.p', 'Q1.d'] },
    { id: 'mid', ends: ['Q1.s', 'Q2.d', 'R1.a'] },
    { id: 'n2', ends: ['R1.b', 'L1.a'] },
    { id: 'n3', ends: ['V1.n', 'Q2.s', 'L1.b', 'GND1.p'] },
  ],
  simulation: {
    scheme: 'time-stepping',
    t0: 0,
    tEnd: 0.01,
    h: 1e-5,
    integrators: [{ type: 'EulerMoreau', theta: 1, thetaR: 1 }],
    problem: { type: 'auto' },
    solver: { type: 'auto' },
  } as unknown as ModelDocument['simulation'],
});

const documents = () => useDocumentStore();
const model = () => documents().model;
const drawing = () => useDrawingStore();
const choose = (...ids: string[]): void => useGraphStore().choose(ids);
const leg = () => model().submodels?.[0];

beforeAll(async () => {
  await openCamFollower();
});
beforeEach(() => {
  const first = documents().session;
  documents().load(bridge(), null);
  documents().close(first, bridge);
});

/** The file that this would be saved as opens without issues of its structure. */
function expectSound(): void {
  const { issues } = readDocument(writeDocument(model()));
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
}

/** Nothing is drawn over something else. */
function expectApart(): void {
  const boxes = [...useCircuitStore().components.values()].map(({ box }) => box);
  for (const [k, box] of boxes.entries())
    for (const other of boxes.slice(k + 1)) expect(rectanglesOverlap(box, other)).toBe(false);
}

function expectSame(a: ModelDocument, b: ModelDocument, names: readonly (readonly [string, string])[]): void {
  const [x, y] = [run(a), run(b)];
  for (const [one, other] of names) {
    const [u, v] = [x.column(one), y.column(other)];
    const size = v.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(size).toBeGreaterThan(0.1);
    expect(Math.max(...u.map((value, k) => Math.abs(value - (v[k] ?? NaN)))) / size, one).toBeLessThan(1e-12);
  }
}

describe('a component made of the selection', () => {
  it('stands in its place with its wires, and moves as before', () => {
    const before = structuredClone(model());
    choose('Q1', 'Q2');
    makeOfChosen();
    expect(model().instances).toEqual([{ id: 'part1', of: 'Part1' }]);
    expect(leg()?.ports.map(({ name, wire }) => [name, wire])).toEqual([
      ['d', 'n1'],
      ['mid', 'mid'],
      ['gnd', 'n3'],
    ]);
    expect(model().wires?.find(({ id }) => id === 'mid')?.ends).toEqual(['R1.a', 'part1.mid']);
    expectSound();
    expectSame(model(), before, [
      ['L1.i', 'L1.i'],
      ['part1.Q1.i', 'Q1.i'],
      ['twice', 'twice'],
    ]);
    expect(model().views[0]).toMatchObject({ signals: ['L1.i', 'part1.Q1.i', 'mid.v'] });
    expect(model().observables[0]?.expression).toBe('2*part1.Q1.i + mid.v');
  });

  it('is taken apart to what it was made of', () => {
    const before = structuredClone(model());
    choose('Q1', 'Q2', 'R1');
    makeOfChosen();
    choose('part1');
    unlinkChosen();
    expectApart();
    expect(model().instances).toBeUndefined();
    expect(model().components?.map(({ id }) => id)).toEqual([
      'V1',
      'L1',
      'GND1',
      'part1_Q1',
      'part1_Q2',
      'part1_R1',
    ]);
    expectSound();
    expectSame(model(), before, [
      ['L1.i', 'L1.i'],
      ['part1_Q2.i', 'Q2.i'],
      ['part1_mid.v', 'mid.v'],
    ]);
  });

  it('within another hands on what it needs of that', () => {
    const before = structuredClone(model());
    choose('Q1', 'Q2', 'R1', 'L1');
    makeOfChosen();
    documents().edit('p', (draft) => {
      const own = draft.submodels?.[0];
      own?.parameters.push({ name: 'Ron', value: 1e-3 });
      if (own?.components[0] !== undefined) own.components[0]['onResistance'] = 'Ron';
    });
    expect(drawing().enter('part1')).toBe(true);
    choose('Q1', 'Q2');
    makeOfChosen();
    expect(model().submodels?.[1]?.parameters).toEqual([{ name: 'Ron', value: 1e-3 }]);
    expect(leg()?.instances).toEqual([{ id: 'part1', of: 'Part2', values: { Ron: 'Ron' } }]);
    expectSound();
    expectSame(model(), before, [
      ['part1.L1.i', 'L1.i'],
      ['part1.part1.Q1.i', 'Q1.i'],
    ]);
    expect(model().views[0]).toMatchObject({
      signals: ['part1.L1.i', 'part1.part1.Q1.i', 'part1.mid.v'],
    });
  });
});

describe('inside of a component of one’s own', () => {
  beforeEach(() => {
    choose('Q1', 'Q2');
    makeOfChosen();
    drawing().enter('part1');
  });

  it('what is drawn is its definition, with its ports', () => {
    expect([...useCircuitStore().components.keys()]).toEqual(['Q1', 'Q2', 'port:d', 'port:mid', 'port:gnd']);
    expect(useCircuitStore().wires.map(({ id }) => id)).toEqual(['n1', 'mid', 'n3']);
    const before = model().components;
    setComponentFields(0, { onResistance: 5 });
    expect(leg()?.components[0]?.['onResistance']).toBe(5);
    expect(model().components).toBe(before);
  });

  it('components, wires and ports are added and removed', () => {
    addComponent('Resistor', { x: 3000, y: 0 });
    wirePins('Q1.d', 'R1.a');
    addComponent(':port:', { x: 3400, y: 0 });
    wirePins('R1.b', 'port:p1.a');
    expect(leg()?.ports.at(-1)).toEqual({ name: 'p1', wire: 'n2' });
    expect(leg()?.wires.find(({ id }) => id === 'n2')?.ends).toEqual(['R1.b']);
    expectSound();
    deleteElements(['port:mid']);
    expect(leg()?.ports.map(({ name }) => name)).toEqual(['d', 'gnd', 'p1']);
    // Nothing leads to a pin that is not there any more.
    expect(model().wires?.find(({ id }) => id === 'mid')?.ends).toEqual(['R1.a']);
    expectSound();
  });

  it('a new name is one in all instances', () => {
    renameInDrawing('Q1', 'upper');
    expect(model().views[0]).toMatchObject({ signals: ['L1.i', 'part1.upper.i', 'mid.v'] });
    renameOwnPort('Part1', 'mid', 'out');
    expect(model().wires?.find(({ id }) => id === 'mid')?.ends).toEqual(['R1.a', 'part1.out']);
    expectSound();
  });

  it('undo goes where the change was', () => {
    setComponentFields(0, { onResistance: 5 });
    drawing().leave();
    expect(drawing().submodel).toBeNull();
    documents().undo();
    expect(drawing().way.map(({ instance }) => instance)).toEqual(['part1']);
    documents().undo();
    expect(drawing().submodel).toBeNull();
    expect(model().submodels).toBeUndefined();
    documents().redo();
    documents().redo();
    expect(drawing().way.map(({ instance }) => instance)).toEqual(['part1']);
  });

  it('does not take itself', () => {
    expect(useCircuitStore().placeable.map(({ type }) => submodelOf(type))).toEqual([null]);
    drawing().leave();
    expect(useCircuitStore().placeable.map(({ type }) => submodelOf(type))).toEqual(['Part1']);
  });
});

describe('an instance', () => {
  beforeEach(() => {
    choose('Q1', 'Q2');
    makeOfChosen();
    documents().edit('p', (draft) => {
      const own = draft.submodels?.[0];
      own?.parameters.push({ name: 'Ron', value: 1e-3 });
      for (const one of own?.components ?? []) one['onResistance'] = '2*Ron';
    });
  });

  it('has values of its own, which it takes along when it is taken apart', () => {
    setInstanceValue('part1', 'Ron', 0.25);
    expect(model().instances).toEqual([{ id: 'part1', of: 'Part1', values: { Ron: 0.25 } }]);
    const before = structuredClone(model());
    choose('part1');
    unlinkChosen();
    expect(model().components?.at(-1)?.['onResistance']).toBe('2*(0.25)');
    expectSame(model(), before, [['L1.i', 'L1.i']]);
  });

  it('becomes an array, with pins of its first and last members', () => {
    documents().edit('p', (draft) => {
      const one = draft.submodels?.[0];
      if (one !== undefined) one.ports[0] = { name: 'd', wire: 'n1' };
    });
    addComponent(':Part1', { x: 600, y: 0 });
    setArray('part2', 3, [{ from: 'gnd', to: 'd' }]);
    const pins = () =>
      useCircuitStore()
        .components.get('part2')
        ?.definition?.pins?.map(({ name }) => name);
    expect(pins()).toEqual(['d(0)', 'mid(0)', 'mid(2)', 'gnd(2)']);
    wirePins('part2.d(0)', 'R1.a');
    expect(model().wires?.find(({ id }) => id === 'mid')?.ends).toContain('part2[0].d');
    wirePins('part2.gnd(2)', 'V1.n');
    setInstanceValue('part2', 'Ron', '0.001*(1 + index)');
    expect(model().instances?.[1]).toEqual({
      id: 'part2',
      of: 'Part1',
      count: 3,
      chain: { from: 'gnd', to: 'd' },
      values: { Ron: '0.001*(1 + index)' },
    });
    expectSound();
    choose('part2', 'R1');
    makeOfChosen();
    expect(model().submodels?.[1]?.instances?.[0]).toMatchObject({
      count: 3,
      chain: { from: 'gnd', to: 'd' },
    });
    expect(model().submodels?.[1]?.wires.flatMap(({ ends }) => ends)).toContain('part2[2].gnd');
    expectSound();
    expect(run(model()).column('part3.part2[2].Q1.i').length).toBeGreaterThan(10);
    renameOwnPort('Part1', 'gnd', 'zero');
    expect(model().submodels?.[1]?.instances?.[0]?.chain).toEqual({ from: 'zero', to: 'd' });
    expectSound();
  });

  it('an array goes on to be followed by what names its members', () => {
    addComponent(':Part1', { x: 600, y: 0 });
    setArray('part2', 3);
    documents().edit('p', (draft) => {
      draft.views[0] = { ...draft.views[0], signals: ['part2[1].Q1.i', 'part2[2].mid.v'] } as never;
      draft.observables = [{ name: 'sum', expression: 'part2[0].Q1.i + v(part2[1].mid)' }];
    });
    renameInDrawing('part2', 'legs');
    drawing().enter('legs');
    renameInDrawing('Q1', 'upper');
    expect(model().views[0]).toMatchObject({ signals: ['legs[1].upper.i', 'legs[2].mid.v'] });
    expect(model().observables[0]?.expression).toBe('legs[0].upper.i + v(legs[1].mid)');
    choose('upper', 'Q2');
    makeOfChosen();
    expect(model().views[0]).toMatchObject({ signals: ['legs[1].part1.upper.i', 'legs[2].mid.v'] });
    expect(model().observables[0]?.expression).toBe('legs[0].part1.upper.i + v(legs[1].mid)');
    choose('part1');
    unlinkChosen();
    expect(model().views[0]).toMatchObject({ signals: ['legs[1].part1_upper.i', 'legs[2].mid.v'] });
    expectSound();
  });

  it('an array is taken apart to its members, which move as before', () => {
    documents().edit('p', (draft) => {
      draft.instances = [
        {
          id: 'part1',
          of: 'Part1',
          count: 4,
          chain: [
            { from: 'gnd', to: 'd' },
            { from: 'mid', to: 'mid' },
          ],
          values: { Ron: '1e-3*(1 + index)' },
        },
      ];
      draft.wires = (draft.wires ?? []).map(({ id, ends }) => ({
        id,
        ends: ends.map((end) =>
          end.replace(/part1\.(d|mid)/, 'part1[0].$1').replace('part1.gnd', 'part1[3].gnd'),
        ),
      }));
      draft.views[0] = { ...draft.views[0], signals: ['part1[2].Q1.i'] } as never;
      draft.observables = [{ name: 'twice', expression: '2*part1[3].Q1.i + v(part1[1].mid)' }];
    });
    expectSound();
    const before = structuredClone(model());
    choose('part1');
    unlinkChosen();
    expect(model().instances?.map(({ id, of, values }) => [id, of, values?.['Ron']])).toEqual(
      [0, 1, 2, 3].map((k) => [`part1_${k}`, 'Part1', `1e-3*(1 + (${k}))`]),
    );
    expect(model().views[0]).toMatchObject({ signals: ['part1_2.Q1.i'] });
    expectApart();
    expect(model().observables[0]?.expression).toBe('2*part1_3.Q1.i + v(part1_1.mid)');
    expectSound();
    expectSame(model(), before, [
      ['L1.i', 'L1.i'],
      ['part1_3.Q2.i', 'part1[3].Q2.i'],
      ['twice', 'twice'],
    ]);
    documents().undo();
    expect(model()).toEqual(before);
  });

  it('brings its definition with it into another document', () => {
    addComponent(':Part1', { x: 600, y: 0 });
    setArray('part2', 3, [{ from: 'gnd', to: 'd' }]);
    documents().edit('p', (draft) => {
      draft.tables = [{ id: 'drive', t: [0, 1], y: [1, 2] }];
      const own = draft.submodels?.[0];
      if (own?.components[1] !== undefined) own.components[1]['gate'] = 'table(drive, t) > T';
    });
    choose('part1', 'part2');
    const copied = JSON.stringify(copyChosen());
    const { submodels = [] } = model();
    const first = documents().session;
    documents().load({ ...bridge(), parameters: [] }, null);
    documents().close(first, bridge);
    const into = (): string[] => {
      const fragment = readFragment(copied);
      let brought: readonly string[] = [];
      drawing().edit('paste', (draft) => {
        if (fragment !== null) ({ brought } = pasteInto(draft, fragment, null));
      });
      return [...brought];
    };
    expect(into()).toEqual(['Part1', 'drive', 'T']);
    expect(model().submodels).toEqual(submodels);
    expect(model().instances).toEqual([
      { id: 'part1', of: 'Part1' },
      { id: 'part2', of: 'Part1', count: 3, chain: { from: 'gnd', to: 'd' } },
    ]);
    expect(model().tables?.map(({ id }) => id)).toEqual(['drive']);
    expectSound();
    // The same again needs nothing; what has changed here is another definition.
    expect(into()).toEqual([]);
    expect(
      model()
        .instances?.map(({ id, of }) => `${id} ${of}`)
        .slice(2),
    ).toEqual(['part3 Part1', 'part4 Part1']);
    documents().edit('p', (draft) => {
      if (draft.submodels?.[0] !== undefined) draft.submodels[0].title = 'Mine';
    });
    const before = writeDocument(model());
    expect(into()).toEqual(['Part2']);
    expect(model().instances?.map(({ of }) => of)).toEqual([
      'Part1',
      'Part1',
      'Part1',
      'Part1',
      'Part2',
      'Part2',
    ]);
    expect(model().instances?.at(-1)).toMatchObject({ count: 3, chain: { from: 'gnd', to: 'd' } });
    expectSound();
    documents().undo();
    expect(writeDocument(model())).toBe(before);
    // Inside of another one the definitions stand in the document as well.
    drawing().enter('part1');
    drawing().edit('paste', (draft) => {
      const [half] = submodels;
      if (half === undefined) return;
      const other: SubmodelDocument = { ...half, id: 'Other' };
      const component = { id: 'x', type: ':Other' };
      const rest = {
        format: 'moreau-graph' as const,
        systems: [],
        interactions: [],
        parameters: [],
        scripts: [],
      };
      pasteInto(draft, { ...rest, components: [component], nodes: {}, submodels: [other] }, null);
    });
    expect(model().submodels?.map(({ id }) => id)).toEqual(['Part1', 'Other']);
    expect(leg()?.instances).toEqual([{ id: 'x', of: 'Other' }]);
    expectSound();
  });

  it('of what is copied within another brings both, renamed together', () => {
    documents().edit('p', (draft) => {
      draft.submodels?.push({
        id: 'Outer',
        ports: [],
        parameters: [],
        components: [],
        instances: [{ id: 'in', of: 'Part1' }],
        wires: [],
      });
    });
    addComponent(':Outer', { x: 600, y: 0 });
    choose('outer1');
    const fragment = readFragment(JSON.stringify(copyChosen()));
    documents().edit('p', (draft) => {
      if (draft.submodels?.[0] !== undefined) draft.submodels[0].title = 'Mine';
    });
    if (fragment !== null) drawing().edit('paste', (draft) => void pasteInto(draft, fragment, null));
    expect(model().submodels?.map(({ id, instances = [] }) => [id, instances[0]?.of])).toEqual([
      ['Part1', undefined],
      ['Outer', 'Part1'],
      ['Part2', undefined],
      ['Outer1', 'Part2'],
    ]);
    expectSound();
  });

  it('is placed as components are, and may get a definition of its own', () => {
    addComponent(':Part1', { x: 600, y: 0 });
    expect(model().instances?.map(({ id, of }) => [id, of])).toEqual([
      ['part1', 'Part1'],
      ['part2', 'Part1'],
    ]);
    choose('part2');
    duplicateOfChosen();
    expect(model().instances?.map(({ of }) => of)).toEqual(['Part1', 'Part2']);
    expect(model().submodels?.map(({ id }) => id)).toEqual(['Part1', 'Part2']);
    expectSound();
  });
});
