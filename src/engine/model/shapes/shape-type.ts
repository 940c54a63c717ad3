/** What a type of shape is, and what all of them have in common. */
import type { Shape } from '../../collision/shapes/shape';
import { EngineError } from '../../errors';
import type { SceneGeometry } from '../../scene/scene';
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { poseFields } from '../space/pose';

export interface ShapeParts {
  readonly shape: Shape;
  readonly geometry: SceneGeometry;
}

export interface ShapeType {
  readonly definition: ElementDefinition;
  /** @returns null after a reported defect */
  build(fields: FieldReader): ShapeParts | null;
}

/** A length that must be positive. */
export const length = (key: string, label: string, symbol: string, help: string): FieldDefinition => ({
  key,
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label,
  symbol,
  unit: 'm',
  required: true,
  help,
});

const SOURCE = 'Ericson 2005 §4';

export const shapeDefinition = (
  type: string,
  title: string,
  summary: string,
  equation: string,
  fields: readonly FieldDefinition[],
): ElementDefinition => ({
  category: 'shape',
  type,
  title,
  summary,
  equations: [equation],
  fields: [...fields, ...poseFields('the shape', 'its body', false)],
  source: SOURCE,
});

/**
 * Builds a shape unless its numbers have defects; what the shape itself refuses is reported at the field
 * named.
 */
export function buildShape(fields: FieldReader, key: string, make: () => ShapeParts): ShapeParts | null {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, remedy } = error.details;
    fields.reject(key, code, message, remedy ?? 'Correct the shape.');
    return null;
  }
}
