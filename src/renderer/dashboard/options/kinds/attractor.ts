import { START_CAMERA } from '@figures/attractor';
import { text } from '../../../i18n';
import type { FieldsOf } from '../option-fields';
import { opacityField, sizeField } from '../shared-fields';
import { plainUnit, shownOfUnit } from '../shown-of';

const DEGREES = plainUnit('°');
const LEAST_ZOOM = 0.2;
const MOST_ZOOM = 200;

export const attractor: FieldsOf<'attractor'> = () => [
  ...(['x', 'y', 'z'] as const).map((key) => ({
    as: 'signal' as const,
    key,
    id: `signal-${key}`,
    label: text('plot.axis', { axis: key }),
  })),
  {
    as: 'number',
    key: 'from',
    label: text('plotOptions.fromTime'),
    help: text('plotOptions.fromTimeHelp'),
    placeholder: text('plotOptions.start'),
    shown: shownOfUnit('s'),
  },
  {
    as: 'number',
    key: 'to',
    label: text('plotOptions.toTime'),
    placeholder: text('plotOptions.end'),
    shown: shownOfUnit('s'),
  },
  { as: 'switch', key: 'byTime', id: 'by-time', label: text('plotOptions.byTime') },
  sizeField(text('plotOptions.lineSize')),
  opacityField(),
  {
    as: 'number',
    key: 'azimuth',
    label: text('plotOptions.azimuth'),
    placeholder: String(START_CAMERA.azimuth),
    min: -360,
    max: 360,
    shown: DEGREES,
  },
  {
    as: 'number',
    key: 'elevation',
    label: text('plotOptions.elevation'),
    placeholder: String(START_CAMERA.elevation),
    min: -90,
    max: 90,
    shown: DEGREES,
  },
  {
    as: 'number',
    key: 'zoom',
    label: text('plotOptions.zoom'),
    placeholder: String(START_CAMERA.zoom),
    min: LEAST_ZOOM,
    max: MOST_ZOOM,
  },
];
