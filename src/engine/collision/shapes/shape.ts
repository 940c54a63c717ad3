/** What all shapes have in common. */
import { EngineError } from '../../errors';
import type { Polytope } from './polytope';

interface ShapeBase {
  /** in which worlds the shape can stand */
  readonly dimensions: readonly (2 | 3)[];
  /**
   * The smallest box with sides along the axes of the world that holds the shape: lower corner and upper
   * corner, six numbers. Shapes without bounds give infinite ones.
   */
  bounds(frame: Float64Array, at: number, out: Float64Array, outAt: number): void;
  /**
   * @param density kg/m³, in the plane kg/m²
   * @returns null of shapes that are the ground's only
   * @throws {EngineError} `density-not-positive`
   */
  massProperties(density: number): MassProperties | null;
}

/** Points within `radius` of a polytope: sphere, capsule, box, polyhedron, disc, polygon. */
export interface RoundedShape extends ShapeBase {
  readonly kind: 'sphere' | 'capsule' | 'box' | 'polyhedron' | 'disc' | 'polygon';
  readonly core: Polytope;
  /** m */
  readonly radius: number;
  /** half lengths of a box, along its axes */
  readonly halfExtents?: Float64Array;
}

/** |z| ≤ halfHeight, x² + y² ≤ radius². */
export interface CylinderShape extends ShapeBase {
  readonly kind: 'cylinder';
  readonly radius: number;
  readonly halfHeight: number;
}

/** Σ (x_k/a_k)² ≤ 1 */
export interface EllipsoidShape extends ShapeBase {
  readonly kind: 'ellipsoid';
  /** a, b, c, m */
  readonly semiAxes: Float64Array;
}

/** The half-space n·x ≤ offset. */
export interface PlaneShape extends ShapeBase {
  readonly kind: 'plane';
  readonly normal: Float64Array;
  readonly offset: number;
}

/** What lies below a surface of triangles over a grid. */
export interface HeightFieldShape extends ShapeBase {
  readonly kind: 'heightField';
  readonly columns: number;
  readonly rows: number;
  readonly spacingX: number;
  readonly spacingY: number;
  /** at (column, row): entry row · columns + column */
  readonly heights: Float64Array;
}

export type ConvexShape = RoundedShape | CylinderShape;
export type Shape = ConvexShape | EllipsoidShape | PlaneShape | HeightFieldShape;

/** Mass, centre and inertia of a homogeneous shape, in the frame of the shape. */
export interface MassProperties {
  /** kg */
  readonly mass: number;
  /** centre of mass, m */
  readonly centre: Float64Array;
  /** about the centre, 3 × 3 by rows, kg m²; of shapes in the plane that of a thin plate, I_z = I_x + I_y */
  readonly inertia: Float64Array;
}

/** Properties of a shape whose centre is its origin and whose axes are principal. */
export function principalProperties(mass: number, ix: number, iy: number, iz: number): MassProperties {
  return { mass, centre: new Float64Array(3), inertia: Float64Array.of(ix, 0, 0, 0, iy, 0, 0, 0, iz) };
}

/*
 * What every shape demands of its numbers. Codes are stable; sentences name the shape, what is wrong, and
 * what to do.
 */

export function refuseShape(code: string, message: string, remedy: string): never {
  throw new EngineError({ code, message, remedy });
}

/** @throws {EngineError} `shape-size` unless the value is a positive finite number */
export function requirePositive(shape: string, what: string, value: number): void {
  if (value > 0 && value < Infinity) return;
  refuseShape('shape-size', `The ${what} of the ${shape} is ${value}.`, 'Give a positive number, in metres.');
}

/** @throws {EngineError} `shape-not-finite` unless all numbers are finite */
export function requireFinite(shape: string, what: string, values: ArrayLike<number>): void {
  for (let k = 0; k < values.length; k++) {
    if (Number.isFinite(values[k])) continue;
    refuseShape(
      'shape-not-finite',
      `Number ${k} of the ${what} of the ${shape} is ${values[k]}.`,
      'Give finite numbers, in metres.',
    );
  }
}

/** @throws {EngineError} `density-not-positive` */
export function requireDensity(density: number): void {
  if (density > 0 && density < Infinity) return;
  refuseShape(
    'density-not-positive',
    `The density is ${density}.`,
    'Give a positive density: kg/m³ in space, kg/m² in the plane.',
  );
}
