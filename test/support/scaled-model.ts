/**
 * A model in other units: the same system with times τ t, coordinates κ_j q_j, first-order states σ x,
 * energies ε E, outputs η y. What is computed of it has to be what is computed of the original, in these
 * units. Forms are wrapped, scripts with them; with powers of two and without scripts that are not linear in
 * their arguments all that is exact.
 *
 *     order 1:  f′ = (σ/τ) f(t′/τ, x′/σ),   y′ = σ h,   λ′ = σ λ
 *     order 2:  M′_ij = ε τ²/(κ_i κ_j) M_ij,   F′_i = ε/κ_i F_i,   y′ = η h,
 *     impulses λ′ = (ε τ/η) λ, forces λ′ = (ε/η) λ
 */
import type { SparseRows } from '@engine/linalg/sparse';
import type { FirstOrderForm, LagrangianForm, LawRow } from '@engine/model/forms';
import type { DynamicalSystem, Interaction, NonSmoothDynamicalSystem } from '@engine/model/nsds';

/** Factors by which numbers grow. */
export interface Units {
  readonly time: number;
  readonly length: number;
  readonly mass: number;
  /** of first-order states, voltages and currents alike */
  readonly current: number;
}

export interface ScaledModel {
  readonly model: NonSmoothDynamicalSystem;
  /**
   * factors of positions and first-order states, and of velocities, by coordinate, and of multipliers by row
   */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly multipliers: Float64Array;
}

const energyOf = ({ time, length, mass }: Units): number => (mass * length * length) / (time * time);

/** Factor of each coordinate of a system: angles have none. */
function coordinatesOf({ form, units }: DynamicalSystem, { length, current }: Units): Float64Array {
  return Float64Array.from({ length: form.size }, (_, k) =>
    form.order === 1 ? current : units?.[k] === 'rad' ? 1 : length,
  );
}

const divided = (x: Float64Array, by: Float64Array): Float64Array => x.map((value, i) => value / by[i]);

/** A function of time and arguments that takes them in the new units and gives its values in them. */
function wrap(
  call: (clock: Float64Array, out: Float64Array) => void,
  time: number,
  factor: (k: number) => number,
): (clock: Float64Array, out: Float64Array) => void {
  return (clock, out) => {
    call(Float64Array.of(clock[0] / time), out);
    for (let k = 0; k < out.length; k++) out[k] *= factor(k);
  };
}

function sparse(matrix: SparseRows | null, factor: (i: number, j: number) => number): SparseRows | null {
  if (matrix === null) return null;
  const values = matrix.values.slice();
  for (let i = 0; i < matrix.rows; i++)
    for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++)
      values[k] *= factor(i, matrix.columns[k]);
  return { ...matrix, values };
}

function firstOrder(form: FirstOrderForm, x: Float64Array, time: number): FirstOrderForm {
  const n = form.size;
  const { analytic: _, ...rest } = form;
  return {
    ...rest,
    mass: form.mass,
    x0: form.x0.map((value, i) => value * x[i]),
    rate: (clock, state, out) => {
      const at = divided(state, x);
      wrap(
        (t, to) => form.rate(t, at, to),
        time,
        (i) => x[i] / time,
      )(clock, out);
    },
    rateJacobian: (clock, state, out) => {
      const at = divided(state, x);
      wrap(
        (t, to) => form.rateJacobian(t, at, to),
        time,
        (k) => x[Math.floor(k / n)] / x[k % n] / time,
      )(clock, out);
    },
  };
}

function lagrangian(form: LagrangianForm, k: Float64Array, units: Units): LagrangianForm {
  const n = form.size;
  const { time } = units;
  const energy = energyOf(units);
  const inertia = (i: number, j: number): number => (energy * time * time) / (k[i] * k[j]);
  const stiffness = (i: number, j: number): number => energy / (k[i] * k[j]);
  const damping = (i: number, j: number): number => (energy * time) / (k[i] * k[j]);
  const force = (i: number): number => energy / k[i];
  const speed = k.map((factor) => factor / time);
  const { linear, analytic: _, ...rest } = form;
  const of = (matrix: (i: number, j: number) => number) => (entry: number) =>
    matrix(Math.floor(entry / n), entry % n);
  return {
    ...rest,
    q0: form.q0.map((value, i) => value * k[i]),
    v0: form.v0.map((value, i) => value * speed[i]),
    constantMass: sparse(form.constantMass, inertia),
    mass: (q, out) => {
      form.mass(divided(q, k), out);
      for (let entry = 0; entry < n * n; entry++) out[entry] *= of(inertia)(entry);
    },
    linear:
      linear === null
        ? null
        : {
            damping: sparse(linear.damping, damping),
            stiffness: sparse(linear.stiffness, stiffness),
            constantForce: linear.constantForce.map((value, i) => value * force(i)),
            force: linear.force === null ? null : wrap(linear.force, time, force),
            base:
              linear.base === null
                ? null
                : {
                    position: wrap(linear.base.position, time, (i) => k[i]),
                    velocity: wrap(linear.base.velocity, time, (i) => speed[i]),
                    ...(linear.base.acceleration && {
                      acceleration: wrap(linear.base.acceleration, time, (i) => speed[i] / time),
                    }),
                  },
          },
    force: (clock, q, v, out) => {
      const [at, going] = [divided(q, k), divided(v, speed)];
      wrap((t, to) => form.force(t, at, going, to), time, force)(clock, out);
    },
    forceJacobians: (clock, q, v, outQ, outV) => {
      form.forceJacobians(Float64Array.of(clock[0] / time), divided(q, k), divided(v, speed), outQ, outV);
      for (let entry = 0; entry < n * n; entry++) {
        outQ[entry] *= of(stiffness)(entry);
        outV[entry] *= of(damping)(entry);
      }
    },
  };
}

/** Factors of the rows of an interaction: outputs and multipliers. */
function rowsOf({ relation, law }: Interaction, units: Units): { y: Float64Array; lambda: Float64Array } {
  const { time, length, current } = units;
  const y = Float64Array.from({ length: relation.size }, (_, r) =>
    relation.order === 1 ? current : relation.rows?.[r]?.unit === 'rad' ? 1 : length,
  );
  const effort = energyOf(units) * (law.multiplier === 'impulse' ? time : 1);
  return { y, lambda: y.map((factor) => (relation.order === 1 ? current : effort / factor)) };
}

/** @param level factor of what the law compares λ with */
function lawRow(row: LawRow, level: number, lambda: number): LawRow {
  if (row.kind === 'friction') return row;
  if (row.kind === 'box') return { ...row, lower: row.lower * lambda, upper: row.upper * lambda };
  if (row.kind === 'polytope') {
    const { polytope } = row;
    const factor = polytope.confines === 'output' ? level : lambda;
    return { ...row, polytope: { ...polytope, b: polytope.b.map((side) => side * factor) } };
  }
  if (row.kind === 'percussion') return { ...row, viscosity: (row.viscosity * lambda) / level };
  if (row.kind === 'cone') return { ...row, cone: { ...row.cone, apex: row.cone.apex * lambda } };
  const { graph } = row;
  const direction = ([dy, dl]: readonly [number, number]): [number, number] => [dy * level, dl * lambda];
  return {
    kind: 'graph',
    graph: {
      y: graph.y.map((value) => value * level),
      lambda: graph.lambda.map((value) => value * lambda),
      startDirection: direction(graph.startDirection),
      endDirection: direction(graph.endDirection),
    },
  };
}

function scaleInteraction(interaction: Interaction, z: Float64Array, units: Units): Interaction {
  const { relation, law } = interaction;
  const { size, columns, order } = relation;
  const { time } = units;
  const { y, lambda } = rowsOf(interaction, units);
  const input = (k: number): number => z[k] / time;
  const factorC = (entry: number): number => y[Math.floor(entry / columns)] / z[entry % columns];
  const factorD = (entry: number): number => y[Math.floor(entry / size)] / lambda[entry % size];
  const factorB = (entry: number): number => input(Math.floor(entry / size)) / lambda[entry % size];
  const factorK = (entry: number): number => input(Math.floor(entry / columns)) / z[entry % columns];
  const times = (values: Float64Array | null, factor: (k: number) => number): Float64Array | null =>
    values === null ? null : values.map((value, k) => value * factor(k));
  const inPlace = (values: Float64Array, factor: (k: number) => number): void => {
    for (let k = 0; k < values.length; k++) values[k] *= factor(k);
  };
  const at = (clock: Float64Array): Float64Array => Float64Array.of(clock[0] / time);
  const { curvature, jointForce: _, ...rest } = relation;
  return {
    ...interaction,
    relation: {
      ...rest,
      C: times(relation.C, factorC),
      D: times(relation.D, factorD),
      B: times(relation.B, factorB),
      output: (clock, x, l, out) => {
        relation.output(at(clock), divided(x, z), divided(l, lambda), out);
        inPlace(out, (r) => y[r]);
      },
      outputJacobians: (clock, x, l, outC, outD) => {
        relation.outputJacobians(at(clock), divided(x, z), divided(l, lambda), outC, outD);
        inPlace(outC, factorC);
        if (relation.hasFeedthrough) inPlace(outD, factorD);
      },
      timeDerivative: (clock, x, out) => {
        relation.timeDerivative(at(clock), divided(x, z), out);
        inPlace(out, (r) => y[r] / time);
      },
      ...(curvature && {
        curvature: (clock: Float64Array, x: Float64Array, v: Float64Array, out: Float64Array) => {
          const speed = divided(v, z).map((value) => value * time);
          curvature(at(clock), divided(x, z), speed, out);
          inPlace(out, (r) => y[r] / (time * time));
        },
      }),
      input: (clock, x, l, out) => {
        relation.input(at(clock), divided(x, z), divided(l, lambda), out);
        inPlace(out, input);
      },
      inputJacobians: (clock, x, l, outK, outB) => {
        relation.inputJacobians(at(clock), divided(x, z), divided(l, lambda), outK, outB);
        if (relation.hasStateInput) inPlace(outK, factorK);
        inPlace(outB, factorB);
      },
    },
    law: {
      ...law,
      rows: Array.from({ length: size }, (_row, r) =>
        lawRow(
          law.rows[r % law.size],
          order === 2 && law.level === 'velocity' ? y[r] / time : y[r],
          lambda[r],
        ),
      ),
      size,
    },
  };
}

/** The model in other units, and what turns its numbers into those of the original by division. */
export function scaleModel(model: NonSmoothDynamicalSystem, units: Units): ScaledModel {
  const factors = model.systems.map((system) => coordinatesOf(system, units));
  const flat = Float64Array.from(factors.flatMap((one) => [...one]));
  return {
    model: {
      // Functions are called in the old units, and their conditions are what they were.
      ...(model.conditions && { conditions: model.conditions }),
      systems: model.systems.map((system, s) => ({
        ...system,
        form:
          system.form.order === 1
            ? firstOrder(system.form, factors[s], units.time)
            : lagrangian(system.form, factors[s], units),
      })),
      interactions: model.interactions.map((interaction) =>
        scaleInteraction(
          interaction,
          Float64Array.from(interaction.systems.flatMap((s) => [...factors[s]])),
          units,
        ),
      ),
    },
    positions: flat,
    velocities: flat.map((factor) => factor / units.time),
    multipliers: Float64Array.from(
      model.interactions.flatMap((interaction) => [...rowsOf(interaction, units).lambda]),
    ),
  };
}
