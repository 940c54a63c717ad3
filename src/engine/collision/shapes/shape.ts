/** What all shapes have in common. */
import type { MassProperties } from './mass-properties';
import type { Polytope } from './polytope';

interface ShapeBase {
  /** in which worlds the shape can stand */
  readonly dimensions: readonly (2 | 3)[];
  /**
   * The smallest box with sides along the axes of the world that holds the shape: lower corner and upper corner, six numbers. Shapes
   * without bounds give infinite ones.
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
export type Shape = ConvexShape | PlaneShape | HeightFieldShape;
