/**
 * Groups and notes of the graph: made, moved, collapsed, copied and taken away, each in one undoable step.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeLabel } from '@renderer/graph/canvas/flow';
import { copyChosen, duplicateChosen } from '@renderer/graph/editing/copying';
import { readFragment } from '@renderer/graph/editing/clipboard';
import { deleteChosen } from '@renderer/graph/editing/deletion';
import { moveNodes } from '@renderer/graph/editing/edits';
import {
  addNote,
  groupChosen,
  leaveChosen,
  recolourChosen,
  renameGroup,
  toggleCollapsed,
  ungroupChosen,
  writeNote,
} from '@renderer/graph/frames/frame-edits';
import { groupBox } from '@renderer/graph/frames/frames';
import { useGraphStore } from '@renderer/graph/graph-store';
import { useNodePlaces } from '@renderer/graph/arrangement/node-places';
import { arrange } from '@renderer/graph/arrangement/arrange-impl';
import { layeredLayout, NODE_SIZE } from '@renderer/graph/arrangement/layout';
import { boundsOf, rectanglesOverlap } from '@renderer/graph/frames/rectangles';
import { buildScene, drawnElements, type GraphScene, shownNode } from '@renderer/graph/canvas/scene';
import { findText, replaceMatches } from '@renderer/document/find-text';
import { usePlacesStore } from '@renderer/stores/places';
import { removeNode, renameNode } from '@renderer/tree/edits';
import { modelTree, type TreeNode } from '@renderer/tree/nodes';
import { renameElement } from '@renderer/document/rename';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { openCamFollower } from '../setup';

const layout = () => useDocumentStore().model.layout;

function scene(): GraphScene {
  const { report } = useReportStore();
  const { model } = useDocumentStore();
  return buildScene(drawnElements(model, report), report, useNodePlaces().positions, model.layout);
}

function group(...ids: string[]): void {
  useGraphStore().choose(ids);
  groupChosen();
}

beforeEach(async () => {
  await openCamFollower();
});

describe('a group', () => {
  it('is made of what is chosen, named in place, chosen, and gone again by one undo', () => {
    group('follower', 'cam');
    expect(layout().groups).toEqual([{ id: 'group', name: 'Group', members: ['follower', 'cam'] }]);
    const graph = useGraphStore();
    expect([graph.editing, ...graph.chosen]).toEqual(['group:group', 'group:group']);
    renameGroup('group', 'Valve train');
    recolourChosen('green');
    expect(layout().groups?.[0]).toMatchObject({ name: 'Valve train', colour: 'green' });
    const documents = useDocumentStore();
    for (let i = 0; i < 3; i++) documents.undo();
    expect(layout().groups).toBeUndefined();
    expect(documents.dirty).toBe(false);
  });

  it('stands around its members, takes them along, and is read aloud', () => {
    group('follower', 'cam');
    const before = scene();
    const frame = before.byId.get('group:group')!;
    const was = { ...useNodePlaces().positions };
    expect(frame.kind).toBe('frame');
    for (const id of ['follower', 'cam']) expect(rectanglesOverlap(frame, before.byId.get(id)!)).toBe(true);
    moveNodes({ 'group:group': { x: frame.x + 40, y: frame.y - 16 } });
    for (const id of ['follower', 'cam'])
      expect(layout().nodes[id]).toEqual({ x: was[id].x + 40, y: was[id].y - 16 });
    useDocumentStore().undo();
    expect(useNodePlaces().positions).toEqual(was);
    const data = { kind: 'group', frame: { group: layout().groups?.[0] } } as Parameters<typeof nodeLabel>[1];
    expect(nodeLabel('group:group', data)).toBe('group Group, 2 members, collapsed');
  });

  it('has a frame that stays around a member while that is dragged', () => {
    group('follower', 'cam');
    const one = layout().groups![0];
    const { positions } = useNodePlaces();
    const drag = { dragged: new Set(['cam']), by: { x: 300, y: -200 } };
    const during = groupBox(one, positions, new Map(), drag)!;
    moveNodes({ cam: { x: positions['cam'].x + 300, y: positions['cam'].y - 200 } });
    expect(during).toEqual(groupBox(one, useNodePlaces().positions, new Map()));
    expect(during).not.toEqual(groupBox(one, positions, new Map()));
  });

  it('is one card with its outer links while it is collapsed', () => {
    group('cam');
    toggleCollapsed('group');
    const { byId, links } = scene();
    expect(byId.has('cam')).toBe(false);
    expect(byId.get('group:group')?.kind).toBe('group');
    expect(links).toMatchObject([
      { source: 'follower', target: 'group:group', interaction: 'cam', bundled: 1 },
    ]);
    expect(shownNode(scene(), 'cam')?.id).toBe('group:group');
    toggleCollapsed('group');
    expect(layout().groups?.[0]?.collapsed).toBeUndefined();
    expect(scene().byId.has('cam')).toBe(true);
  });

  it('hides the links among its members', () => {
    group('follower', 'cam');
    toggleCollapsed('group');
    expect(scene().links).toEqual([]);
    expect(scene().nodes.map(({ id }) => id)).toEqual(['group:group']);
  });

  it('takes more members in and lets them go; without any it is gone', () => {
    group('cam');
    useGraphStore().choose(['follower', 'group:group']);
    groupChosen();
    expect(layout().groups?.[0]?.members).toEqual(['cam', 'follower']);
    useGraphStore().choose(['cam']);
    leaveChosen();
    expect(layout().groups?.[0]?.members).toEqual(['follower']);
    useGraphStore().choose(['follower']);
    deleteChosen();
    expect(layout().groups).toBeUndefined();
  });

  it('keeps a member that gets another name', () => {
    group('cam');
    useDocumentStore().edit('Rename', (draft) => renameElement(draft, 'cam', 'disc'));
    expect(layout().groups?.[0]?.members).toEqual(['disc']);
  });

  it('goes with its members when it is deleted, and leaves them when it is taken apart', () => {
    group('follower', 'cam');
    ungroupChosen();
    expect([...useGraphStore().chosen]).toEqual(['follower', 'cam']);
    useDocumentStore().undo();
    useGraphStore().choose(['group:group']);
    deleteChosen();
    const { model } = useDocumentStore();
    expect([model.systems, model.interactions, model.layout.groups]).toEqual([[], [], undefined]);
  });

  it('is copied with its members and notes', () => {
    addNote({ x: 5, y: 6 });
    writeNote('note', 'Watch out');
    group('follower', 'cam', 'note:note');
    useGraphStore().choose(['group:group']);
    expect(readFragment(JSON.stringify(copyChosen()))).toMatchObject({ groups: [{ id: 'group' }] });
    duplicateChosen();
    expect(layout().groups?.[1]).toEqual({
      id: 'group2',
      name: 'Group',
      members: ['follower2', 'cam2', 'note2'],
    });
    expect(layout().notes?.[1]).toMatchObject({ id: 'note2', text: 'Watch out', x: 5 });
    expect([...useGraphStore().chosen]).toContain('group:group2');
    const damaged = { ...copyChosen(), groups: [{ id: 'group', name: 'Group', members: 'cam' }] };
    expect(readFragment(JSON.stringify(damaged))).toBeNull();
  });
});

describe('a note', () => {
  it('is placed, written, moved and deleted', () => {
    addNote({ x: 10, y: 20 });
    expect(useGraphStore().editing).toBe('note:note');
    writeNote('note', '# Impact');
    moveNodes({ 'note:note': { x: 30.4, y: 40 } });
    expect(layout().notes).toEqual([{ id: 'note', text: '# Impact', x: 30, y: 40, width: 220, height: 120 }]);
    expect(scene().byId.get('note:note')).toMatchObject({ kind: 'note', x: 30, width: 220 });
    useGraphStore().choose(['note:note']);
    deleteChosen();
    expect(layout().notes).toBeUndefined();
  });
});

describe('the layout', () => {
  const chain = (length: number) => ({
    systems: Array.from({ length }, (_, i) => ({ id: `s${i}` })),
    interactions: Array.from({ length: length - 1 }, (_, i) => ({
      id: `c${i}`,
      systems: [`s${i}`, `s${i + 1}`],
    })),
  });
  const boxOf = (places: Record<string, { x: number; y: number }>, ids: readonly string[]) =>
    boundsOf(ids.map((id) => ({ ...places[id], ...NODE_SIZE })));

  it('keeps the members of a group together, and others out of its frame', () => {
    const members = ['s1', 'c1', 's2', 's7'];
    const elements = { ...chain(10), groups: [{ id: 'g', members, collapsed: false }] };
    for (const places of [layeredLayout(elements), arrange(elements, () => undefined)]) {
      const frame = boxOf(places, members);
      expect(Object.keys(places)).toHaveLength(19);
      for (const id of Object.keys(places).filter((one) => !members.includes(one)))
        expect(rectanglesOverlap(frame, { ...places[id], ...NODE_SIZE })).toBe(false);
    }
  });

  it('of a chain of thousands takes no recursion: each next to what it is linked to, nothing upon another', () => {
    const elements = chain(3000);
    const places = arrange(elements, () => undefined);
    expect(new Set(Object.values(places).map(({ x, y }) => `${x},${y}`)).size).toBe(5999);
    for (const { id, systems } of elements.interactions)
      for (const system of systems)
        expect(Math.abs(places[id].x - places[system].x)).toBeLessThan(2 * NODE_SIZE.width);
  });

  it('of a long ladder has its rungs upright', () => {
    const [a, b] = [0, 1].map((side) =>
      Array.from({ length: 500 }, (_, i) => ({
        id: `r${side}_${i}`,
        systems: [`p${side}_${i}`, `p${side}_${i + 1}`],
      })),
    );
    const systems = [0, 1].flatMap((side) =>
      Array.from({ length: 501 }, (_, i) => ({ id: `p${side}_${i}` })),
    );
    const rungs = Array.from({ length: 501 }, (_, i) => ({ id: `x${i}`, systems: [`p0_${i}`, `p1_${i}`] }));
    const places = layeredLayout({ systems, interactions: [...a, ...b, ...rungs] });
    const boxes = Object.values(places);
    expect(new Set(boxes.map(({ x, y }) => `${x},${y}`)).size).toBe(boxes.length);
    for (let i = 0; i <= 500; i++)
      expect(Math.abs(places[`p0_${i}`].x - places[`p1_${i}`].x)).toBeLessThan(4 * NODE_SIZE.width);
  });

  it('leaves notes where they are, but for those of a group', async () => {
    addNote({ x: 1000, y: 1000 });
    addNote({ x: 2000, y: 0 });
    group('follower', 'note:note');
    moveNodes({ cam: { x: -900, y: 700 }, 'group:group': { x: 5000, y: 5000 } });
    const placesOf = () => ({
      follower: { ...layout().nodes['follower'] },
      notes: layout().notes!.map(({ x, y }) => ({ x, y })),
    });
    const before = placesOf();
    await useNodePlaces().arrangeAll();
    const after = placesOf();
    expect(after.notes[1]).toEqual({ x: 2000, y: 0 });
    expect(after.follower).not.toEqual(before.follower);
    expect(after.notes[0].x - after.follower.x).toBe(before.notes[0].x - before.follower.x);
  });
});

describe('in the tree and in searches', () => {
  const rows = (): TreeNode[] => {
    const roots = modelTree({
      document: useDocumentStore().model,
      report: useReportStore().report,
      title: (_group, type) => type,
    });
    return roots.flatMap((node) => [
      node,
      ...node.children().flatMap((child) => [child, ...child.children()]),
    ]);
  };
  const row = (key: string): TreeNode => {
    const found = rows().find((node) => node.key === key);
    if (found === undefined) throw new Error(`no row ${key}`);
    return found;
  };

  it('groups and notes are shown, renamed, opened and taken away', () => {
    addNote({ x: 0, y: 0 });
    writeNote('note', '## Worn *profile*');
    group('cam', 'follower');
    expect(row('note:note').label).toBe('Worn *profile*');
    renameNode(row('group:group'), 'Train');
    expect(row('group:group').label).toBe('Train');
    usePlacesStore().show(row('note:note').pointer ?? '');
    expect([...useGraphStore().chosen]).toEqual(['note:note']);
    removeNode(row('member:group:cam'), row('group:group'));
    expect(layout().groups?.[0]?.members).toEqual(['follower']);
    removeNode(row('group:group'), undefined);
    removeNode(row('note:note'), undefined);
    expect([useDocumentStore().model.systems, layout().groups, layout().notes]).toEqual([
      [],
      undefined,
      undefined,
    ]);
    expect(rows().map(({ key }) => key)).not.toContain('section:groups');
  });

  it('their words are found and replaced', () => {
    addNote({ x: 0, y: 0 });
    writeNote('note', 'Cam and cam');
    group('cam');
    renameGroup('group', 'The cam');
    const documents = useDocumentStore();
    const found = findText(documents.model, null, 'cam', { matchCase: true }, 100);
    const mine = found.filter(({ pointer }) => pointer.startsWith('/layout'));
    expect(mine.map(({ pointer }) => pointer)).toEqual(['/layout/groups/0/name', '/layout/notes/0/text']);
    documents.edit('Replace', (draft) => void replaceMatches(draft, null, mine, 'disc'));
    expect([layout().groups?.[0]?.name, layout().notes?.[0]?.text]).toEqual(['The disc', 'Cam and disc']);
  });
});
