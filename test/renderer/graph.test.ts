import type { ModelDocument } from '@engine/document/types';
import { beforeEach, describe, expect, it } from 'vitest';
import { linkRefusal } from '@renderer/document/links';
import {
  addInteraction,
  addSystem,
  connectElements,
  deleteElements,
  moveNodes,
} from '@renderer/graph/editing/edits';
import { flowElements } from '@renderer/graph/canvas/flow';
import { layeredLayout, NODE_SIZE, nodePositions } from '@renderer/graph/arrangement/layout';
import { addFunction, functionPlace } from '@renderer/script/functions';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { useReportStore } from '@renderer/stores/report';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { camFollower } from './fake/cam-follower';
import { openCamFollower } from './setup';

beforeEach(async () => {
  await openCamFollower();
});

const elements = (): ReturnType<typeof flowElements> =>
  flowElements({
    document: useDocumentStore().model,
    report: useReportStore().report,
    catalogue: useCatalogueStore().catalogue,
  });

describe('graph of the document', () => {
  it('has a node for each element, an edge for each link, and the law with its value', () => {
    const { nodes, edges } = elements();
    expect(nodes.map((node) => node.id)).toEqual(['follower', 'cam']);
    expect(edges.map((edge) => [edge.source, edge.target])).toEqual([['follower', 'cam']]);
    expect(nodes[1]?.data?.title).toBe('Newton impact');
    expect(nodes[1]?.data?.symbols).toEqual([{ latex: 'e', value: '0.8' }]);
  });

  it('says of a joint between bodies which one it is, by name and sign', () => {
    const body = (id: string): object => ({
      id,
      type: 'PlanarBody',
      mass: 1,
      inertia: 1,
      q0: [0, 0, 0],
      v0: [0, 0, 0],
    });
    const between = (id: string, relation: string, law: string): object => ({
      id,
      systems: ['a', 'b'],
      relation: { type: relation },
      law: { type: law, ...(law === 'Equality' ? {} : { mu: 0.3, e: 0.5 }) },
    });
    const document = {
      ...camFollower(),
      systems: [body('a'), body('b')],
      interactions: [
        between('pin', 'Revolute', 'Equality'),
        between('motor', 'Driver', 'Equality'),
        between('foot', 'PointOnPlane', 'NewtonImpactFriction'),
      ],
    } as ModelDocument;
    const { nodes } = flowElements({
      document,
      report: useReportStore().report,
      catalogue: useCatalogueStore().catalogue,
    });
    expect(nodes.map(({ data }) => [data?.glyph, data?.title])).toEqual([
      ['body', 'Rigid body in the plane'],
      ['body', 'Rigid body in the plane'],
      ['pin', 'Revolute joint'],
      ['motor', 'Driver'],
      ['friction', 'Point or disc on a plane'],
    ]);
    // The figures of the law come before the size of y, for which there may be no room.
    expect(nodes[4]?.data?.symbols[0]?.latex).toBe('\\mu');
  });

  it('leads edges to the sides that face each other', () => {
    const sides = (x: number, y: number): unknown[] => {
      const document = camFollower();
      document.layout.nodes = { follower: { x: 0, y: 0 }, cam: { x, y } };
      const { edges } = flowElements({ document, report: useReportStore().report, catalogue: null });
      return [edges[0]?.sourceHandle, edges[0]?.targetHandle];
    };
    expect(sides(300, 10)).toEqual(['right', 'left']);
    expect(sides(-300, 10)).toEqual(['left', 'right']);
    expect(sides(0, 200)).toEqual(['bottom', 'top']);
    expect(sides(40, -200)).toEqual(['top', 'bottom']);
  });

  it('draws elements with defects as such', async () => {
    useDocumentStore().edit(
      'unlink',
      (draft) => void ((draft.interactions[0] as { systems: string[] }).systems = []),
    );
    await useReportStore().refresh();
    expect(elements().nodes[1]?.data).toMatchObject({ state: 'error' });
    expect(elements().nodes[0]?.data).toMatchObject({ state: 'good' });
  });

  it('draws very many built elements as one node', () => {
    const document = camFollower();
    document.scripts.push({ name: 'column.ts', role: 'builder', source: [] });
    const built = {
      systems: Array.from({ length: 4000 }, (_, i) => ({ id: `bead-${i}`, type: 'LagrangianLinearTI' })),
      interactions: [],
    };
    const { nodes } = flowElements({
      document,
      report: { ...useReportStore().report, built },
      catalogue: null,
    });
    expect(nodes).toHaveLength(3);
    expect(nodes[2]?.data?.counts).toEqual({ systems: 4000, interactions: 0, script: 'column.ts' });
  });

  it('lays a chain out from left to right', () => {
    const places = layeredLayout({
      systems: [{ id: 'a' }, { id: 'b' }],
      interactions: [{ id: 'ab', systems: ['a', 'b'] }],
    });
    const [a, ab, b] = [places['a']?.x, places['ab']?.x, places['b']?.x] as [number, number, number];
    expect(a).toBeLessThan(ab);
    expect(ab).toBeLessThan(b);
  });

  it('leaves placed nodes where they are', () => {
    const document = camFollower();
    const places = nodePositions(document, { follower: { x: 500, y: 600 } });
    expect(places['follower']).toEqual({ x: 500, y: 600 });
    expect(places['cam']).toBeDefined();
  });
});

describe('changes of the graph', () => {
  it('adds a system with its required fields, selected, undoable', () => {
    const documents = useDocumentStore();
    addSystem('LagrangianLinearTI');
    expect(documents.model.systems[1]).toMatchObject({ id: 'system', ndof: 1, mass: [[1]], q0: [0] });
    expect(useWorkspaceStore().selection).toEqual({ kind: 'element', id: 'system' });
    documents.undo();
    expect(documents.model.systems).toHaveLength(1);
  });

  it('links a second system and gives the gap matrix its columns', () => {
    const documents = useDocumentStore();
    useWorkspaceStore().select({ kind: 'element', id: 'follower' });
    addInteraction('LagrangianLinear');
    expect(documents.model.interactions[1]).toMatchObject({
      id: 'contact',
      systems: ['follower'],
      relation: { H: [[1]] },
    });
    addSystem('LagrangianLinearTI');
    connectElements('system', 'contact');
    expect(documents.model.interactions[1]?.systems).toEqual(['follower', 'system']);
    expect(documents.model.interactions[1]?.relation['H']).toEqual([[1, 0]]);
  });

  it('places an interaction to the right of its system, clear of the other nodes', () => {
    const documents = useDocumentStore();
    const nodes = (): Record<string, { x: number; y: number }> => documents.model.layout.nodes;
    useWorkspaceStore().select({ kind: 'element', id: 'follower' });
    addInteraction('LagrangianLinear');
    const system = nodes()['follower'];
    const cam = nodes()['cam'];
    const added = nodes()['contact'];
    expect(added?.x).toBeGreaterThanOrEqual((system?.x ?? 0) + NODE_SIZE.width);
    expect(added?.x).toBe(cam?.x);
    expect(Math.abs((added?.y ?? 0) - (cam?.y ?? 0))).toBeGreaterThanOrEqual(NODE_SIZE.height);
  });

  it('refuses links that mean nothing, and says why', () => {
    const document = camFollower();
    document.systems.push({ id: 'other', type: 'LagrangianLinearTI' });
    expect(linkRefusal(document, useCatalogueStore().catalogue, 'follower', 'other')).toBe('same-kind');
    expect(linkRefusal(document, useCatalogueStore().catalogue, 'follower', 'cam')).toBe('already-linked');
    expect(linkRefusal(document, useCatalogueStore().catalogue, 'other', 'cam')).toBeNull();
    expect(linkRefusal(document, useCatalogueStore().catalogue, 'bead-1', 'cam')).toBe('built');
    connectElements('follower', 'cam');
    expect(useNoticesStore().notices.at(-1)?.message).toContain('already linked');
    expect(useDocumentStore().dirty).toBe(false);
  });

  it('deletes an element with the links to it', () => {
    const documents = useDocumentStore();
    deleteElements(['follower']);
    expect(documents.model.systems).toHaveLength(0);
    expect(documents.model.interactions[0]?.systems).toEqual([]);
    expect(documents.model.interactions[0]?.relation['jacobian']).toEqual([[]]);
    documents.undo();
    expect(documents.model.interactions[0]?.systems).toEqual(['follower']);
  });

  it('keeps computed places once a node is moved', () => {
    const documents = useDocumentStore();
    const before = nodePositions(documents.model, {});
    moveNodes({ cam: { x: 300.4, y: 77.6 } });
    expect(documents.model.layout.nodes).toEqual({ follower: before['follower'], cam: { x: 300, y: 78 } });
  });
});

describe('script functions', () => {
  it('finds where a function is written', () => {
    expect(functionPlace('gapRate')).toEqual({ script: 'cam.ts', line: 7 });
    expect(functionPlace('nothing')).toBeNull();
  });

  it('adds one from a template under a free name', () => {
    const documents = useDocumentStore();
    expect(addFunction('constraint')).toBe('constraint');
    expect(addFunction('constraint')).toBe('constraint2');
    const place = functionPlace('constraint2');
    expect(documents.model.scripts[0]?.source[(place?.line ?? 0) - 1]).toBe(
      'export const constraint2: Constraint = (t, q, out, p) => {',
    );
    expect(useWorkspaceStore().scriptPlace).toMatchObject({ name: 'cam.ts', line: place?.line });
  });
});

describe('long chains', () => {
  const chain = (length: number): Parameters<typeof layeredLayout>[0] => ({
    systems: Array.from({ length }, (_, i) => ({ id: `s${i}`, type: '' })),
    interactions: Array.from({ length: length - 1 }, (_, i) => ({
      id: `i${i}`,
      systems: [`s${i}`, `s${i + 1}`],
      relation: { type: '' },
      law: { type: '' },
    })),
  });

  it('are folded into bands without two elements in one place', () => {
    const places = Object.values(layeredLayout(chain(40)));
    const width = Math.max(...places.map((place) => place.x)) - Math.min(...places.map((place) => place.x));
    const height = Math.max(...places.map((place) => place.y)) - Math.min(...places.map((place) => place.y));
    expect(width).toBeLessThan(5 * height);
    expect(new Set(places.map((place) => `${place.x},${place.y}`)).size).toBe(79);
  });

  it('stay in one row while they are short', () => {
    const places = Object.values(layeredLayout(chain(3)));
    expect(new Set(places.map((place) => place.y)).size).toBe(1);
  });
});
