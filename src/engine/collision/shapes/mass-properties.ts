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
