import { START_CAMERA } from './drawing';
import { text } from '@renderer/i18n';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { opacityField, sizeField } from '@renderer/dashboard/options/shared-fields';
import { plainUnit, shownOfUnit } from '@renderer/dashboard/options/shown-of';

const DEGREES = plainUnit('°');
const LEAST_ZOOM = 0.2;
const MOST_ZOOM = 200;

export const attractor: FieldsOf<'attractor'> = () => [
  ...(['x', 'y', 'z'] as const).map((key) => ({
    as: 'signal' as const,
    key,
    id: `signal-${key}`,
    label: text('views.attractor.axis', { axis: key }),
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
