/** 3D bodies in the graph. */
import { mount } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { emptyDocument } from '@renderer/document/factory';
import { addInteraction, addSystem, connectElements } from '@renderer/graph/editing/edits';
import { flowElements, type NodeData } from '@renderer/graph/canvas/flow';
import { interactionGlyph, systemGlyph } from '@renderer/graph/nodes/glyph';
import { layeredLayout, NODE_SIZE } from '@renderer/graph/arrangement/layout';
import NodeGlyph from '@renderer/graph/nodes/NodeGlyph.vue';
import { paletteColumns } from '@renderer/graph/palette/palette';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { openCamFollower } from '../setup';

const definitions = catalogue();
const spatial = definitions.relations.filter(({ order }) => order === 'body');

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().load(emptyDocument(definitions, 3, 'new'), null);
});

const flow = (document: ModelDocument): ReturnType<typeof flowElements> =>
  flowElements({ document, report: reportDocument(document), catalogue: definitions });

describe('the menu of elements', () => {
  it('has all of them, each once, 3D bodies in a column of their own', () => {
    const columns = paletteColumns(definitions);
    const listed = columns.flat().flatMap(({ definitions: list }) => list.map(({ type }) => type));
    expect([...listed].sort()).toEqual(
      [...definitions.systems, ...definitions.relations].map(({ type }) => type).sort(),
    );
    const [systems, relations] = columns[2] ?? [];
    expect(systems?.definitions.map(({ type }) => type)).toEqual([
      'RigidBody',
      'PseudoRigidBody',
      'FixedBody',
    ]);
    expect(relations?.definitions).toEqual(spatial);
    expect(
      paletteColumns(null)
        .flat()
        .flatMap(({ definitions: list }) => list),
    ).toEqual([]);
  });
});

describe('the card of a body', () => {
  it('says its freedom, what it weighs and its sign', () => {
    addSystem('RigidBody');
    addSystem('FixedBody');
    const { nodes } = flow(useDocumentStore().model);
    expect(nodes.map(({ data }) => data)).toMatchObject([
      { dimension: 6, glyph: 'rigidBody', symbols: [{ latex: '\\rho', value: '1000' }], state: 'good' },
      { dimension: 0, glyph: 'fixedBody', symbols: [], state: 'good' },
    ] satisfies Partial<NodeData>[]);
  });

  it('says the freedom of the plane where discs or polygons hold all bodies in it, and that of one that deforms', () => {
    addSystem('RigidBody');
    addSystem('RigidBody');
    addSystem('FixedBody');
    const freedom = (): number[] =>
      flow(useDocumentStore().model).nodes.map(({ data }) => data?.dimension ?? NaN);
    useDocumentStore().edit('shapes', (draft) => {
      draft.systems[0]['shapes'] = [{ type: 'Disc', radius: 0.1 }];
      delete draft.systems[1]['shapes'];
    });
    expect(freedom()).toEqual([3, 3, 0]);
    useDocumentStore().load(emptyDocument(definitions, 3, 'new'), null);
    addSystem('PseudoRigidBody');
    expect(freedom()).toEqual([12]);
  });
});

describe('the signs of contacts and joints in space', () => {
  const glyphs = spatial
    .filter(({ type }) => type !== 'NewtonEulerRelation')
    .map(({ type, law }) => interactionGlyph(type, law ?? ''));

  it('are one for each, none of them the sign of a relation that nothing is known of', () => {
    expect(new Set(glyphs).size).toBe(glyphs.length);
    expect(glyphs).not.toContain('relation');
  });

  it('are drawn, each in its own way', () => {
    const drawings = [...glyphs, systemGlyph('RigidBody'), systemGlyph('FixedBody')].map((glyph) =>
      mount(NodeGlyph, { props: { glyph } })
        .html()
        .replace(/data-glyph="\w+"/, ''),
    );
    expect(new Set(drawings).size).toBe(drawings.length);
    const unknown = mount(NodeGlyph, { props: { glyph: 'relation' } }).html();
    expect(drawings).not.toContain(unknown.replace(/data-glyph="\w+"/, ''));
  });
});

describe('links between 3D bodies and other elements', () => {
  const refusal = (): string | undefined => useNoticesStore().notices.at(-1)?.message;

  it.each([
    ['LagrangianLinearTI', 'BallJoint', /joint links 3D bodies; system is not one/],
    ['PlanarBody', 'RevoluteJoint', /joint links 3D bodies; system is not one/],
    ['FirstOrderLinear', 'ShapeContact', /contact links 3D bodies; system is not one/],
    ['RigidBody', 'Revolute', /body is a 3D body, which joint cannot link/],
    ['RigidBody', 'LagrangianLinear', /body is a 3D body, which contact cannot link/],
    ['FixedBody', 'FirstOrderLinearTI', /floor is a 3D body, which relation cannot link/],
  ])('%s to %s is refused in words, from either end', (system, relation, words) => {
    const documents = useDocumentStore();
    addSystem(system);
    addInteraction(relation);
    const { systems, interactions } = documents.model;
    const [from, to] = [systems[0]?.id ?? '', interactions[0]?.id ?? ''];
    expect(interactions[0]?.systems).toEqual([]);
    connectElements(from, to);
    expect(refusal()).toMatch(words);
    connectElements(to, from);
    expect(refusal()).toMatch(words);
    expect(documents.model.interactions[0]?.systems).toEqual([]);
  });

  it('of a third body to a joint is refused', () => {
    for (let k = 0; k < 3; k++) addSystem('RigidBody');
    addInteraction('FixedJoint');
    connectElements('body', 'joint');
    connectElements('body2', 'joint');
    expect(refusal()).toMatch(/joint already links two bodies/);
    expect(useDocumentStore().model.interactions[0]?.systems).toEqual(['body3', 'body']);
  });
});

describe('an interaction that links very many bodies', () => {
  const bodies = (count: number): SystemDocument[] =>
    Array.from({ length: count }, (_, i) => ({
      id: `b${i}`,
      type: 'RigidBody',
      mass: 1,
      position: [i, 0, 1],
      shapes: [{ type: 'Sphere', radius: 0.1 }],
    }));
  const model = (count: number): ModelDocument => {
    const systems = bodies(count);
    const contact: InteractionDocument = {
      id: 'contact',
      systems: systems.map(({ id }) => id),
      relation: { type: 'ShapeContact' },
      law: { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0 },
    };
    return { ...emptyDocument(definitions, 3, 'pile'), systems, interactions: [contact] };
  };

  it('has a line to each while they can be told apart, else their number', () => {
    const few = flow(model(48));
    expect(few.edges).toHaveLength(48);
    expect(few.nodes.at(-1)?.data?.unlinked).toBeUndefined();
    const many = flow(model(49));
    expect(many.edges).toEqual([]);
    expect(many.nodes.at(-1)?.data?.unlinked).toBe(49);
  });

  it('leaves the bodies in a block that overlaps nothing and is not a tower', () => {
    const { systems, interactions } = model(200);
    const places = Object.values(layeredLayout({ systems, interactions }));
    expect(places).toHaveLength(201);
    places.forEach((a, i) =>
      places.slice(i + 1).forEach((b) => {
        const isApart = Math.abs(a.x - b.x) >= NODE_SIZE.width || Math.abs(a.y - b.y) >= NODE_SIZE.height;
        expect(isApart).toBe(true);
      }),
    );
    const width = Math.max(...places.map(({ x }) => x));
    const height = Math.max(...places.map(({ y }) => y));
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(3);
  });
});
