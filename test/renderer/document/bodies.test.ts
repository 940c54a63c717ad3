/**
 * 3D bodies as the window adds them: where they start, what takes hold of them, and which settings suit
 * them.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import type {
  DocumentIssue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  ViewDocument,
} from '@engine/document/types';
import { emptyDocument, lawSuits, newElement, newSystem } from '@renderer/document/factory';
import { linkable } from '@renderer/document/links';
import { renameParameter } from '@renderer/document/rename';
import { retypeSystem } from '@renderer/document/retype';
import { suitSimulation } from '@renderer/document/space-settings';
import { removeView } from '@renderer/dashboard/edits';
import { defaultViews, effectiveViews } from '@renderer/document/views';
import {
  addInteraction,
  addSystem,
  connectElements,
  disconnectElements,
} from '@renderer/graph/editing/edits';
import { useDocumentStore } from '@renderer/stores/document';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from '../setup';

const definitions = catalogue();
const model = (): ModelDocument => useDocumentStore().model;
const errors = (document = model()): DocumentIssue[] =>
  reportDocument(document).issues.filter(({ severity }) => severity === 'error');
const linksOf = (id: string): string[] | undefined =>
  model().interactions.find((one) => one.id === id)?.systems;
const select = (id: string): void => useWorkspaceStore().select({ kind: 'element', id });

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().load(emptyDocument(definitions, 3, 'new'), null);
});

describe('a new body', () => {
  it('is a box half a metre above the origin that falls', () => {
    addSystem('RigidBody');
    expect(model().systems).toEqual([
      {
        id: 'body',
        type: 'RigidBody',
        density: 1000,
        position: [0, 0, 0.5],
        gravity: [0, 0, -9.81],
        shapes: [{ type: 'Box', size: [0.2, 0.2, 0.2] }],
      },
    ]);
    expect(errors()).toEqual([]);
  });

  it('stands beside the others and touches none, however large they are', () => {
    const documents = useDocumentStore();
    addSystem('RigidBody');
    addSystem('RigidBody');
    expect(model().systems[1]?.['position']).toEqual([0.4, 0, 0.5]);
    documents.edit('size', (draft) => {
      const [, second] = draft.systems;
      if (second !== undefined) second['shapes'] = [{ type: 'Sphere', radius: 1, position: [0.5, 0, 0] }];
    });
    addSystem('RigidBody');
    // 0.4 + 1.5 is as far as the second one may reach; the box reaches √3/10.
    const [x = 0] = model().systems[2]?.['position'] as number[];
    expect(x - Math.sqrt(0.03)).toBeGreaterThan(1.9);
    expect(x).toBeLessThan(2.3);
  });

  it('stands on a floor that is a plane', () => {
    addSystem('FixedBody');
    expect(model().systems).toEqual([{ id: 'floor', type: 'FixedBody', shapes: [{ type: 'Plane' }] }]);
  });
});

describe('a contact of shapes', () => {
  it('links all bodies with shapes, and those that come after it', () => {
    addSystem('RigidBody');
    addSystem('FixedBody');
    addInteraction('ShapeContact');
    expect(model().interactions[0]).toMatchObject({
      id: 'contact',
      systems: ['body', 'floor'],
      law: { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0 },
    });
    addSystem('RigidBody');
    expect(linksOf('contact')).toEqual(['body', 'floor', 'body2']);
    expect(errors()).toEqual([]);
    useDocumentStore().undo();
    expect(linksOf('contact')).toEqual(['body', 'floor']);
  });

  it('leaves out what has no shape', () => {
    addSystem('RigidBody');
    addSystem('FixedBody');
    useDocumentStore().edit('bare', (draft) => {
      delete draft.systems[1]?.['shapes'];
    });
    addInteraction('ShapeContact');
    expect(linksOf('contact')).toEqual(['body']);
  });

  it('that comes second links what is selected, and takes no new body', () => {
    addSystem('RigidBody');
    addSystem('FixedBody');
    addInteraction('ShapeContact');
    select('body');
    addInteraction('ShapeContact');
    expect(linksOf('contact2')).toEqual(['body']);
    useWorkspaceStore().select({ kind: 'model' });
    addInteraction('ShapeContact');
    expect(linksOf('contact3')).toEqual([]);
    addSystem('RigidBody');
    expect(linksOf('contact')).toEqual(['body', 'floor', 'body2']);
    expect(linksOf('contact2')).toEqual(['body']);
  });

  it('does not take a new body when it has been told to leave one out', () => {
    addSystem('RigidBody');
    addSystem('RigidBody');
    addSystem('FixedBody');
    addInteraction('ShapeContact');
    disconnectElements([{ interaction: 'contact', system: 'body2' }]);
    addSystem('RigidBody');
    expect(linksOf('contact')).toEqual(['body', 'floor']);
  });

  it('may link a very large number of bodies, which are sent in one pass', () => {
    const systems: SystemDocument[] = Array.from({ length: 3000 }, (_, i) => ({
      id: `b${i}`,
      type: i % 2 === 0 ? 'RigidBody' : 'PlanarBody',
    }));
    const interaction: InteractionDocument = {
      id: 'c',
      systems: ['b0', 'b2'],
      relation: { type: 'ShapeContact' },
      law: { type: 'NewtonImpactFriction3D' },
    };
    const candidates = linkable({ systems }, definitions, interaction);
    expect(candidates).toHaveLength(1498);
    expect(candidates).not.toContain('b2');
    expect(linkable({ systems }, definitions, { ...interaction, relation: { type: 'BallJoint' } })).toEqual(
      [],
    );
  });
});

describe('a joint in space', () => {
  const relation = (): InteractionDocument['relation'] | undefined => model().interactions[0]?.relation;

  it('takes hold of the mass centre of the selected body, its axis upwards', () => {
    addSystem('RigidBody');
    addInteraction('RevoluteJoint');
    expect(model().interactions[0]).toEqual({
      id: 'joint',
      systems: ['body'],
      relation: { type: 'RevoluteJoint', axis: [0, 0, 1], point: [0, 0, 0.5] },
      law: { type: 'Equality' },
    });
  });

  it('takes hold of what is linked later, until someone has said where', () => {
    const documents = useDocumentStore();
    addSystem('RigidBody');
    addSystem('RigidBody');
    useWorkspaceStore().select({ kind: 'model' });
    addInteraction('BallJoint');
    expect(relation()).toEqual({ type: 'BallJoint' });
    connectElements('joint', 'body2');
    expect(relation()?.['point']).toEqual([0.4, 0, 0.5]);
    disconnectElements([{ interaction: 'joint', system: 'body2' }]);
    expect(relation()).toEqual({ type: 'BallJoint' });
    connectElements('joint', 'body2');
    documents.edit('point', (draft) => {
      const [joint] = draft.interactions;
      if (joint !== undefined) joint.relation['point'] = [0.2, 0, 0.5];
    });
    connectElements('joint', 'body');
    expect(relation()?.['point']).toEqual([0.2, 0, 0.5]);
    expect(errors()).toEqual([]);
  });

  it('is at the body that moves where the other one does not', () => {
    addSystem('FixedBody');
    addSystem('RigidBody');
    select('floor');
    addInteraction('PrismaticJoint');
    connectElements('joint', 'body');
    expect(relation()?.['point']).toEqual([0, 0, 0.5]);
    expect(errors()).toEqual([]);
  });

  it('of two points hangs a body from the ground, and keeps two bodies at the distance they have', () => {
    addSystem('RigidBody');
    addSystem('RigidBody');
    addInteraction('Rope');
    expect(relation()).toEqual({ type: 'Rope', point: [0.4, 0, 1], point2: [0.4, 0, 0.5], lengthMax: 0.5 });
    connectElements('joint', 'body');
    expect(relation()).toEqual({ type: 'Rope', point: [0.4, 0, 0.5], point2: [0, 0, 0.5], lengthMax: 0.4 });
    expect(errors()).toEqual([]);
  });

  it('follows a position that is an expression', () => {
    const documents = useDocumentStore();
    addSystem('RigidBody');
    documents.edit('height', (draft) => {
      const [body] = draft.systems;
      if (body !== undefined) body['position'] = [0, 0, 'z0'];
      draft.parameters.push({ name: 'z0', value: 2 });
    });
    addInteraction('DistanceJoint');
    expect(relation()).toEqual({ type: 'DistanceJoint', point: [0, 0, 'z0 + 0.5'], point2: [0, 0, 'z0'] });
    expect(errors()).toEqual([]);
  });

  it('puts the plane of a stop below its point', () => {
    addSystem('RigidBody');
    addInteraction('PointPlaneStop');
    expect(relation()).toEqual({
      type: 'PointPlaneStop',
      axis: [0, 0, 1],
      gapMin: 0,
      point: [0, 0, 0],
      point2: [0, 0, 0.5],
    });
    expect(errors()).toEqual([]);
  });
});

describe('the laws of relations between 3D bodies', () => {
  const spatial = definitions.relations.filter(({ order }) => order === 'body');

  it.each(spatial.map((relation) => [relation.type, relation] as const))(
    'are offered on %s where the engine takes them, and nowhere else',
    (_type, relation) => {
      addSystem('RigidBody');
      addSystem('RigidBody');
      addInteraction(relation.type);
      for (const id of ['body', 'body2'])
        if (linksOf(model().interactions[0]?.id ?? '')?.includes(id) === false)
          connectElements(id, model().interactions[0]?.id ?? '');
      expect(errors()).toEqual([]);
      const [interaction] = model().interactions;
      if (interaction === undefined) throw new Error('no interaction');
      const taken = definitions.laws.filter((law) => {
        const document = { ...model(), interactions: [{ ...interaction, law: newElement(law) }] };
        return errors(document).length === 0;
      });
      expect(taken.length).toBeGreaterThan(0);
      const offered = definitions.laws.filter((law) => lawSuits(law, relation));
      expect(offered.map(({ type }) => type)).toEqual(taken.map(({ type }) => type));
    },
  );

  it('are not for relations of the plane', () => {
    const others = definitions.relations.filter(({ order }) => order !== 'body');
    const laws = definitions.laws.filter(({ order }) => order === 'body');
    expect(laws.length).toBeGreaterThan(1);
    for (const relation of others) expect(laws.filter((law) => lawSuits(law, relation))).toEqual([]);
  });
});

describe('the settings of a simulation', () => {
  it('need nothing from the author when the first system of a model becomes a body', () => {
    const documents = useDocumentStore();
    addSystem('LagrangianLinearTI');
    documents.edit('settings', (draft) => {
      draft.simulation.scheme = 'event-driven';
      draft.simulation.problem = { type: 'LCP' };
      draft.simulation.solver = { type: 'Lemke' };
      draft.simulation.stepControl = { tolerance: 1e-4, hMin: 1e-6, hMax: 0.1 };
      draft.simulation.integrators = [{ type: 'MoreauJean', theta: 0.6 }];
    });
    const definition = definitions.systems.find(({ type }) => type === 'RigidBody');
    if (definition === undefined) throw new Error('no rigid body');
    documents.edit('type', (draft) => {
      const [system] = draft.systems;
      if (system === undefined) return;
      draft.systems[0] = retypeSystem(system, newSystem(definition, system.id), definition, undefined);
      suitSimulation(draft, definitions);
    });
    expect(errors()).toEqual([]);
    expect(model().simulation).toMatchObject({
      scheme: 'time-stepping',
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    });
    documents.undo();
    expect(model().simulation).toMatchObject({ scheme: 'event-driven', problem: { type: 'LCP' } });
  });

  it('for friction in space give way when the last body has gone', () => {
    const document = emptyDocument(definitions, 3, 'plane');
    document.systems = [{ id: 'a', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], q0: [0], v0: [0] }];
    document.simulation.problem = { type: 'FrictionContact' };
    document.simulation.solver = { type: 'NSGS', tolerance: 1e-6 };
    expect(errors(document).map(({ code }) => code)).toEqual(['problem-of-space', 'solver-of-space']);
    suitSimulation(document, definitions);
    expect(errors(document)).toEqual([]);
  });

  it('stay as they are where they suit', () => {
    addSystem('RigidBody');
    useDocumentStore().edit('solver', (draft) => {
      draft.simulation.solver = { type: 'NSGS', tolerance: 1e-6 };
    });
    addSystem('RigidBody');
    expect(model().simulation.solver).toEqual({ type: 'NSGS', tolerance: 1e-6 });
  });
});

describe('a parameter that is renamed', () => {
  it('is renamed in the shapes of bodies', () => {
    addSystem('RigidBody');
    const documents = useDocumentStore();
    documents.edit('shape', (draft) => {
      draft.parameters.push({ name: 'r', value: 0.1 });
      const [body] = draft.systems;
      if (body !== undefined) body['shapes'] = [{ type: 'Sphere', radius: '2*r', position: ['r', 0, 0] }];
    });
    documents.edit('rename', (draft) => renameParameter(draft, 'r', 'radius'));
    expect(model().systems[0]?.['shapes']).toEqual([
      { type: 'Sphere', radius: '2*radius', position: ['radius', 0, 0] },
    ]);
  });
});

describe('the default dashboard of 3D bodies', () => {
  it('shows the place of one body, the heights of several, and no quaternions', () => {
    addSystem('RigidBody');
    const [series, portrait] = defaultViews(model(), reportDocument(model()).signals);
    expect(series).toMatchObject({ signals: ['body.q[0]', 'body.q[1]', 'body.q[2]'] });
    expect(portrait).toMatchObject({ x: 'body.q[2]', y: 'body.v[2]' });
    addSystem('RigidBody');
    const [both] = defaultViews(model(), reportDocument(model()).signals);
    expect(both).toMatchObject({ signals: ['body.q[2]', 'body2.q[2]'] });
  });
});

describe('the animation of the first 3D body', () => {
  const shown = (): string[] => effectiveViews(model(), []).map(({ type }) => type);
  const setViews = (...views: ViewDocument[]): void =>
    useDocumentStore().edit('views', (draft) => void (draft.views = views));
  const series: ViewDocument = { type: 'time-series', id: 'own', signals: [] };

  it.each(['RigidBody', 'FixedBody'])('is there with %s where views are those by default', (type) => {
    expect(shown()).not.toContain('animation');
    addSystem(type);
    expect(shown()[0]).toBe('animation');
    expect(model().views).toEqual([]);
    useDocumentStore().undo();
    expect(shown()).not.toContain('animation');
  });

  it('comes before views of the author’s own, and goes with the body in one step back', () => {
    setViews(series);
    addSystem('RigidBody');
    expect(model().views).toEqual([{ type: 'animation', id: 'animation' }, series]);
    useDocumentStore().undo();
    expect(model().systems).toEqual([]);
    expect(model().views).toEqual([series]);
    useDocumentStore().redo();
    expect(shown()).toEqual(['animation', 'time-series']);
  });

  it('is not added where there is one, with a further body, or with another system', () => {
    const own: ViewDocument = { type: 'animation', id: 'mine', follow: 'body' };
    setViews(series, own);
    addSystem('RigidBody');
    expect(model().views).toEqual([series, own]);
    setViews(series);
    addSystem('RigidBody');
    expect(model().views).toEqual([series]);
    useDocumentStore().load(emptyDocument(definitions, 3, 'new'), null);
    setViews(series);
    addSystem('PlanarBody');
    expect(model().views).toEqual([series]);
  });

  it('has an id of its own', () => {
    setViews({ ...series, id: 'animation' });
    addSystem('RigidBody');
    expect(model().views.map(({ id }) => id)).toEqual(['animation-2', 'animation']);
  });

  it('can be edited and removed like any other view', () => {
    addSystem('RigidBody');
    removeView('animation');
    expect(shown()).toEqual(['time-series']);
    expect(model().views.map(({ type }) => type)).toEqual(['time-series']);
    addSystem('RigidBody');
    expect(shown()).toEqual(['time-series']);
  });
});
