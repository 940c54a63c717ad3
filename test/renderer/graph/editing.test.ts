import type { ModelDocument } from '@engine/document/types';
import { beforeEach, describe, expect, it } from 'vitest';
import { aligned, distributed } from '@renderer/graph/arrangement/arrangement';
import { arrange, parts } from '@renderer/graph/arrangement/arrange-impl';
import { fragmentOf, pasteInto, readFragment } from '@renderer/graph/editing/clipboard';
import { pasteCopied } from '@renderer/graph/editing/copying';
import { cardContext, FlowElements } from '@renderer/graph/canvas/flow';
import { fitted } from '@renderer/graph/canvas/fitting';
import { gridLayout, NODE_SIZE } from '@renderer/graph/arrangement/layout';
import { neighbourAlong } from '@renderer/graph/arrangement/neighbours';
import { text } from '@renderer/i18n';
import { paletteEntries, paletteSections } from '@renderer/graph/palette/palette';
import { linkTargets } from '@renderer/graph/nodes/ports';
import { buildScene, drawnElements, type GraphScene } from '@renderer/graph/canvas/scene';
import { contains, rectanglesOverlap, type Rectangle } from '@renderer/graph/frames/rectangles';
import { searchNodes } from '@renderer/graph/palette/search';
import { cardsIn, detailAt } from '@renderer/graph/canvas/viewing';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { BODY_STARTS } from '@renderer/document/starts';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { useReportStore } from '@renderer/stores/report';
import { camFollower } from '../fake/cam-follower';
import { openCamFollower } from '../setup';

beforeEach(async () => {
  await openCamFollower();
});

const sceneOf = (document: ModelDocument, places = document.layout.nodes): GraphScene => {
  const { report } = useReportStore();
  return buildScene(drawnElements(document, report), report, places);
};

describe('copies of a graph', () => {
  const ids = new Set(['follower', 'cam']);

  it('come back under fresh names, with their links among each other', () => {
    const document = camFollower();
    const places = { follower: { x: 0, y: 0 }, cam: { x: 300, y: 20 } };
    const fragment = readFragment(JSON.stringify(fragmentOf(document, ids, places)));
    expect(fragment).not.toBeNull();
    const pasted = pasteInto(document, fragment!, { x: 10, y: 500 });
    expect(pasted).toEqual({ ids: ['follower2', 'cam2'], frames: [], brought: [] });
    expect(document.interactions[1]).toMatchObject({ id: 'cam2', systems: ['follower2'] });
    expect(document.interactions[1]?.relation).toEqual(document.interactions[0]?.relation);
    expect(document.layout.nodes).toMatchObject({ follower2: { x: 10, y: 500 }, cam2: { x: 310, y: 520 } });
  });

  it('leave out links to what is not copied', () => {
    expect(fragmentOf(camFollower(), new Set(['cam']), {}).interactions[0]?.systems).toEqual([]);
  });

  it('bring the functions and parameters that another document lacks', () => {
    const fragment = fragmentOf(camFollower(), ids, {});
    const other: ModelDocument = {
      ...camFollower(),
      parameters: [],
      systems: [],
      interactions: [],
      scripts: [],
    };
    const { ids: names, brought } = pasteInto(other, fragment, null);
    expect(names).toEqual(['follower', 'cam']);
    expect(brought).toContain('cam.ts');
    expect(other.scripts).toHaveLength(1);
    // A second time everything is there.
    expect(pasteInto(other, fragment, null).brought).toEqual([]);
  });

  it('bring what their scripts import, under a fresh name where another script has theirs', () => {
    const document = camFollower();
    const [script] = document.scripts;
    const helper = { name: 'profile.ts', role: 'functions' as const, source: ['export const lift = 1;'] };
    const importing = { ...script, source: ["import { lift } from './profile';", ...script.source] };
    const fragment = fragmentOf({ ...document, scripts: [importing, helper] }, ids, {});
    expect(fragment.scripts.map(({ name }) => name)).toEqual([importing.name, helper.name]);

    const stranger = { ...helper, source: ['export const other = 2;'] };
    const other: ModelDocument = { ...camFollower(), systems: [], interactions: [], scripts: [stranger] };
    expect(pasteInto(other, fragment, null).brought).toEqual([importing.name, 'profile-2.ts']);
    expect(other.scripts[1]?.source[0]).toBe("import { lift } from './profile-2';");

    // The very same script is not brought twice, and pasting once more brings nothing.
    const twin: ModelDocument = { ...camFollower(), systems: [], interactions: [], scripts: [helper] };
    expect(pasteInto(twin, fragment, null).brought).toEqual([importing.name]);
    expect(twin.scripts[1]?.source[0]).toBe("import { lift } from './profile';");
    expect(pasteInto(twin, fragment, null).brought).toEqual([]);
  });

  it('are refused when the text is another one or has been damaged', () => {
    for (const text of ['', 'ball', '{}', '[1]', '{"format":"moreau-graph","systems":[{"id":"a b"}]}'])
      expect(readFragment(text)).toBeNull();
    const fragment = fragmentOf(camFollower(), ids, {});
    expect(
      readFragment(JSON.stringify({ ...fragment, interactions: [{ id: 'cam', systems: 'x' }] })),
    ).toBeNull();
    expect(readFragment(JSON.stringify({ ...fragment, nodes: { cam: { x: 'left' } } }))).toBeNull();
  });

  it('that are none are reported to the user, and nothing is changed', async () => {
    await pasteCopied();
    expect(useNoticesStore().notices.at(-1)?.message).toContain('holds no elements of a graph');
    expect(useDocumentStore().dirty).toBe(false);
  });
});

describe('alignment', () => {
  const box = (id: string, x: number, y: number, width = 100) => ({ id, x, y, width, height: 50 });
  const boxes = [box('a', 0, 0), box('b', 130, 40), box('c', 400, 10, 60)];

  it('puts edges and middles on a line', () => {
    expect(aligned(boxes, 'right')).toEqual({
      a: { x: 360, y: 0 },
      b: { x: 360, y: 40 },
      c: { x: 400, y: 10 },
    });
    expect(Object.values(aligned(boxes, 'top')).map(({ y }) => y)).toEqual([0, 0, 0]);
    expect(Object.values(aligned(boxes, 'middle')).map(({ y }) => y)).toEqual([20, 20, 20]);
  });

  it('gives even room between boxes of any width', () => {
    expect(distributed(boxes, 'x')).toEqual({
      a: { x: 0, y: 0 },
      b: { x: 200, y: 40 },
      c: { x: 400, y: 10 },
    });
    expect(distributed(boxes.slice(0, 2), 'x')).toEqual({});
  });
});

describe('large graphs', () => {
  const chain = (length: number, name = 's') => ({
    systems: Array.from({ length }, (_, i) => ({ id: `${name}${i}` })),
    interactions: Array.from({ length: length - 1 }, (_, i) => ({
      id: `${name}_${i}`,
      systems: [`${name}${i}`, `${name}${i + 1}`],
    })),
  });
  const distinct = (places: Record<string, { x: number; y: number }>): number =>
    new Set(Object.values(places).map(({ x, y }) => `${x},${y}`)).size;

  it('are laid out part by part, nothing upon anything else, with their progress', () => {
    const [a, b] = [chain(12, 'a'), chain(5, 'b')];
    const both = {
      systems: [...b.systems, ...a.systems],
      interactions: [...b.interactions, ...a.interactions],
    };
    expect(parts(both).map(({ systems }) => systems.length)).toEqual([12, 5]);
    const shares: number[] = [];
    const places = arrange(both, (share) => shares.push(share));
    expect(distinct(places)).toBe(32);
    expect(shares.at(-1)).toBe(1);
  });

  it('stand in a grid where layers would take too long, linked ones beside each other', () => {
    const places = gridLayout(chain(400));
    expect(distinct(places)).toBe(799);
    const [one, next] = [places['s7'], places['s_7']];
    expect(Math.abs((one?.x ?? 0) - (next?.x ?? 0)) + Math.abs((one?.y ?? 0) - (next?.y ?? 0))).toBeLessThan(
      2 * NODE_SIZE.width,
    );
  });

  it('have cards only for what is looked at closely', () => {
    const { systems, interactions } = chain(400);
    const document = {
      ...camFollower(),
      systems: systems.map(({ id }) => ({ id, type: 'LagrangianLinearTI' })),
      interactions: interactions.map((one) => ({ ...one, relation: { type: '' }, law: { type: '' } })),
    };
    const scene = sceneOf(document, gridLayout(document));
    const area = { x: 0, y: 0, width: 900, height: 500 };
    expect(detailAt(1)).toBe('full');
    expect(cardsIn(scene, { x: -1e5, y: -1e5, width: 2e5, height: 2e5 }, 'plain', ['s3'])).toEqual(
      new Set(['s3']),
    );
    const near = cardsIn(scene, area, 'full');
    expect(near.size).toBeGreaterThan(10);
    expect(near.size).toBeLessThan(110);
  });

  it('keep the nodes and edges that an edit does not touch', () => {
    const documents = useDocumentStore();
    const flow = new FlowElements();
    const nodes = () => {
      const { report } = useReportStore();
      const { catalogue } = useCatalogueStore();
      const context = cardContext({ document: documents.model, report, catalogue });
      const drawn = drawnElements(documents.model, report);
      const scene = buildScene(drawn, report, { follower: { x: 0, y: 0 }, cam: { x: 300, y: 0 } });
      return [
        ...scene.nodes.map((node) => flow.node(node, flow.data(context, drawn, documents.model, node))),
        ...scene.links.map((link) => flow.edge(scene, link)),
      ];
    };
    const before = nodes();
    documents.edit('change', (draft) => {
      const [interaction] = draft.interactions;
      if (interaction !== undefined) interaction.law['e'] = 0.3;
    });
    const after = nodes();
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(after[2]).toBe(before[2]);
  });
});

describe('what leads through a graph', () => {
  it('draws a link to a system that does not exist as broken, with the reason', () => {
    const document = camFollower();
    document.interactions[0]?.systems.push('ball2');
    const { report } = useReportStore();
    const scene = sceneOf(document, { follower: { x: 0, y: 0 }, cam: { x: 300, y: 0 } });
    const stub = scene.nodes.at(-1)!;
    expect(stub.kind).toBe('missing');
    const flow = new FlowElements();
    const context = cardContext({ document, report, catalogue: null });
    const data = flow.data(context, drawnElements(document, report), document, stub);
    expect(data.title).toBe('missing: ball2');
    expect(flow.node(stub, data).ariaLabel).toContain('does not exist');
    expect(flow.edge(scene, scene.links[1])?.class).toBe('broken');
  });

  it('finds the next node in a direction, along links too', () => {
    const scene = sceneOf(camFollower(), { follower: { x: 0, y: 0 }, cam: { x: 300, y: 0 } });
    expect(neighbourAlong(scene, 'follower', { x: 1, y: 0 }, true)).toBe('cam');
    expect(neighbourAlong(scene, 'follower', { x: -1, y: 0 }, false)).toBeNull();
    expect(neighbourAlong(scene, 'cam', { x: -1, y: 0 }, false)).toBe('follower');
  });

  it('lists what an element can be linked to first, then what is refused and why', () => {
    const document = camFollower();
    document.systems.push({ id: 'other', type: 'LagrangianLinearTI' });
    const targets = linkTargets(document, useCatalogueStore().catalogue, 'cam');
    expect(targets.map(({ id, refusal }) => [id, refusal])).toEqual([
      ['other', null],
      ['follower', 'already-linked'],
    ]);
    expect(targets[1]?.reason).toContain('already linked');
  });

  it('finds elements by name, then by type', () => {
    const document = camFollower();
    const { catalogue } = useCatalogueStore();
    expect(searchNodes(document, catalogue, 'CAM').map(({ key }) => key)).toEqual(['cam']);
    expect(searchNodes(document, catalogue, 'newton').map(({ key }) => key)).toEqual(['cam']);
    expect(searchNodes(document, catalogue, 'nothing')).toEqual([]);
  });

  it('is fitted beside or above the legend where a node would lie under it', () => {
    const size = { width: 800, height: 500 };
    const legend = { width: 300, height: 200 };
    const covered = { x: 8, y: 292, ...legend };
    const shown = (all: Rectangle[]): Rectangle[] => {
      const { x, y, zoom } = fitted(all, size, legend)!;
      return all.map((one) => ({
        x: one.x * zoom + x,
        y: one.y * zoom + y,
        width: one.width * zoom,
        height: one.height * zoom,
      }));
    };
    const tall = [0, 300, 600].map((y) => ({ x: 0, y, width: 196, height: 76 }));
    const wide = [0, 400, 800, 1200].map((x) => ({ x, y: 0.5 * x, width: 196, height: 76 }));
    const corner = [...wide, { x: 0, y: 600, width: 196, height: 76 }];
    for (const all of [tall, wide, corner])
      for (const one of shown(all)) {
        expect(rectanglesOverlap(covered, one)).toBe(false);
        expect(contains({ x: 0, y: 0, ...size }, one)).toBe(true);
      }
    // Where none does, the whole area is used.
    expect(fitted(wide, size, legend)).toEqual(fitted(wide, size, null));
    expect(fitted(corner, size, legend)).not.toEqual(fitted(corner, size, null));
    expect(fitted([], size, legend)).toBeNull();
  });

  it('has a palette with favourites and what was used last on top', () => {
    const catalogue = useCatalogueStore().catalogue!;
    const all = paletteEntries(catalogue);
    const sections = paletteSections(
      all,
      '',
      ['system-RigidBody'],
      ['system-RigidBody', 'relation-Revolute'],
    );
    expect(sections[0]?.entries.map(({ type }) => type)).toEqual(['RigidBody']);
    expect(sections[1]?.entries.map(({ type }) => type)).toEqual(['Revolute']);
    // Everything is there once, whatever its kind.
    const keys = sections.flatMap(({ entries }) => entries.map(({ key }) => key));
    expect([...keys].sort()).toEqual(
      [
        ...catalogue.components.map(({ type }) => `component-${type}`),
        ...BODY_STARTS.map(({ key }) => `start-${key}`),
        ...catalogue.systems.map(({ type }) => `system-${type}`),
        ...catalogue.relations.map(({ type }) => `relation-${type}`),
      ].sort(),
    );
    const joints = sections.find(({ heading }) => heading === text('graph.planeJoints'));
    expect(joints?.entries.map(({ type }) => type)).toContain('Prismatic');
    // Components are found by what users call them; a letter finds what netlists call so.
    for (const search of ['resistor', 'R', 'Widerstand', 'load'])
      expect(paletteSections(all, search, [], [])[0]?.entries[0]?.type).toBe('Resistor');
    expect(paletteSections(all, 'gnd', [], [])[0]?.entries[0]?.type).toBe('Ground');
    expect(paletteSections(all, 'D', [], [])[0]?.entries[0]?.type).toBe('Diode');
    const [found] = paletteSections(all, 'revolute', [], []);
    expect(found?.entries[0]?.title.toLowerCase()).toContain('revolute');
  });
});
