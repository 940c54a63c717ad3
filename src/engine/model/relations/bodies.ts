/**
 * Relations between bodies in the plane, or between one body and the ground, made of the kinds of rows of
 * `multibody`. With one linked body the ground is the first side and the body the second; with two they come
 * in the order of the interaction.
 *
 *     y = Φ(t, q),   p = ᵗΦ_q λ,   ÿ = Φ_q v̇ − γ
 *
 * λ acts along the rows: on the second body with the forces that `jointForce` gives, on the first with their
 * opposites.
 */
import type { ConstraintRows } from '../../multibody/rows';
import { Marker, PLANAR_ON_GROUND } from '../../multibody/marker';
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { RelationForm, RelationRow } from '../forms';
import { definition as equality } from '../laws/equality';
import type { Relation } from '../nsds';
import { BODY_COORDINATES, definition as planarBody } from '../systems/planar-body';

export interface BodyRelation {
  readonly rows: readonly ConstraintRows[];
  /** where it takes hold of the second body: the force of the joint is stated there */
  readonly second: Marker;
  /** whether it means y = 0; false where absent */
  readonly isJoint?: boolean;
  /** whether Φ is linear in q and has no explicit time; false where absent */
  readonly isLinear?: boolean;
  /** false where absent */
  readonly isTimeDependent?: boolean;
  /** whether γ is exact: false where a prescribed motion has no second derivative; true where absent */
  readonly hasCurvature?: boolean;
  /** how far each row yields under its multiplier, in its unit and N; rigid where absent */
  readonly compliance?: number;
}

/** Which systems such a relation links. */
export const bodies = (least: 1 | 2, most: 1 | 2): NonNullable<ElementDefinition['links']> => ({
  types: [planarBody.type],
  least,
  most,
});

/** The law that makes a joint of a relation. */
export const JOINT_LAW = equality.type;

const point = (side: 1 | 2, help: string): FieldDefinition => ({
  key: `point${side}`,
  kind: 'vector',
  length: 2,
  label: side === 1 ? 'Point on the first body' : 'Point on the second body',
  symbol: `s_${side}`,
  unit: 'm',
  required: false,
  help,
});

export const firstPoint = point(
  1,
  'In the frame of the first body, from its mass centre; on the ground, in world coordinates, where one body is linked. The origin when left out.',
);
export const secondPoint = point(
  2,
  'In the frame of the second body, or of the only one, from its mass centre; the mass centre when left out.',
);

export const axis: FieldDefinition = {
  key: 'axis',
  kind: 'number',
  label: 'Direction',
  symbol: '\\beta',
  unit: 'rad',
  required: false,
  default: 0,
  help: 'Of the line through the first point, in the frame of the first body or in the world.',
};

export const angle: FieldDefinition = {
  key: 'angle',
  kind: 'number',
  label: 'Angle',
  symbol: '\\alpha',
  unit: 'rad',
  required: false,
  default: 0,
  help: 'Constant angle of the second body against the first, φ₂ − φ₁.',
};

/** Offset in z of the first side, which is the ground where one body is linked. */
const firstOffset = (columns: number): number => (columns > BODY_COORDINATES ? 0 : PLANAR_ON_GROUND);
const secondOffset = (columns: number): number => (columns > BODY_COORDINATES ? BODY_COORDINATES : 0);

function markerOf(fields: FieldReader, key: string, offset: number): Marker {
  const [x, y] = fields.vector(key, 2);
  return new Marker(offset, x, y);
}

/** Marker on the second body at the field `point2`. */
export const secondMarker = (fields: FieldReader, columns: number): Marker =>
  markerOf(fields, 'point2', secondOffset(columns));

/** Markers at the fields `point1` and `point2`. */
export const readMarkers = (fields: FieldReader, columns: number): { first: Marker; second: Marker } => ({
  first: markerOf(fields, 'point1', firstOffset(columns)),
  second: secondMarker(fields, columns),
});

/** Markers at the mass centres, of relations that have to do with angles only. */
export const centres = (columns: number): { first: Marker; second: Marker } => ({
  first: new Marker(firstOffset(columns), 0, 0),
  second: new Marker(secondOffset(columns), 0, 0),
});

type Write = (
  rows: ConstraintRows,
  clock: Float64Array,
  z: Float64Array,
  out: Float64Array,
  row: number,
) => void;

/** Runs over the kinds of rows of a relation, each with its first row. */
const each =
  (rows: readonly ConstraintRows[], write: Write) =>
  (clock: Float64Array, z: Float64Array, out: Float64Array): void => {
    let row = 0;
    for (let k = 0; k < rows.length; k++) {
      write(rows[k], clock, z, out, row);
      row += rows[k].labels.length;
    }
  };

function curvatureOf(rows: readonly ConstraintRows[]): NonNullable<RelationForm['curvature']> {
  return (clock, z, v, out) => {
    let row = 0;
    for (let k = 0; k < rows.length; k++) {
      rows[k].gamma(clock, z, v, out, row);
      row += rows[k].labels.length;
    }
    for (let r = 0; r < row; r++) out[r] = -out[r];
  };
}

/** A joint between bodies: a relation that starts with the law of equality. */
export const jointRelation = (
  type: string,
  columns: number,
  rows: readonly ConstraintRows[],
  second: Marker,
  parts: Omit<BodyRelation, 'rows' | 'second' | 'isJoint'> = {},
): Relation => bodyRelation(type, columns, { rows, second, isJoint: true, ...parts });

/** @param columns coordinates of the linked bodies */
export function bodyRelation(type: string, columns: number, parts: BodyRelation): Relation {
  const { rows, second, isJoint = false, isLinear = false, isTimeDependent = false } = parts;
  const { hasCurvature = true, compliance = 0 } = parts;
  const labels = rows.flatMap((kind) =>
    kind.labels.map(({ row, unit }): RelationRow => ({ name: row, unit })),
  );
  const size = labels.length;
  const write = each(rows, (kind, clock, z, out, row) => {
    kind.jacobian(clock, z, out, row, columns);
  });
  const jacobian = (clock: Float64Array, z: Float64Array, out: Float64Array): void => {
    out.fill(0);
    write(clock, z, out);
  };
  const positions = each(rows, (kind, clock, z, out, row) => {
    kind.position(clock, z, out, row);
  });
  const rates = each(rows, (kind, clock, z, out, row) => {
    kind.timeDerivative?.(clock, z, out, row);
  });
  let C: Float64Array | null = null;
  if (isLinear) {
    C = new Float64Array(size * columns);
    jacobian(new Float64Array(1), new Float64Array(columns), C);
  }
  const isCompliant = compliance !== 0;
  const D = Float64Array.from({ length: size * size }, (_, k) => (k % (size + 1) === 0 ? compliance : 0));
  const work = new Float64Array(size * columns);
  return {
    type,
    order: 2,
    size,
    columns,
    C,
    D: isCompliant ? D : null,
    B: null,
    hasFeedthrough: isCompliant,
    hasStateInput: false,
    isAffine: isLinear,
    isTimeDependent,
    isJoint,
    isSpring: isCompliant,
    rows: labels,
    output: (clock, z, lambda, out) => {
      positions(clock, z, out);
      if (isCompliant) for (let r = 0; r < size; r++) out[r] += compliance * lambda[r];
    },
    outputJacobians: (clock, z, _lambda, outC, outD) => {
      jacobian(clock, z, outC);
      if (isCompliant) outD.set(D);
    },
    timeDerivative: (clock, z, out) => {
      out.fill(0);
      if (isTimeDependent) rates(clock, z, out);
    },
    ...(hasCurvature ? { curvature: curvatureOf(rows) } : {}),
    jointForce: (clock, z, lambda, out) => {
      jacobian(clock, z, work);
      out.fill(0);
      for (let r = 0; r < size; r++)
        for (let k = 0; k < BODY_COORDINATES; k++)
          out[k] += work[r * columns + second.offset + k] * lambda[r];
      // From the mass centre to the point that is taken hold of.
      second.place(z);
      out[2] -= second.arm[0] * out[1] - second.arm[1] * out[0];
    },
    input: () => undefined,
    inputJacobians: () => undefined,
  };
}
