/** Groups and notes of the graph: made, moved, collapsed, copied and taken away, each in one undoable step. */
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeLabel } from '@renderer/graph/flow';
import { copyChosen, duplicateChosen } from '@renderer/graph/copying';
import { readFragment } from '@renderer/graph/clipboard';
import { deleteChosen } from '@renderer/graph/deletion';
import { moveNodes } from '@renderer/graph/edits';
import {
  addNote,
  groupChosen,
  leaveChosen,
  recolourChosen,
  renameGroup,
  toggleCollapsed,
  ungroupChosen,
  writeNote,
} from '@renderer/graph/frame-edits';
import { useGraphStore } from '@renderer/graph/graph-store';
import { useNodePlaces } from '@renderer/graph/node-places';
import { overlaps } from '@renderer/graph/rectangles';
import { buildScene, drawnElements, type Scene, shownNode } from '@renderer/graph/scene';
import { renameElement } from '@renderer/document/rename';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { openCamFollower } from '../setup';

const layout = () => useDocumentStore().model.layout;

function scene(): Scene {
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
    for (const id of ['follower', 'cam']) expect(overlaps(frame, before.byId.get(id)!)).toBe(true);
    moveNodes({ 'group:group': { x: frame.x + 40, y: frame.y - 16 } });
    for (const id of ['follower', 'cam'])
      expect(layout().nodes[id]).toEqual({ x: was[id].x + 40, y: was[id].y - 16 });
    useDocumentStore().undo();
    expect(useNodePlaces().positions).toEqual(was);
    const data = { kind: 'group', frame: { group: layout().groups?.[0] } } as Parameters<typeof nodeLabel>[1];
    expect(nodeLabel('group:group', data)).toBe('group Group, 2 members, collapsed');
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
