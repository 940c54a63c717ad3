/** Types of control blocks, one line each. */
import type { BlockType } from './block';
import * as delay from './delay';
import * as linearSensor from './linear-sensor';
import * as luenbergerObserver from './luenberger-observer';
import * as pid from './pid';
import * as quantiser from './quantiser';
import * as rateLimiter from './rate-limiter';
import * as reducedOrderObserver from './reduced-order-observer';
import * as sampleAndHold from './sample-and-hold';
import * as saturation from './saturation';
import * as slidingModeControl from './sliding-mode-control';
import * as slidingModeOT2 from './sliding-mode-ot2';
import * as stateFeedback from './state-feedback';
import * as superTwisting from './super-twisting';
import * as twisting from './twisting';

const types: readonly BlockType[] = [
  linearSensor,
  sampleAndHold,
  pid,
  stateFeedback,
  slidingModeControl,
  slidingModeOT2,
  twisting,
  superTwisting,
  luenbergerObserver,
  reducedOrderObserver,
  saturation,
  rateLimiter,
  quantiser,
  delay,
];

export const blockTypes: ReadonlyMap<string, BlockType> = new Map(
  types.map((type) => [type.definition.type, type]),
);
