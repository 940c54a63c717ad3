/**
 * 3D bodies for Siconos: rigid bodies with joints, or balls over a plane with or without friction, by
 * Moreau–Jean, also with projected positions. What is outside of that is refused where it stands.
 */
import type {
  Expression,
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '../document/types';
import type { PythonNames } from './python/names';
import { pythonString } from './python/names';
import {
  type Attempt,
  type ElementWriter,
  type ModelWriter,
  NoCounterpart,
  functionName,
  readWhole,
} from './writer';

const BODIES: ReadonlySet<string> = new Set(['RigidBody', 'FixedBody', 'PseudoRigidBody']);

export const hasBodies = ({ systems }: ModelDocument): boolean =>
  systems.some(({ type }) => BODIES.has(type));

interface Body {
  readonly system: SystemDocument;
  readonly name: string;
}

/** Upwards when left out. */
const axisOf = (axis: FieldValue | undefined, to: ElementWriter): string => to.vector(axis ?? [0, 0, 1], 3);

/** Joints: their class, and its arguments before the bodies. */
const JOINTS: Readonly<Record<string, (relation: TypedElement, to: ElementWriter) => string>> = {
  BallJoint: ({ point }, to) => `joints.KneeJointR(sk.SiconosVector(${to.vector(point, 3)})`,
  KneeJoint: ({ point }, to) => `joints.KneeJointR(sk.SiconosVector(${to.vector(point, 3)})`,
  PrismaticJoint: ({ axis }, to) => `joints.PrismaticJointR(sk.SiconosVector(${axisOf(axis, to)})`,
  RevoluteJoint: ({ point, axis }, to) =>
    `joints.PivotJointR(sk.SiconosVector(${to.vector(point, 3)}), sk.SiconosVector(${axisOf(axis, to)})`,
};

type ContactKind = 'frictionless' | 'friction';

class BodyScript {
  readonly #bodies = new Map<string, Body>();
  readonly #to: ElementWriter;
  readonly #contacts = new Set<ContactKind>();
  #joints = 0;
  #springs = false;

  constructor(
    private readonly document: ModelDocument,
    private readonly writer: ModelWriter,
    private readonly names: PythonNames,
    private readonly attempt: Attempt,
  ) {
    this.#to = writer.forElement('');
  }

  write(): string[] {
    const { systems, interactions } = this.document;
    const bodies = systems.flatMap(
      (system, i) =>
        this.attempt(`/systems/${i}`, system.id, () => readWhole(system, (read) => this.#body(read))) ?? [],
    );
    const links = interactions.flatMap(
      (one, i) => this.attempt(`/interactions/${i}`, one.id, () => this.#link(one)) ?? [],
    );
    const simulation = this.attempt('/simulation', '', () => this.#simulation()) ?? [];
    this.writer.warnings.push(
      'Siconos turns bodies by h Ω with a series whose second term has the wrong sign where h |Ω| is below 0.0025: by (h |Ω|)³/8 too far.',
    );
    return [...bodies, '', ...links, '', ...simulation];
  }

  #body(system: SystemDocument): string[] {
    const { id, type } = system;
    if (type === 'FixedBody') {
      this.#checkFloor(system);
      return [];
    }
    if (type !== 'RigidBody' || system.mass === undefined || functionName(system.inertia) !== null)
      throw new NoCounterpart(
        'Only rigid bodies with a mass and constant moments of inertia are written beside 3D bodies.',
        'Make it a RigidBody, and give mass and inertia.',
      );
    if (functionName(system.force) !== null)
      throw new NoCounterpart('Its force is a function.', 'Give a constant force.');
    const to = this.#to;
    const name = this.names.claim(id);
    this.#bodies.set(id, { system, name });
    const mass = to.number(system.mass as Expression);
    const place = `[*${to.vector(system.position, 3)}, *${system.orientation === undefined ? '[1.0, 0.0, 0.0, 0.0]' : to.vector(system.orientation, 4)}]`;
    const motion = `[*${to.vector(system.velocity, 3)}, *${to.vector(system.spin, 3)}]`;
    const [g, f] = [to.vector(system.gravity, 3), to.vector(system.force, 3)];
    // Shapes matter where they touch.
    void system.shapes;
    const signals = [
      ...Array.from({ length: 7 }, (_, i) => `(${pythonString(`${id}.q[${i}]`)}, lambda: ${name}.q()[${i}])`),
      ...Array.from(
        { length: 6 },
        (_, i) => `(${pythonString(`${id}.v[${i}]`)}, lambda: ${name}.twist()[${i}])`,
      ),
    ];
    return [
      `${name} = sk.NewtonEulerDS(${place}, ${motion}, float(${mass}), ${this.#inertia(system, mass)})`,
      `${name}.setFExtPtr([(${mass}) * a + f for a, f in zip(${g}, ${f})])`,
      `model.insertDynamicalSystem(${name})`,
      `signals += [${signals.join(', ')}]`,
    ];
  }

  #inertia(system: SystemDocument, mass: string): string {
    const to = this.#to;
    const { inertia } = system;
    if (Array.isArray(inertia) && inertia.length === 3)
      return `np.diag(np.array(${to.vector(inertia, 3)}, dtype=float))`;
    if (Array.isArray(inertia) && inertia.length === 9)
      return `np.array(${to.vector(inertia, 9)}, dtype=float).reshape(3, 3)`;
    const radius = inertia === undefined ? this.#radius(system) : null;
    if (radius === null)
      throw new NoCounterpart(
        'Its moments of inertia are those of its shapes.',
        'Give the three moments of inertia.',
      );
    return `np.eye(3) * (0.4 * (${mass}) * (${radius}) ** 2)`;
  }

  /** Radius of a body that is one sphere about its mass centre; null of others. */
  #radius({ shapes }: SystemDocument): string | null {
    const all = (shapes ?? []) as TypedElement[];
    if (all.length !== 1 || all[0].type !== 'Sphere' || all[0].position !== undefined) return null;
    return this.#to.number(all[0].radius as Expression);
  }

  #checkFloor(system: SystemDocument): void {
    const shapes = (system.shapes ?? []) as TypedElement[];
    const isFloor = shapes.length === 1 && shapes[0].type === 'Plane' && Object.keys(shapes[0]).length === 1;
    if (isFloor && Object.keys(system).every((key) => ['id', 'type', 'shapes'].includes(key))) return;
    throw new NoCounterpart(
      'Of fixed bodies the plane z = 0 is written, which rests.',
      'Turn the scene so that its floor is that plane, and leave other fixed bodies out.',
    );
  }

  #link(interaction: InteractionDocument): string[] {
    if (interaction.while !== undefined)
      throw new NoCounterpart('It comes and goes by a condition.', 'Remove the condition.');
    const { relation, id, systems } = interaction;
    const bodies = systems.flatMap((one) => this.#bodies.get(one) ?? []);
    const fixed = systems.length - bodies.length;
    const name = this.names.claim(id);
    const relationName = this.names.claim(`${name}_relation`);
    const joint = JOINTS[relation.type] as (typeof JOINTS)[string] | undefined;
    if (joint !== undefined && fixed === 0) {
      this.#joints++;
      if (interaction.law.type !== 'Equality')
        throw new NoCounterpart(
          `The law ${interaction.law.type} is not written on joints.`,
          'Choose Equality.',
        );
      const parts = bodies.map((body) => body.name).join(', ');
      const object = readWhole(relation, (read) => joint(read, this.#to));
      return [
        `${relationName} = ${object}, True, ${parts})`,
        `${name} = link(sk.EqualityConditionNSL(${relationName}.numberOfConstraints()), ${relationName}, ${parts})`,
      ];
    }
    if (relation.type !== 'ShapeContact')
      throw new NoCounterpart(
        `The relation ${relation.type} of these bodies is not written.`,
        `Use ${[...Object.keys(JOINTS), 'ShapeContact'].join(', ')}, with joints to the ground by one body alone.`,
      );
    if (systems.length !== 2 || fixed !== 1)
      throw new NoCounterpart(
        'Contacts are written between a ball and the floor: of two bodies that slide over each other the gap is kept here as the normal turns, and not there.',
        'Leave the contact out, or fix one of the two.',
      );
    const radius = this.#ball(bodies[0].system);
    const [law, kind] = readWhole(interaction.law, (read) => this.#law(read));
    this.#contacts.add(kind);
    const base = `sk.NewtonEuler${kind === 'friction' ? 3 : 1}DR`;
    return [
      `${relationName} = ${this.#to.helper('on_floor')}(${base})(${radius})`,
      `${name} = link(${law}, ${relationName}, ${bodies[0].name})`,
    ];
  }

  /** Rows of contacts are of the predicted position, where only balls are the same turned otherwise. */
  #ball(system: SystemDocument): string {
    const radius = this.#radius(system);
    const moments = system.inertia as Expression[] | undefined;
    const isRound = moments === undefined || new Set(moments.map((one) => this.#to.evaluate(one))).size === 1;
    if (radius !== null && isRound) return radius;
    throw new NoCounterpart(
      'Contacts are written of balls: one sphere about the mass centre, with equal moments of inertia.',
      'Leave the contact out, or make the body a ball.',
    );
  }

  #law(law: TypedElement): [string, ContactKind] {
    const to = this.#to;
    const { type } = law;
    if (type !== 'NewtonImpact3D' && type !== 'NewtonImpactFriction3D')
      throw new NoCounterpart(
        `The law ${type} is not written.`,
        'Choose NewtonImpact3D or NewtonImpactFriction3D.',
      );
    if (to.evaluate((law.e ?? 0) as Expression) !== 0) this.#springs = true;
    const e = to.number((law.e ?? 0) as Expression);
    if (type === 'NewtonImpact3D') return [`sk.NewtonImpactNSL(${e})`, 'frictionless'];
    return [`sk.NewtonImpactFrictionNSL(${e}, 0.0, ${to.number(law.mu as Expression)}, 3)`, 'friction'];
  }

  #problem(): string[] {
    if (this.#contacts.size + Number(this.#joints > 0) > 1)
      throw new NoCounterpart(
        'Joints, contacts with friction and contacts without are written one kind at a time: their rows are of different positions there.',
        'Divide the model, or leave one kind.',
      );
    if (this.#contacts.has('friction'))
      return [
        'problem = sk.FrictionContact(3)',
        'problem.numericsSolverOptions().dparam[sn.SICONOS_DPARAM_TOL] = 1e-12',
        'problem.numericsSolverOptions().iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000',
      ];
    return ['problem = sk.MLCP(sn.SICONOS_MLCP_ENUM)'];
  }

  #simulation(): string[] {
    const { integrators } = this.document.simulation;
    const given = integrators.at(0);
    if (integrators.length !== 1 || given?.type !== 'MoreauJean')
      throw new NoCounterpart(
        `The Python binding of Siconos advances bodies by Moreau–Jean, and has no integrator ${given?.type ?? 'MoreauHalfStep'}.`,
        'Choose the integrator MoreauJean for all of them.',
      );
    return readWhole(given, (read) => this.#steps(read));
  }

  #steps({
    theta = 0.5,
    forecast = 0.5,
    relationPoint = 'predicted',
    projection = 'yes',
    projectContacts = 'no',
    metric = 'mass',
    projectionTolerance = 1e-10,
    projectionIterations = 30,
    activation = 'forecast',
    gyroscopic = 'implicit',
    massPoint: _,
    systems: __,
  }: TypedElement): string[] {
    const to = this.#to;
    const number = (value: unknown): string => to.number(value as Expression);
    const problem = this.#problem();
    if (activation !== 'forecast' || gyroscopic !== 'implicit')
      throw new NoCounterpart(
        'Siconos activates contacts by forecast, and has the gyroscopic moment at both ends of a step.',
        'Set both as they are by default.',
      );
    if (this.#joints > 0 && relationPoint !== 'end')
      throw new NoCounterpart(
        'Siconos has rows of joints at the end of the step.',
        'Set “Jacobians of relations at” to the end of the step.',
      );
    const isProjected = projection !== 'no' && (this.#joints > 0 || projectContacts === 'yes');
    if (isProjected && metric !== 'euclidean')
      throw new NoCounterpart(
        'The projection of Siconos is in the metric of the coordinates.',
        'Set the metric of the projection to that of the coordinates.',
      );
    if (isProjected && projection === 'yes' && this.#joints === 0)
      throw new NoCounterpart(
        'The direct projection of Siconos leaves the overlap of the step in which a contact closes.',
        'Choose the combined projection, or leave contacts out of it.',
      );
    if (isProjected && projection === 'combined' && (this.#joints > 0 || this.#springs))
      throw new NoCounterpart(
        'The combined projection of Siconos leaves velocities of joints as they are, and brings contacts that spring back down to zero.',
        this.#joints > 0 ? 'Choose the direct projection.' : 'Set restitutions to 0.',
      );
    const kind = isProjected ? (projection === 'combined' ? 'Combined' : 'Direct') : '';
    const grid = 'sk.TimeDiscretisation(t0, h)';
    const lines =
      kind === ''
        ? [
            `integrator = sk.MoreauJeanOSI(${number(theta)})`,
            `integrator.setGamma(${number(forecast)})`,
            ...problem,
            `simulation = sk.TimeStepping(model, ${grid}, integrator, problem)`,
          ]
        : [
            `integrator = sk.MoreauJean${kind}ProjectionOSI(${number(theta)}${kind === 'Direct' ? `, ${number(forecast)}` : ''})`,
            ...problem,
            'positions = sk.MLCPProjectOnConstraints(sn.SICONOS_MLCP_ENUM, 1.0)',
            `simulation = sk.TimeStepping${kind}Projection(model, ${grid}, integrator, problem, positions)`,
            `simulation.setConstraintTol(${number(projectionTolerance)})`,
            `simulation.setConstraintTolUnilateral(${number(projectionTolerance)})`,
            `simulation.setProjectionMaxIteration(${number(projectionIterations)})`,
          ];
    // Rows at the end need iterations; at the predicted position one, and another for ẏ to be evaluated.
    const iterations = this.#joints > 0 ? 12 : 2;
    return [
      ...lines,
      `simulation.setNewtonTolerance(${this.#joints > 0 ? '0.0' : '1e300'})`,
      `simulation.setNewtonMaxIteration(${iterations})`,
      'simulation.setWarnOnNonConvergence(False)',
    ];
  }
}

export const BODY_IMPORTS: readonly string[] = ['import siconos.mechanics.joints as joints'];

/** Lines of bodies, joints and contacts, and of the simulation. */
export const bodyLines = (
  document: ModelDocument,
  writer: ModelWriter,
  names: PythonNames,
  attempt: Attempt,
): string[] => new BodyScript(document, writer, names, attempt).write();
