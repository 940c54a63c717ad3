/** Every type of element that can be added in the window is valid as soon as it is added and linked. */
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import type { DocumentIssue } from '@engine/document/types';
import { emptyDocument, lawSuits, newElement } from '@renderer/document/factory';
import { changeType } from '@renderer/document/fields';
import { retypeLaw, retypeRelation } from '@renderer/document/retype';
import { interactionSizes } from '@renderer/document/sizes';
import { addFunctions, addInteraction, addSystem, connectElements } from '@renderer/graph/editing/edits';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from './setup';

const { systems, relations, laws } = catalogue();
const systemOf = {
  1: 'FirstOrderLinear',
  2: 'LagrangianLinearTI',
  body: 'RigidBody',
  signal: 'PID',
} as const;

/** Systems that a relation needs, added. */
function addSystemsFor(type: string): void {
  const relation = relations.find((definition) => definition.type === type);
  const system = relation?.links?.types[0] ?? systemOf[relation?.order ?? 2];
  for (let k = 0; k < (relation?.links?.least ?? 1); k++) addSystem(system);
}

/** Links all systems to the first interaction. */
function connectAll(): void {
  const { model } = useDocumentStore();
  const [interaction] = model.interactions;
  for (const { id } of model.systems)
    if (interaction !== undefined && !interaction.systems.includes(id)) connectElements(id, interaction.id);
}

const identity = (n: number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_entry, j) => (i === j ? 1 : 0)));

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().load(emptyDocument(catalogue(), 3, 'new'), null);
});

const errors = (): DocumentIssue[] =>
  reportDocument(useDocumentStore().model).issues.filter(({ severity }) => severity === 'error');

describe('a new system', () => {
  it.each(systems.map(({ type }) => type))('%s is valid', (type) => {
    // What stands still makes a model with something that moves.
    if (type === 'FixedBody') addSystem('RigidBody');
    // A reset is one of a first-order system.
    if (type === 'Reset') addSystem('FirstOrderLinear');
    addSystem(type);
    expect(errors()).toEqual([]);
  });

  it('brings the script functions it needs in the same step', () => {
    const documents = useDocumentStore();
    addSystem('FirstOrderNonLinear');
    expect(documents.model.systems[0]?.['f']).toEqual({ function: 'rate' });
    expect(documents.model.scripts[0]?.source.join('\n')).toContain(
      'export const rate: Rate = (t, x, out, p) => {',
    );
    documents.undo();
    expect(documents.model.systems).toEqual([]);
    expect(documents.model.scripts).toEqual([]);
  });
});

describe('a new interaction', () => {
  it.each(relations.map(({ type }) => type))('of relation %s on the systems it links is valid', (type) => {
    addSystemsFor(type);
    addInteraction(type);
    const { model } = useDocumentStore();
    // The first contact of shapes is for all bodies, everything else for the one that is selected.
    const linked = type === 'ShapeContact' ? model.systems : model.systems.slice(-1);
    expect(model.interactions[0]?.systems).toEqual(linked.map(({ id }) => id));
    connectAll();
    expect(useDocumentStore().model.interactions[0]?.systems).toHaveLength(model.systems.length);
    expect(errors()).toEqual([]);
  });

  it.each(
    relations
      .filter(({ links }) => links === undefined)
      .map(({ type, order }) => [type, order ?? 2] as const),
  )('of relation %s that is linked to a system of three components is valid', (type, order) => {
    const documents = useDocumentStore();
    addSystem(systemOf[order]);
    documents.edit('three', (draft) => {
      const size = order === 1 ? { n: 3, x0: [0, 0, 0] } : { ndof: 3, q0: [0, 0, 0], v0: [0, 0, 0] };
      const matrix = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
      Object.assign(draft.systems[0] ?? {}, size, order === 1 ? { A: matrix } : { mass: matrix });
    });
    useWorkspaceStore().select({ kind: 'model' });
    addInteraction(type);
    const [interaction] = documents.model.interactions;
    connectElements('system', interaction?.id ?? '');
    expect(documents.model.interactions[0]?.systems).toEqual(['system']);
    expect(errors()).toEqual([]);
  });

  it.each(
    laws.flatMap((law) =>
      ['FirstOrderLinearTI', 'LagrangianLinear']
        .filter((type) =>
          lawSuits(
            law,
            relations.find((relation) => relation.type === type),
          ),
        )
        .map((relation) => [law.type, relation] as const),
    ),
  )('with the law %s on %s is valid', (law, relation) => {
    const documents = useDocumentStore();
    addSystem(systemOf[relations.find(({ type }) => type === relation)?.order ?? 2]);
    addInteraction(relation);
    documents.edit('law', (draft) => {
      const [system] = draft.systems;
      const [interaction] = draft.interactions;
      // A law of several rows needs as many coordinates: a contact with friction has a direction to slide in.
      const rows = laws.find(({ type }) => type === law)?.rows ?? 1;
      if (rows > 1 && system !== undefined && interaction !== undefined) {
        const zeros = new Array<number>(rows).fill(0);
        if (relation === 'LagrangianLinear') {
          Object.assign(system, { ndof: rows, mass: identity(rows), q0: zeros, v0: [...zeros] });
          interaction.relation.H = identity(rows);
        } else {
          Object.assign(system, { n: rows, x0: zeros, A: identity(rows) });
          Object.assign(interaction.relation, { C: identity(rows), B: identity(rows) });
        }
      }
      const definition = laws.find(({ type }) => type === law);
      if (interaction === undefined || definition === undefined) return;
      const sizes = interactionSizes(
        draft,
        interaction,
        relations.find(({ type }) => type === relation),
      );
      retypeLaw(interaction, definition, catalogue(), sizes);
    });
    expect(errors()).toEqual([]);
  });
});

describe('changing the type', () => {
  it.each(
    relations.flatMap((a) =>
      relations
        .filter((b) => b.order === a.order && b !== a && (b.links === undefined) === (a.links === undefined))
        .map((b) => [a.type, b.type]),
    ),
  )('of a relation from %s to %s leaves a valid model', (from, to) => {
    const documents = useDocumentStore();
    const definition = relations.find(({ type }) => type === to);
    if (definition === undefined) throw new Error('no such relation');
    addSystemsFor(to);
    addInteraction(from);
    connectAll();
    documents.edit('type', (draft) => {
      const [interaction] = draft.interactions;
      if (interaction === undefined) return;
      const present = relations.find(({ type }) => type === from);
      const sizes = interactionSizes(draft, interaction, present);
      retypeRelation(draft, interaction, definition, catalogue(), sizes);
      addFunctions(draft, interaction.relation, definition);
    });
    expect(errors()).toEqual([]);
  });

  it('keeps values of equal keys and no others', () => {
    const nonLinear = systems.find(({ type }) => type === 'LagrangianNonLinear');
    if (nonLinear === undefined) throw new Error('no such system');
    const before = {
      id: 'a',
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [[3]],
      damping: [[2]],
      q0: [1],
      v0: [2],
    };
    const after = changeType(before, newElement(nonLinear), nonLinear);
    expect(after).toEqual({ id: 'a', type: 'LagrangianNonLinear', ndof: 1, mass: [[3]], q0: [1], v0: [2] });
  });
});

describe('joints and contacts between bodies', () => {
  it('start with a law that makes a joint of them, contacts with one of impact', () => {
    addSystem('PlanarBody');
    addInteraction('Revolute');
    addInteraction('PinInHole');
    const { interactions } = useDocumentStore().model;
    expect(interactions.map(({ id, law }) => [id, law.type])).toEqual([
      ['joint', 'Equality'],
      ['contact', 'NewtonImpact'],
    ]);
  });

  it('are not linked to what is no body, and to no third one', () => {
    addSystem('LagrangianLinearTI');
    addInteraction('Revolute');
    const documents = useDocumentStore();
    expect(documents.model.interactions[0]?.systems).toEqual([]);
    connectElements('joint', 'system');
    expect(useNoticesStore().notices.at(-1)?.message).toMatch(
      /joint links planar rigid bodies; system is not one/,
    );
    for (const id of ['system2', 'system3', 'system4']) {
      addSystem('PlanarBody');
      connectElements(id, 'joint');
    }
    expect(useNoticesStore().notices.at(-1)?.message).toMatch(/joint already links two bodies/);
    expect(documents.model.interactions[0]?.systems).toEqual(['system2', 'system3']);
    expect(errors()).toEqual([]);
  });

  it('turn an impact into a joint when the relation becomes one', () => {
    addSystem('PlanarBody');
    addInteraction('PointOnPlane');
    const documents = useDocumentStore();
    const prismatic = relations.find(({ type }) => type === 'Prismatic');
    if (prismatic === undefined) throw new Error('no such relation');
    documents.edit('type', (draft) => {
      const [interaction] = draft.interactions;
      if (interaction !== undefined)
        retypeRelation(
          draft,
          interaction,
          prismatic,
          catalogue(),
          interactionSizes(draft, interaction, prismatic),
        );
    });
    expect(documents.model.interactions[0]?.law.type).toBe('Equality');
    expect(errors()).toEqual([]);
  });
});

describe('links between systems and relations of different orders', () => {
  it.each([
    [
      'FirstOrderLinear',
      'LagrangianLinear',
      /contact has a Lagrangian relation.*system is a first-order system/,
    ],
    [
      'LagrangianLinearTI',
      'FirstOrderLinearTI',
      /relation has a first-order relation.*system is a Lagrangian system/,
    ],
  ])('%s to %s is refused in words', (system, relation, words) => {
    const documents = useDocumentStore();
    addSystem(system);
    addInteraction(relation);
    const [interaction] = documents.model.interactions;
    expect(interaction?.systems).toEqual([]);
    connectElements(interaction?.id ?? '', 'system');
    expect(useNoticesStore().notices.at(-1)?.message).toMatch(words);
    expect(documents.model.interactions[0]?.systems).toEqual([]);
  });
});
