/** Bodies in the plane with contacts of two rows, gap and slip; q = (x, y, φ). */
import type { LagrangianForm, RelationForm } from '@engine/model/forms';
import type { Interaction, NonSmoothDynamicalSystem } from '@engine/model/nsds';
import * as forms from './forms';

export interface StackOptions {
  readonly boxes: number;
  readonly mu: number;
  readonly width?: number;
  readonly height?: number;
  readonly g?: number;
  /** N, to the right on the box at the top */
  readonly push?: number;
}

/** A rigid box of 1 kg. */
const box = (x: number, y: number, width: number, height: number, force: number[]): LagrangianForm => {
  const inertia = (width ** 2 + height ** 2) / 12;
  return forms.linearLagrangian(
    [x, y, 0],
    [0, 0, 0],
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, inertia],
    ],
    { force },
  );
};

/**
 * Boxes on one another on a floor, each interface with a contact at both corners, linearised at the upright
 * position. Of the four rows of an interface three are independent: the two tangential ones push along one
 * line.
 */
export function stack({
  boxes,
  mu,
  width = 1,
  height = 0.5,
  g = 9.81,
  push = 0,
}: StackOptions): NonSmoothDynamicalSystem {
  const systems = Array.from({ length: boxes }, (_, k) =>
    forms.system(`box${k}`, box(0, (k + 0.5) * height, width, height, [k === boxes - 1 ? push : 0, -g, 0])),
  );
  const interactions: Interaction[] = [];
  for (let k = 0; k < boxes; k++) {
    for (const corner of [-width / 2, width / 2]) {
      const upper = [
        [0, 1, corner],
        [1, 0, height / 2],
      ];
      const lower = [
        [0, -1, -corner],
        [-1, 0, height / 2],
      ];
      const H = k === 0 ? upper : upper.map((row, i) => [...lower[i], ...row]);
      const b = k === 0 ? [-height / 2, 0] : [-height, 0];
      const relation = forms.lagrangianRelation(H, b);
      const linked = k === 0 ? [0] : [k - 1, k];
      interactions.push(
        forms.interaction(`corner${interactions.length}`, linked, relation, forms.frictionImpact(mu)),
      );
    }
  }
  return { systems, interactions };
}

/** A point mass on an inclined plane; coordinates along and across it. */
export function brick(
  slope: number,
  mu: number,
  { e = 0, et = 0, g = 9.81, m = 1, v0 = [0, 0], q0 = [0, 0] }: Partial<BrickOptions> = {},
): NonSmoothDynamicalSystem {
  const force = [m * g * Math.sin(slope), -m * g * Math.cos(slope)];
  const mass = [
    [m, 0],
    [0, m],
  ];
  const relation = forms.lagrangianRelation([
    [0, 1],
    [1, 0],
  ]);
  return {
    systems: [forms.system('brick', forms.linearLagrangian(q0, v0, mass, { force }))],
    interactions: [forms.interaction('slope', [0], relation, forms.frictionImpact(mu, e, et))],
  };
}

export interface BrickOptions {
  readonly e: number;
  readonly et: number;
  readonly g: number;
  readonly m: number;
  readonly q0: readonly number[];
  readonly v0: readonly number[];
}

/** m ẍ = F(t) on a table with friction: a mass that is dragged to and fro. */
export function dragSled(mu: number, force: (t: number) => number, g = 9.81): NonSmoothDynamicalSystem {
  const body = forms.linearLagrangian(
    [0, 0],
    [0, 0],
    [
      [1, 0],
      [0, 1],
    ],
  );
  const linear = body.linear;
  if (linear === null) throw new Error('the body is linear');
  const form: LagrangianForm = {
    ...body,
    linear: {
      ...linear,
      force: (clock, out) => {
        out[0] = force(clock[0]);
        out[1] = -g;
      },
    },
    force: (clock, _q, _v, out) => {
      out[0] = force(clock[0]);
      out[1] = -g;
    },
  };
  const relation = forms.lagrangianRelation([
    [0, 1],
    [1, 0],
  ]);
  return {
    systems: [forms.system('sled', form)],
    interactions: [forms.interaction('table', [0], relation, forms.frictionImpact(mu))],
  };
}

/** Gap and slip of a corner (dx, dy) of a body above the floor y = 0, of any inclination. */
export function cornerRelation(dx: number, dy: number): RelationForm {
  return {
    ...forms.lagrangianRelation([
      [0, 1, 0],
      [1, 0, 0],
    ]),
    C: null,
    isAffine: false,
    output: (_clock, q, _lambda, out) => {
      const [c, s] = [Math.cos(q[2]), Math.sin(q[2])];
      out[0] = q[1] + dx * s + dy * c;
      out[1] = q[0] + dx * c - dy * s;
    },
    outputJacobians: (_clock, q, _lambda, outC) => {
      const [c, s] = [Math.cos(q[2]), Math.sin(q[2])];
      outC.set([0, 1, dx * c - dy * s, 1, 0, -dx * s - dy * c]);
    },
  };
}
