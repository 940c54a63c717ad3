/**
 * Mass and inertia of a body: as its fields say, or of its shapes, homogeneous. Moments add up about the
 * origin of the body's frame, which is the mass centre, with Steiner's share m (|c|² 1 − c ᵗc) of what lies
 * off it; shapes that overlap count twice.
 */
import { rotationMatrix } from '../../spatial/quaternion';
import type { FieldReader } from '../field-reader';
import { listsFlatShapes } from '../shapes/registry';
import type { BodyShape } from './space';

/**
 * Distance of the mass centre of the shapes from the origin, relative to the radius of gyration, that is
 * taken for rounding.
 */
const CENTRED = 1e-9;

/** What stands for an inertia that is not known before a run, or at all. */
export const UNIT_INERTIA: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export interface BodyMass {
  readonly mass: number;
  /** 3 × 3 row by row */
  readonly inertia: number[];
}

interface Homogeneous {
  mass: number;
  /** first moments m c */
  readonly moments: number[];
  readonly inertia: number[];
}

/** What the distribution of mass is given by: the inertia I, or the Euler tensor E = ½ tr(I) 1 − I. */
type Tensor = 'inertia' | 'euler';
const NAMES: Readonly<Record<Tensor, string>> = { inertia: 'inertia', euler: 'Euler tensor' };

/** @param tensor field that the inertia is given by @returns null after a reported defect */
export function readBodyMass(
  fields: FieldReader,
  shapes: readonly BodyShape[],
  tensor: Tensor = 'inertia',
): BodyMass | null {
  const reported = fields.defectCount;
  const given = fields.has('mass') ? fields.number('mass') : null;
  const inertia = readTensor(fields, tensor);
  const density = fields.has('density') ? fields.number('density') : null;
  if (fields.defectCount > reported) return null;
  if (given !== null && density !== null) {
    fields.reject(
      'density',
      'mass-twice',
      'Both mass and density are given.',
      'Leave one of them out: with a density the mass follows from the shapes.',
    );
    return null;
  }
  if (given !== null && inertia !== null) return { mass: given, inertia };
  if (given === null && density === null) {
    fields.reject(
      'mass',
      'mass-missing',
      'Neither mass nor density is given.',
      'Give the mass in kg, or a density in kg/m³, in kg/m² of discs and polygons, of which the mass of the shapes follows.',
    );
    return null;
  }
  const of = homogeneous(shapes);
  if (of.mass === 0) {
    const missing = inertia === null ? tensor : 'mass';
    fields.reject(
      missing,
      'inertia-missing',
      `The ${inertia === null ? NAMES[tensor] : 'mass'} is left out, and the body has no shape it could follow from.`,
      inertia === null
        ? `Give the three principal moments of the ${NAMES[tensor]}, or a shape.`
        : 'Give the mass in kg, or a shape.',
    );
    return null;
  }
  if (!isCentred(of)) {
    const [x, y, z] = of.moments.map((moment) => (moment / of.mass).toPrecision(4));
    fields.reject(
      'shapes',
      'shapes-off-centre',
      `The mass centre of the shapes is at (${x}, ${y}, ${z}) in the frame of the body, whose origin is the mass centre.`,
      'Shift the shapes by its opposite, or give mass and inertia.',
    );
    return null;
  }
  // One of the two is given.
  const factor = density ?? (given ?? 0) / of.mass;
  return {
    mass: given ?? factor * of.mass,
    inertia: inertia ?? of.inertia.map((moment) => factor * moment),
  };
}

/**
 * The inertia, of three principal moments or nine entries of the tensor; null when it is left out. Of what
 * moves in a plane the moment about z is enough, and the others, which nothing depends on, are those of a
 * plate.
 */
function readTensor(fields: FieldReader, tensor: Tensor): number[] | null {
  if (!fields.has(tensor)) return null;
  if (fields.isFunction(tensor)) return [...UNIT_INERTIA];
  const count = fields.vectorLength(tensor);
  if (count !== 3 && count !== 9 && !(count === 1 && listsFlatShapes(fields))) {
    fields.reject(
      tensor,
      'inertia-size',
      `The ${NAMES[tensor]} has ${count} entries.`,
      'Give the three principal moments, or the nine entries of the matrix row by row.',
    );
    return null;
  }
  const reported = fields.defectCount;
  const given = fields.vector(tensor, count);
  if (fields.defectCount > reported) return null;
  const [x, y, z] = count === 1 ? [0.5 * given[0], 0.5 * given[0], given[0]] : given;
  const matrix = count === 9 ? [...given] : [x, 0, 0, 0, y, 0, 0, 0, z];
  if (!isSymmetric(matrix) || !isPositive(matrix)) {
    fields.reject(
      tensor,
      'inertia-not-positive',
      `The ${NAMES[tensor]} is not symmetric and positive definite.`,
      'Give three positive principal moments, or a matrix that has such.',
    );
    return null;
  }
  if (tensor === 'euler') {
    // I = tr(E) 1 − E; every positive E belongs to some distribution of mass.
    const trace = matrix[0] + matrix[4] + matrix[8];
    return matrix.map((x, k) => (k % 4 === 0 ? trace - x : -x));
  }
  warnTriangle(fields, matrix);
  return matrix;
}

const isSymmetric = (m: readonly number[]): boolean => {
  const scale = Math.max(...m.map(Math.abs));
  return [
    [1, 3],
    [2, 6],
    [5, 7],
  ].every(([a, b]) => Math.abs(m[a] - m[b]) <= 1e-12 * scale);
};

/** Sylvester's criterion. */
const isPositive = (m: readonly number[]): boolean => {
  const second = m[0] * m[4] - m[1] * m[3];
  const third =
    m[0] * (m[4] * m[8] - m[5] * m[7]) -
    m[1] * (m[3] * m[8] - m[5] * m[6]) +
    m[2] * (m[3] * m[7] - m[4] * m[6]);
  return m[0] > 0 && second > 0 && third > 0;
};

/**
 * No principal moment of a real body exceeds the sum of the others; of the diagonal entries the same holds in
 * every frame.
 */
function warnTriangle(fields: FieldReader, m: readonly number[]): void {
  const moments = [m[0], m[4], m[8]];
  const sum = moments[0] + moments[1] + moments[2];
  const largest = Math.max(...moments);
  if (2 * largest <= sum * (1 + 1e-12)) return;
  fields.warn(
    'inertia',
    'inertia-impossible',
    `A moment of inertia, ${largest} kg m², is larger than the sum of the other two: no distribution of mass has that.`,
    'Check the three moments; a run goes on with them.',
  );
}

/** Mass, first moments and inertia about the origin at density 1. */
function homogeneous(shapes: readonly BodyShape[]): Homogeneous {
  const sum: Homogeneous = { mass: 0, moments: [0, 0, 0], inertia: new Array<number>(9).fill(0) };
  const turn = new Float64Array(9);
  for (const { shape, pose } of shapes) {
    const own = shape.massProperties(1);
    if (own === null) continue;
    rotationMatrix(pose, 3, turn, 0);
    const centre = [0, 1, 2].map(
      (i) => pose[i] + [0, 1, 2].reduce((s, j) => s + turn[3 * i + j] * own.centre[j], 0),
    );
    const square = centre.reduce((s, x) => s + x * x, 0);
    sum.mass += own.mass;
    for (let i = 0; i < 3; i++) {
      sum.moments[i] += own.mass * centre[i];
      for (let j = 0; j < 3; j++) {
        let turned = 0;
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) turned += turn[3 * i + a] * own.inertia[3 * a + b] * turn[3 * j + b];
        sum.inertia[3 * i + j] += turned + own.mass * ((i === j ? square : 0) - centre[i] * centre[j]);
      }
    }
  }
  // Rounding must not make it unsymmetric.
  for (const [a, b] of [
    [1, 3],
    [2, 6],
    [5, 7],
  ])
    sum.inertia[b] = sum.inertia[a];
  return sum;
}

function isCentred({ mass, moments, inertia }: Homogeneous): boolean {
  const radius = Math.sqrt((inertia[0] + inertia[4] + inertia[8]) / mass);
  return moments.every((moment) => Math.abs(moment / mass) <= CENTRED * radius);
}

/** Volume of shapes that do not overlap, m³. */
export const volumeOf = (shapes: readonly BodyShape[]): number =>
  shapes.reduce((sum, { shape }) => sum + (shape.massProperties(1)?.mass ?? 0), 0);
