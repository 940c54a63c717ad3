/** 3D bodies in scripts for Siconos: what it does otherwise is refused where it stands. */
import { describe, expect, it } from 'vitest';
import type {
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import { siconosScript } from '@engine/siconos/script';
import { floor, joint, rigid, spaceModel, touch } from '../support/space';

const SPHERE = { mass: 1, shapes: [{ type: 'Sphere', radius: 0.1 }] };
const ball = (id = 'ball', fields: Record<string, SystemDocument[string]> = {}): SystemDocument =>
  rigid(id, [0, 0, 1], { ...SPHERE, ...fields });

const model = (
  systems: SystemDocument[],
  interactions: InteractionDocument[],
  integrator: Partial<TypedElement> = { projection: 'no' },
): ModelDocument => {
  const document = spaceModel(systems, interactions);
  document.simulation.integrators = [{ type: 'MoreauJean', ...integrator }];
  return document;
};
const onFloor = (fields: Record<string, SystemDocument[string]> = {}, integrator?: Partial<TypedElement>) =>
  model([floor(), ball('ball', fields)], [touch('table', ['floor', 'ball'])], integrator);
const held = (integrator: Partial<TypedElement>): ModelDocument =>
  model([ball()], [joint('pin', ['ball'], { type: 'BallJoint', point: [0, 0, 2] })], integrator);

/** [what, document, place, remedy] */
const refused: [string, ModelDocument, string, RegExp][] = [
  ['a density', model([rigid('box', [0, 0, 1])], []), '/systems/0', /mass and inertia/],
  ['a force in time', model([ball('ball', { force: { function: 'push' } })], []), '/systems/0', /constant/],
  ['a field it does not write', model([ball('ball', { moment: [0, 0, 1] })], []), '/systems/0', /Remove/],
  ['a floor elsewhere', model([floor('floor', { position: [0, 0, 1] })], []), '/systems/0', /Turn/],
  [
    'a box on the floor',
    onFloor({ shapes: [{ type: 'Box', size: [1, 1, 1] }], inertia: [1, 1, 1] }),
    '/interactions/0',
    /ball/,
  ],
  ['a ball that is not round', onFloor({ inertia: [1, 2, 2] }), '/interactions/0', /ball/],
  [
    'two balls that touch',
    model([ball('a'), ball('b')], [touch('both', ['a', 'b'])]),
    '/interactions/0',
    /fix one/,
  ],
  [
    'a law that Siconos lacks',
    model(
      [floor(), ball()],
      [{ ...touch('table', ['floor', 'ball']), law: { type: 'FremondImpact3D', k: 1, mu: 0 } }],
    ),
    '/interactions/0',
    /NewtonImpact3D/,
  ],
  [
    'a joint that it does not write',
    model([ball()], [joint('cross', ['ball'], { type: 'UniversalJoint', point: [0, 0, 2] })]),
    '/interactions/0',
    /BallJoint/,
  ],
  [
    'a stop of a joint',
    model(
      [ball()],
      [joint('pin', ['ball'], { type: 'RevoluteJoint', point: [0, 0, 2], axis: [0, 1, 0], angleMax: 1 })],
      { projection: 'no', relationPoint: 'end' },
    ),
    '/interactions/0',
    /Remove/,
  ],
  ['half steps', model([ball()], [], { type: 'MoreauHalfStep' }), '/simulation', /MoreauJean/],
  [
    'Galerkin steps, which Python has not',
    model([ball()], [], { type: 'D1MinusLinear' }),
    '/simulation',
    /MoreauJean/,
  ],
  ['rows of joints at the predicted position', held({ projection: 'no' }), '/simulation', /end of the step/],
  ['the metric of the masses', held({ relationPoint: 'end' }), '/simulation', /metric/],
  [
    'combined projection of joints',
    held({ relationPoint: 'end', projection: 'combined', metric: 'euclidean' }),
    '/simulation',
    /direct/,
  ],
  [
    'contacts in the direct projection',
    onFloor({}, { projection: 'yes', projectContacts: 'yes', metric: 'euclidean' }),
    '/simulation',
    /combined/,
  ],
];

describe('3D bodies in scripts for Siconos', () => {
  it('are written with joints or contacts of balls', () => {
    const script = siconosScript(onFloor());
    if (!script.ok) throw new Error(script.issues.map(({ message }) => message).join(' '));
    expect(script.text).toContain('ball = sk.NewtonEulerDS([*[0, 0, 1], *[1.0, 0.0, 0.0, 0.0]]');
    expect(script.text).toContain('on_floor(sk.NewtonEuler3DR)(0.1)');
    const joined = siconosScript(held({ relationPoint: 'end', metric: 'euclidean' }));
    if (!joined.ok) throw new Error(joined.issues.map(({ message }) => message).join(' '));
    expect(joined.text).toContain('joints.KneeJointR(sk.SiconosVector([0, 0, 2]), True, ball)');
    expect(joined.text).toContain('sk.TimeSteppingDirectProjection(');
  });

  it('are written with an upright axis, and with what holds anyway, where nothing else is said', () => {
    const settings = { relationPoint: 'end', metric: 'euclidean', projection: 'no' };
    const hinge = { type: 'RevoluteJoint', point: [0, 0, 2], given: 'world', collides: 'no' };
    const script = siconosScript(model([ball()], [joint('pin', ['ball'], hinge)], settings));
    if (!script.ok) throw new Error(script.issues.map(({ message }) => message).join(' '));
    expect(script.text).toContain('sk.SiconosVector([0, 0, 2]), sk.SiconosVector([0, 0, 1])');
  });

  it.each(refused)('refuse %s', (_what, document, pointer, remedy) => {
    const script = siconosScript(document);
    if (script.ok) throw new Error('written');
    const issue = script.issues.find((one) => one.pointer === pointer);
    expect(issue, JSON.stringify(script.issues)).toBeDefined();
    expect(issue?.code).toBe('no-counterpart');
    expect(issue?.remedy).toMatch(remedy);
  });
});
