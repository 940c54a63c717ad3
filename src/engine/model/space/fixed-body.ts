/**
 * What contacts and joints do not move: floor, wall, slope, mould; belt, drum and shaker, whose motion is
 * prescribed. It has shapes and no equation of motion.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { poseFields, readPose } from './pose';
import { motionFields, readPrescribedMotion } from './prescribed-motion';
import { readShapes, shapesField } from '../shapes/registry';
import type { SpaceBody } from './space';

export const definition: ElementDefinition = {
  category: 'system',
  type: 'FixedBody',
  title: 'Fixed 3D body',
  words: ['floor', 'wall', 'ground', 'plane', 'terrain', 'Boden'],
  summary:
    'Floor, wall or slope: shapes that stand still, or move as prescribed. Without any, a frame that joints can take hold of.',
  order: 'body',
  equations: [
    'x = x_0 + \\int_0^t v\\,\\mathrm ds + d(t), \\quad Q = Q_\\Omega(t) \\circ Q_d(t), \\quad \\dot Q_\\Omega = \\tfrac12\\, Q_\\Omega \\circ (0, \\Omega), \\quad Q_\\Omega(0) = Q_0',
  ],
  fields: [...poseFields('its frame', 'the world', false), ...motionFields, shapesField],
  source: 'Solfec, basics',
};

export function build(fields: FieldReader): SpaceBody {
  const pose = readPose(fields);
  return {
    type: definition.type,
    id: fields.element,
    pose,
    shapes: readShapes(fields),
    listsShapes: fields.elements(shapesField.key).length > 0,
    dynamics: null,
    motion: readPrescribedMotion(fields, pose),
  };
}
