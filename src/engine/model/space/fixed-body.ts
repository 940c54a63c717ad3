/** What does not move: floor, wall, slope, mould. It has shapes and no equation of motion. */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { poseFields, readPose } from './pose';
import { readShapes, shapesField } from './shapes';
import type { SpaceBody } from './space';

export const definition: ElementDefinition = {
  category: 'system',
  type: 'FixedBody',
  title: 'Fixed body in space',
  summary:
    'Floor, wall or slope: shapes that stand still. Without any, a frame that joints can take hold of.',
  order: 'body',
  equations: ['\\dot x = 0, \\quad \\dot Q = 0'],
  fields: [...poseFields('its frame', 'the world', false), shapesField],
  source: 'S4 §2',
};

export function build(fields: FieldReader): SpaceBody {
  return {
    type: definition.type,
    id: fields.element,
    pose: readPose(fields),
    shapes: readShapes(fields),
    listsShapes: fields.elements(shapesField.key).length > 0,
    dynamics: null,
  };
}
