/** The schemes, one line each; their definitions stand in `model/settings/schemes.ts`. */
import type { SchemeName } from '../../document/types';
import { eventDriven } from './event-driven';
import type { Scheme } from './scheme';
import { timeStepping } from './time-stepping';

export const schemes: Readonly<Record<SchemeName, Scheme>> = {
  'time-stepping': timeStepping,
  'event-driven': eventDriven,
};
