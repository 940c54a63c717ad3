/** What every shape demands of its numbers. Codes are stable; sentences name the shape, what is wrong, and what to do. */
import { EngineError } from '../../errors';

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
