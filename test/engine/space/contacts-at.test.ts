/** Contacts at a moment of a run, recomputed from its recorded state. */
import { describe, expect, it } from 'vitest';
import type { ScriptEnvironment } from '@engine/preparation/examination';
import { createSandbox } from '@engine/script/sandbox';
import {
  ContactProbes,
  type MomentContacts,
  type RecordedMoment,
  type RunSettings,
} from '@engine/inspection/contacts-at';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { example } from '../support/example';
import { run } from '../support/run';
import { model, particle, withFunctions } from '../support/models';
import { floor, G, joint, rigid, spaceModel, touch } from '../support/space';

const environment = { sandbox: createSandbox, begin: () => true };

/** Asked once, of a model that has not been asked before. */
const contactsAt = (
  document: ModelDocument,
  built: undefined,
  settings: RunSettings,
  state: RecordedMoment,
  scripts: ScriptEnvironment,
): MomentContacts | null => new ContactProbes().at('run', document, built, settings, state, scripts);

/** The state of the only body that moves at a row of its run. */
function moment(document: ModelDocument, id: string, row: number): RecordedMoment {
  const { column } = run(document, { sandbox: createSandbox });
  const all = (letter: string, count: number): Float64Array =>
    Float64Array.from({ length: count }, (_, k) => column(`${id}.${letter}[${k}]`)[row]);
  return { time: column('t')[row], q: all('q', 7), v: all('v', 6), coordinates: new Float64Array() };
}

/** Bodies at rest, not turned. */
const atStart = (
  bodies: number,
  ...places: (readonly [number, number, number])[]
): Omit<RecordedMoment, 'time'> => ({
  q: Float64Array.from(places.flatMap((place) => [...place, 1, 0, 0, 0])),
  v: new Float64Array(6 * bodies),
  coordinates: new Float64Array(),
});

const resting = (): ModelDocument =>
  spaceModel([floor(), rigid('box', [0, 0, 0.1])], [touch('ground', ['floor', 'box'], 0.3)], { tEnd: 0.1 });

describe('contacts at a moment', () => {
  it('of a box at rest are its four corners, and carry its weight', () => {
    const document = resting();
    const found = contactsAt(document, undefined, {}, moment(document, 'box', 50), environment);
    expect(found?.count).toBe(4);
    expect(found?.time).toBeCloseTo(0.05, 12);
    const points = found?.points ?? new Float64Array();
    for (let c = 0; c < 4; c++) {
      expect(Math.abs(points[3 * c])).toBeCloseTo(0.1, 9);
      expect(Math.abs(points[3 * c + 1])).toBeCloseTo(0.1, 9);
      expect([...(found?.normals.subarray(3 * c, 3 * c + 3) ?? [])]).toEqual([0, 0, 1]);
    }
    const sum = [0, 1, 2, 3].reduce((total, c) => total + (found?.impulses[3 * c + 2] ?? 0), 0);
    // A step of 1 ms of the weight of 8 kg.
    expect(sum).toBeCloseTo(8 * G * 1e-3, 9);
    // The floor does not move; the box is the second body of the scene.
    expect([...(found?.bodies ?? [])]).toEqual([-1, 1, -1, 1, -1, 1, -1, 1]);
    expect([...(found?.frictions ?? [])]).toEqual([0.3, 0.3, 0.3, 0.3]);
  });

  it('carry the weight of a box by forces where steps have these besides impacts', () => {
    const document = resting();
    document.simulation.integrators = [{ type: 'D1MinusLinear' }];
    for (const row of [0, 50]) {
      const found = contactsAt(document, undefined, {}, moment(document, 'box', row), environment);
      const pushed = found?.impulses.reduce((sum, impulse, k) => sum + (k % 3 === 2 ? impulse : 0), 0) ?? 0;
      const byHalf = contactsAt(resting(), undefined, {}, moment(resting(), 'box', row), environment);
      const weight = byHalf?.impulses.reduce((sum, impulse, k) => sum + (k % 3 === 2 ? impulse : 0), 0) ?? 0;
      expect(found?.count).toBe(4);
      expect(pushed).toBeCloseTo(weight, 9);
      expect(weight).toBeGreaterThan(0);
    }
  });

  it('have a W whose rank is that of the motions they can stop', () => {
    const document = resting();
    const found = contactsAt(document, undefined, {}, moment(document, 'box', 50), environment);
    expect(found?.matrix.rows).toBe(12);
    expect(found?.matrix.rank).toBe(6);
    // All four are between the same two bodies.
    expect([...(found?.matrix.pattern?.rowStart ?? [])]).toEqual([0, 4, 8, 12, 16]);
    expect([...(found?.matrix.pattern?.columns ?? [])]).toEqual([0, 1, 2, 3].flatMap(() => [0, 1, 2, 3]));
    expect(found?.interactions).toEqual(['ground']);
    expect([...(found?.interactionOf ?? [])]).toEqual([0, 0, 0, 0]);
  });

  it.each<[string, TypedElement[]]>([
    ['by half steps', []],
    ['by the θ-method', [{ type: 'MoreauJean', theta: 0.5 }]],
  ])('of what rolls on a curve press as they did in the run, %s', (_, integrators) => {
    const document = example('golf-ball-in-hole');
    document.simulation = { ...document.simulation, integrators, tEnd: 0.1 };
    const { column } = run(document, { sandbox: createSandbox });
    const [normals, tangents] = ['normalImpulse', 'frictionImpulse'].map((name) => column(`wall.${name}`));
    for (const row of [60, 150]) {
      const found = contactsAt(document, undefined, {}, moment(document, 'ball', row), environment);
      const [impulses, n] = [found?.impulses ?? new Float64Array(3), found?.normals ?? new Float64Array(3)];
      const normal = [0, 1, 2].reduce((sum, i) => sum + impulses[i] * n[i], 0);
      const across = Math.hypot(...[0, 1, 2].map((i) => impulses[i] - normal * n[i]));
      expect(normal / normals[row + 1]).toBeCloseTo(1, 4);
      expect(across / tangents[row + 1]).toBeCloseTo(1, 4);
    }
  });

  it('of a ball are fully determined by its velocities', () => {
    const ball = rigid('ball', [0, 0, 0.1], { shapes: [{ type: 'Sphere', radius: 0.1 }] });
    const document = spaceModel([floor(), ball], [touch('ground', ['floor', 'ball'])], { tEnd: 0.1 });
    const found = contactsAt(document, undefined, {}, moment(document, 'ball', 50), environment);
    expect(found?.matrix).toMatchObject({ rows: 3, rank: 3 });
  });

  it('in the plane have two rows each', () => {
    const line = { id: 'line', type: 'FixedBody', shapes: [{ type: 'Plane', normal: [0, 1, 0] }] };
    const tile = {
      id: 'tile',
      type: 'RigidBody',
      density: 10,
      position: [0, 0.1, 0],
      gravity: [0, -G, 0],
      shapes: [
        {
          type: 'Polygon',
          points: [
            [-0.1, -0.1],
            [0.1, -0.1],
            [0.1, 0.1],
            [-0.1, 0.1],
          ],
        },
      ],
    };
    const document = spaceModel([line, tile], [touch('ground', ['line', 'tile'])], { tEnd: 0.1 });
    const found = contactsAt(document, undefined, {}, moment(document, 'tile', 50), environment);
    expect(found?.count).toBe(2);
    expect(found?.matrix).toMatchObject({ rows: 4, rank: 3 });
  });

  it('at bodies that joints link act on each other, with the freedoms that joints leave', () => {
    const feet = ['left', 'right'].map((id, k) =>
      rigid(id, [2 * k - 1, 0, 0.1], { shapes: [{ type: 'Sphere', radius: 0.1 }] }),
    );
    const ids = feet.map(({ id }) => id);
    const document = spaceModel(
      [floor(), ...feet, rigid('far', [9, 0, 0.1])],
      [touch('ground', ['floor', ...ids, 'far']), joint('beam', ids, { type: 'FixedJoint' })],
      { tEnd: 0.1 },
    );
    const { matrix, count } = contactsAt(
      document,
      undefined,
      {},
      { time: 0, ...atStart(3, [-1, 0, 0.1], [1, 0, 0.1], [9, 0, 0.1]) },
      environment,
    ) ?? { matrix: null, count: 0 };
    expect(count).toBe(6);
    // Two contacts of one body of six freedoms leave it the turn about the line between them.
    expect(matrix).toMatchObject({ rows: 18, rank: 5 + 6 });
    expect([...(matrix?.pattern?.rowStart ?? [])].at(-1)).toBe(2 ** 2 + 4 ** 2);
  });

  it('that are very many have no rank, which would be waited for', () => {
    const ids = Array.from({ length: 40 }, (_, k) => `b${k}`);
    const places = ids.map((_, k) => [k, 0, 0.1] as const);
    const document = spaceModel(
      [floor(), ...ids.map((id, k) => rigid(id, [...places[k]]))],
      [touch('ground', ['floor', ...ids])],
    );
    const found = contactsAt(document, undefined, {}, { time: 0, ...atStart(40, ...places) }, environment);
    expect(found?.matrix.rows).toBe(480);
    expect(found?.matrix.rank).toBeNull();
    expect(found?.matrix.pattern?.columns).toHaveLength(40 * 16);
  });

  it('are none in the air', () => {
    const document = spaceModel([floor(), rigid('box', [0, 0, 2])], [touch('ground', ['floor', 'box'])], {
      tEnd: 0.1,
    });
    const found = contactsAt(document, undefined, {}, moment(document, 'box', 20), environment);
    expect(found?.count).toBe(0);
    expect(found?.matrix).toMatchObject({ rows: 0, rank: 0 });
  });

  it('follow the parameters that the run had', () => {
    const document = resting();
    document.parameters = [{ name: 'weight', value: G }];
    document.systems[1].gravity = [0, 0, '-weight'];
    const state = moment(document, 'box', 50);
    const heavier = contactsAt(document, undefined, { set: { weight: 2 * G } }, state, environment);
    const sum = [0, 1, 2, 3].reduce((total, c) => total + (heavier?.impulses[3 * c + 2] ?? 0), 0);
    expect(sum).toBeCloseTo(16 * G * 1e-3, 9);
  });

  it('execute scripts where the model has any', () => {
    const document = withFunctions(
      resting(),
      'export const press = (t: number, out: Float64Array) => { out[2] = -100; };',
    );
    document.systems[1].force = { function: 'press' };
    const state = moment(document, 'box', 50);
    const found = contactsAt(document, undefined, {}, state, environment);
    const sum = [0, 1, 2, 3].reduce((total, c) => total + (found?.impulses[3 * c + 2] ?? 0), 0);
    expect(sum).toBeCloseTo((8 * G + 100) * 1e-3, 9);
    expect(
      contactsAt(document, undefined, {}, state, { sandbox: createSandbox, begin: () => false }),
    ).toBeNull();
  });

  it('are not known of another model, or of one without 3D bodies', () => {
    const document = resting();
    const state = moment(document, 'box', 0);
    document.systems.push(rigid('other', [5, 0, 0.1]));
    expect(contactsAt(document, undefined, {}, state, environment)).toBeNull();
    expect(contactsAt(model([particle('p', 0, 0)]), undefined, {}, state, environment)).toBeNull();
    const broken = resting();
    broken.systems[1].density = -1;
    expect(contactsAt(broken, undefined, {}, state, environment)).toBeNull();
  });

  it('know whole turns of joints: 4 rad are not −2.28 rad, beyond a stop', () => {
    const document = spaceModel(
      [floor(), rigid('box', [0, 0, 0.1])],
      [
        touch('ground', ['floor', 'box'], 0.3),
        joint('post', ['box'], {
          type: 'CylindricalJoint',
          axis: [0, 0, 1],
          angleMin: -0.5,
          angleMax: 20,
          e: 1,
        }),
      ],
    );
    const [angle, rate] = [4, -1];
    // Friction at the corners turns it back, whichever of them bear it; had it struck the stop, it would turn
    // the other way.
    const momentWith = (counted: number): number => {
      const state = {
        time: 0,
        q: Float64Array.of(0, 0, 0.1, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)),
        v: Float64Array.of(0, 0, 0, 0, 0, rate),
        coordinates: Float64Array.of(0, counted),
      };
      const { impulses, points } = contactsAt(document, undefined, {}, state, environment) ?? {};
      let sum = 0;
      for (let c = 0; c < 12; c += 3) {
        const [x, y] = points?.subarray(c) ?? [];
        const [fx, fy] = impulses?.subarray(c) ?? [];
        sum += x * fy - y * fx;
      }
      return sum;
    };
    const moment = 0.3 * 8 * G * 1e-3 * Math.hypot(0.1, 0.1);
    expect(momentWith(angle)).toBeCloseTo(moment, 9);
    expect(momentWith(angle - 2 * Math.PI)).toBeCloseTo(-moment, 9);
  });

  it('are those of the run that is asked for, whichever was asked for before', () => {
    const probes = new ContactProbes();
    const document = resting();
    const state = moment(document, 'box', 50);
    const icy = resting();
    icy.interactions[0].law.mu = 0;
    const ask = (run: string, asked: ModelDocument): number[] => [
      ...(probes.at(run, asked, undefined, {}, state, environment)?.frictions ?? []),
    ];
    expect(ask('a', document)).toEqual([0.3, 0.3, 0.3, 0.3]);
    expect(ask('b', icy)).toEqual([0, 0, 0, 0]);
    expect(ask('a', document)).toEqual([0.3, 0.3, 0.3, 0.3]);
    // Of the same run the model is not looked at again.
    expect(ask('a', icy)).toEqual([0.3, 0.3, 0.3, 0.3]);
  });
});
