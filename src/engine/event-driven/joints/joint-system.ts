/**
 * The joints of a model, and the Lagrangian systems that they hold, as one constrained system of `multibody`:
 *
 *     M v̇ − ᵗΦ_q λ = F(t, q, v),   Φ(t, q) = h(t, q) − y₀ = 0.
 *
 * y₀ is zero, or for laws that ask for ẏ = 0 only the output at the start. `multibody` counts λ with the
 * other sign. Contacts and relays are no part of this; coordinates of systems without joints are left out.
 */
import { expandInto } from '../../linalg/sparse';
import { type LagrangianForm, type LawRow, positionsOf } from '../../model/forms';
import { type Interaction, type NonSmoothDynamicalSystem, offsetsOf, velocitiesOf } from '../../model/nsds';
import type { ConstrainedSystem, RowLabel } from '../../multibody/constrained-system';
import { RelationDrift } from '../../model/relation-drift';

const isFree = (row: LawRow): boolean =>
  row.kind === 'box' && row.lower === -Infinity && row.upper === Infinity;

/** Rows of an interaction that are joints: free multipliers on a Lagrangian relation that is rigid. */
export function jointRows({ relation, law }: Interaction): number[] {
  if (relation.order === 1 || relation.hasFeedthrough) return [];
  return Array.from({ length: relation.size }, (_, r) => r).filter((r) => isFree(law.rows[r % law.size]));
}

/** A Lagrangian system that is held by a joint. */
interface Member {
  readonly id: string;
  readonly form: LagrangianForm;
  /** its first coordinate, and its first position, among those of the joints */
  readonly first: number;
  readonly firstPosition: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly out: Float64Array;
  readonly mass: Float64Array;
}

interface Joint {
  readonly interaction: Interaction;
  /** rows of the relation that are constraints, and the first of them here */
  readonly rows: readonly number[];
  readonly first: number;
  /** coordinates, and positions, here */
  readonly dofs: Int32Array;
  readonly positions: Int32Array;
  /** whether y keeps what it was at the start */
  readonly isRelative: boolean;
  readonly drift: RelationDrift;
  readonly z: Float64Array;
  readonly v: Float64Array;
  readonly y: Float64Array;
  readonly lambda: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
}

export class JointSystem implements ConstrainedSystem {
  readonly size: number;
  readonly rows: number;
  /** coordinate in the model of each coordinate here, and position in the model of each position */
  readonly coordinates: Int32Array;
  readonly positions: Int32Array;
  /** y₀ */
  readonly targets: Float64Array;
  readonly #members: readonly Member[];
  readonly #joints: readonly Joint[];
  readonly #labels: readonly RowLabel[];

  /**
   * @param difference δ of the differences for relations without exact curvature, s
   * @param omitted rows, counted as they come, that are left out
   */
  constructor(
    readonly model: NonSmoothDynamicalSystem,
    private readonly difference: number,
    omitted: ReadonlySet<number> = new Set(),
  ) {
    const { systems, interactions } = model;
    let candidate = 0;
    const kept = interactions.map((interaction) =>
      jointRows(interaction).filter(() => !omitted.has(candidate++)),
    );
    const linked = new Set(
      interactions.flatMap((interaction, i) => (kept[i].length > 0 ? interaction.systems : [])),
    );
    const offsets = offsetsOf(model);
    const places = new Map<number, Member>();
    const coordinates: number[] = [];
    const positions: number[] = [];
    systems.forEach(({ id, form }, s) => {
      if (!linked.has(s) || form.order === 1) return;
      const n = form.size;
      places.set(s, {
        id,
        form,
        first: coordinates.length,
        firstPosition: positions.length,
        q: new Float64Array(positionsOf(form)),
        v: new Float64Array(n),
        out: new Float64Array(n),
        mass: new Float64Array(n * n),
      });
      for (let k = offsets.velocities[s]; k < offsets.velocities[s + 1]; k++) coordinates.push(k);
      for (let k = offsets.positions[s]; k < offsets.positions[s + 1]; k++) positions.push(k);
    });
    this.#members = [...places.values()];
    this.coordinates = Int32Array.from(coordinates);
    this.positions = Int32Array.from(positions);
    this.size = coordinates.length;
    const joints: Joint[] = [];
    const labels: RowLabel[] = [];
    interactions.forEach((interaction, i) => {
      if (kept[i].length === 0) return;
      joints.push(this.#prepare(interaction, kept[i], labels.length, places));
      const { relation } = interaction;
      for (const r of kept[i]) {
        const own = relation.rows?.[r];
        labels.push({ constraint: interaction.id, row: own?.name ?? `row ${r}`, unit: own?.unit ?? '' });
      }
    });
    this.#joints = joints;
    this.#labels = labels;
    this.rows = labels.length;
    this.targets = new Float64Array(this.rows);
  }

  #prepare(
    interaction: Interaction,
    rows: readonly number[],
    first: number,
    places: ReadonlyMap<number, Member>,
  ): Joint {
    const { relation, law, systems } = interaction;
    const { size, columns } = relation;
    const velocities = velocitiesOf(relation);
    const members = systems.flatMap((s) => places.get(s) ?? []);
    const dofs = members.flatMap((member) => Array.from(member.v, (_, k) => member.first + k));
    const positions = members.flatMap((member) => Array.from(member.q, (_, k) => member.firstPosition + k));
    return {
      interaction,
      rows,
      first,
      dofs: Int32Array.from(dofs),
      positions: Int32Array.from(positions),
      isRelative: law.level === 'velocity' && relation.isJoint !== true,
      drift: new RelationDrift(relation, this.difference),
      z: new Float64Array(columns),
      v: new Float64Array(velocities),
      y: new Float64Array(size),
      lambda: new Float64Array(size),
      C: new Float64Array(size * velocities),
      D: new Float64Array(size * size),
    };
  }

  /** What a row asks of y: to be zero, to stay what it is at the start, or that only while it is there. */
  asks(row: number): 'zero' | 'start' | 'while' {
    const joint = this.#joints.find(({ first, rows }) => row < first + rows.length) as Joint;
    if (!joint.isRelative) return 'zero';
    return joint.interaction.presence === undefined ? 'start' : 'while';
  }

  /** The same without some of its rows. */
  without(rows: ReadonlySet<number>): JointSystem {
    return new JointSystem(this.model, this.difference, rows);
  }

  /** Takes y₀ from a state at the start, where a law asks for no more than ẏ = 0. */
  setTargets(clock: Float64Array, q: Float64Array): void {
    this.targets.fill(0);
    const start = new Float64Array(this.rows);
    this.position(clock, q, start);
    for (const { isRelative, rows, first } of this.#joints)
      if (isRelative) rows.forEach((_, k) => (this.targets[first + k] = start[first + k]));
  }

  /** Positions of what joints hold, from those of the model. */
  gatherPositions(values: Float64Array, out: Float64Array): void {
    for (let k = 0; k < this.positions.length; k++) out[k] = values[this.positions[k]];
  }

  /** Likewise velocities. */
  gatherVelocities(values: Float64Array, out: Float64Array): void {
    for (let k = 0; k < this.size; k++) out[k] = values[this.coordinates[k]];
  }

  #read(joint: Joint, q: Float64Array): void {
    const { z, positions } = joint;
    for (let k = 0; k < z.length; k++) z[k] = q[positions[k]];
  }

  mass(_clock: Float64Array, q: Float64Array, out: Float64Array): void {
    const n = this.size;
    out.fill(0);
    for (let m = 0; m < this.#members.length; m++) {
      const { form, first, firstPosition, q: own, mass } = this.#members[m];
      for (let k = 0; k < own.length; k++) own[k] = q[firstPosition + k];
      if (form.constantMass === null) form.mass(own, mass);
      else expandInto(form.constantMass, form.size, mass);
      for (let i = 0; i < form.size; i++)
        for (let j = 0; j < form.size; j++) out[(first + i) * n + first + j] = mass[i * form.size + j];
    }
  }

  force(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void {
    for (let m = 0; m < this.#members.length; m++) {
      const { form, first, firstPosition, q: ownQ, v: ownV, out: own } = this.#members[m];
      for (let k = 0; k < ownQ.length; k++) ownQ[k] = q[firstPosition + k];
      for (let k = 0; k < form.size; k++) ownV[k] = v[first + k];
      form.force(clock, ownQ, ownV, own);
      for (let k = 0; k < form.size; k++) out[first + k] = own[k];
    }
  }

  position(clock: Float64Array, q: Float64Array, out: Float64Array): void {
    for (let j = 0; j < this.#joints.length; j++) {
      const joint = this.#joints[j];
      const { interaction, rows, first, z, lambda, y } = joint;
      this.#read(joint, q);
      interaction.relation.output(clock, z, lambda, y);
      for (let k = 0; k < rows.length; k++) out[first + k] = y[rows[k]] - this.targets[first + k];
    }
  }

  jacobian(clock: Float64Array, q: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let j = 0; j < this.#joints.length; j++) {
      const joint = this.#joints[j];
      const { interaction, rows, first, dofs, z, lambda, D } = joint;
      let C = interaction.relation.C;
      if (C === null) {
        C = joint.C;
        this.#read(joint, q);
        interaction.relation.outputJacobians(clock, z, lambda, C, D);
      }
      for (let r = 0; r < rows.length; r++)
        for (let k = 0; k < dofs.length; k++)
          out[(first + r) * this.size + dofs[k]] = C[rows[r] * dofs.length + k];
    }
  }

  timeDerivative(clock: Float64Array, q: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let j = 0; j < this.#joints.length; j++) {
      const joint = this.#joints[j];
      const { interaction, rows, first, z, y } = joint;
      if (!interaction.relation.isTimeDependent) continue;
      this.#read(joint, q);
      interaction.relation.timeDerivative(clock, z, y);
      for (let k = 0; k < rows.length; k++) out[first + k] = y[rows[k]];
    }
  }

  gamma(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void {
    for (let j = 0; j < this.#joints.length; j++) {
      const joint = this.#joints[j];
      const { rows, first, dofs, z, v: rates, y, drift } = joint;
      this.#read(joint, q);
      for (let k = 0; k < dofs.length; k++) rates[k] = v[dofs[k]];
      drift.read(clock, z, rates, y);
      for (let k = 0; k < rows.length; k++) out[first + k] = -y[rows[k]];
    }
  }

  coordinateLabel(coordinate: number): string {
    for (const { id, form, first } of this.#members)
      if (coordinate >= first && coordinate < first + form.size) return `${id}.q[${coordinate - first}]`;
    return '';
  }

  rowLabel(row: number): RowLabel {
    return this.#labels[row];
  }
}
