/** What circuits and mechanisms are drawn of, one line for each. */
import type { ComponentType } from './component';
import * as ammeter from './electrical/ammeter';
import * as capacitor from './electrical/capacitor';
import * as comparator from './electrical/comparator';
import * as coupling from './electrical/coupling';
import * as currentControlledCurrent from './electrical/current-controlled-current';
import * as currentControlledVoltage from './electrical/current-controlled-voltage';
import * as currentSource from './electrical/current-source';
import * as dcMachine from './electrical/dc-machine';
import * as diode from './electrical/diode';
import * as ground from './electrical/ground';
import * as igbt from './electrical/igbt';
import * as inductor from './electrical/inductor';
import * as mosfet from './electrical/mosfet';
import * as opAmp from './electrical/op-amp';
import * as piecewiseResistor from './electrical/piecewise-resistor';
import * as powerMeter from './electrical/power-meter';
import * as pulseCurrent from './electrical/pulse-current';
import * as pulseVoltage from './electrical/pulse-voltage';
import * as resistor from './electrical/resistor';
import * as saturatingInductor from './electrical/saturating-inductor';
import * as sawtoothVoltage from './electrical/sawtooth-voltage';
import * as sineCurrent from './electrical/sine-current';
import * as sineVoltage from './electrical/sine-voltage';
import * as idealSwitch from './electrical/switch';
import * as tableCurrent from './electrical/table-current';
import * as tableVoltage from './electrical/table-voltage';
import * as thyristor from './electrical/thyristor';
import * as transformer from './electrical/transformer';
import * as voltageControlledCurrent from './electrical/voltage-controlled-current';
import * as voltageControlledVoltage from './electrical/voltage-controlled-voltage';
import * as voltageSource from './electrical/voltage-source';
import * as voltmeter from './electrical/voltmeter';
import * as zener from './electrical/zener';
import { dogClutch, rigidCoupling } from './mechanical/coupling';
import { damper, rotaryDamper } from './mechanical/damper';
import { force, torque } from './mechanical/force';
import { freewheel } from './mechanical/freewheel';
import { belt, brake, clutch, friction } from './mechanical/friction';
import { backlashGear, gear, rack } from './mechanical/gear';
import { inertia } from './mechanical/inertia';
import { mass } from './mechanical/mass';
import { motion, rotaryMotion } from './mechanical/motion';
import { motor } from './mechanical/motor';
import { rope } from './mechanical/rope';
import { spring, torsionSpring } from './mechanical/spring';
import { play, rotaryPlay, rotaryStop, stop } from './mechanical/stop';
import {
  angleSensor,
  forceSensor,
  positionSensor,
  rotarySpeedSensor,
  speedSensor,
  torqueSensor,
} from './mechanical/sensors';
import { piecewiseDamper, piecewiseSpring } from './mechanical/three-slopes';
import { housing, wall } from './mechanical/wall';
import { gain, integrator, pid, sum, transferFunction } from './signals/linear';
import { deadZone, hysteresis, latch, limiter } from './signals/limits';
import { and, comparison, not, or, pwm } from './signals/modulation';
import { product, quantiser, sign } from './signals/nonlinear';
import { digitalPid, sampleAndHold, sampleDelay, slewLimit } from './signals/sampled';
import { pulse, ramp, signal, sine, step, table } from './signals/sources';
import { slidingMode, stateFeedback, superTwisting, twisting } from './signals/controllers';
import { luenbergerObserver, slidingObserver } from './signals/observers';
import { stateMachine } from './signals/state-machine';
import { multiStateSpace, stateSpace } from './signals/state-space';

const byType = (...types: ComponentType[]): ReadonlyMap<string, ComponentType> =>
  new Map(types.map((type) => [type.definition.type, type]));

export const componentTypes = byType(
  ground,
  resistor,
  piecewiseResistor,
  capacitor,
  inductor,
  saturatingInductor,
  coupling,
  transformer,
  opAmp,
  comparator,
  voltageSource,
  sineVoltage,
  pulseVoltage,
  sawtoothVoltage,
  tableVoltage,
  currentSource,
  sineCurrent,
  pulseCurrent,
  tableCurrent,
  voltageControlledVoltage,
  voltageControlledCurrent,
  currentControlledVoltage,
  currentControlledCurrent,
  diode,
  zener,
  idealSwitch,
  mosfet,
  igbt,
  thyristor,
  voltmeter,
  ammeter,
  powerMeter,
  mass,
  wall,
  spring,
  damper,
  piecewiseSpring,
  piecewiseDamper,
  force,
  motion,
  stop,
  play,
  friction,
  belt,
  rope,
  rigidCoupling,
  inertia,
  housing,
  torsionSpring,
  rotaryDamper,
  torque,
  motor,
  rotaryMotion,
  rotaryStop,
  rotaryPlay,
  clutch,
  brake,
  dogClutch,
  freewheel,
  gear,
  backlashGear,
  rack,
  positionSensor,
  speedSensor,
  forceSensor,
  angleSensor,
  rotarySpeedSensor,
  torqueSensor,
  dcMachine,
  signal,
  sine,
  step,
  ramp,
  pulse,
  table,
  sum,
  gain,
  integrator,
  transferFunction,
  pid,
  limiter,
  deadZone,
  hysteresis,
  comparison,
  pwm,
  and,
  or,
  not,
  latch,
  stateMachine,
  product,
  stateSpace,
  multiStateSpace,
  stateFeedback,
  sign,
  quantiser,
  sampleAndHold,
  sampleDelay,
  digitalPid,
  slewLimit,
  slidingMode,
  twisting,
  superTwisting,
  luenbergerObserver,
  slidingObserver,
);
