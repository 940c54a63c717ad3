/** The palette finds by users' words: what is meant stands first or second, and nothing unrelated below. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { paletteEntries, paletteSections } from '@renderer/graph/palette/palette';

const all = paletteEntries(catalogue());
const find = (words: string): string[] =>
  paletteSections(all, words, [], []).flatMap(({ entries }) => entries.map(({ type }) => type));

/** Words, and the element that is meant by each; several where any of them is. */
const WANTED = `
resistor R ohm lamp bulb heater load Widerstand résistance | Resistor
capacitor C condenser Kondensator condensateur | Capacitor
inductor L coil choke Spule Drossel bobine | Inductor
coupled inductors mutual flyback Kopplung | Coupling
ideal transformer Transformator Übertrager | IdealTransformer
ground gnd earth Erde | Ground
battery V DC supply emf Spannungsquelle Batterie voltage source | VoltageSource
AC mains sine grid alternating Wechselspannung sine voltage | SineVoltage SineCurrent
square clock pulse Rechteck | PulseVoltage PulseCurrent Pulse
sawtooth saw carrier Sägezahn | SawtoothVoltage PwmModulator
current source Stromquelle | CurrentSource
VCVS E | VoltageControlledVoltage
VCCS transconductance OTA G | VoltageControlledCurrent
CCVS H | CurrentControlledVoltage
CCCS current mirror | CurrentControlledCurrent
diode D rectifier LED Schottky Gleichrichter | Diode Zener
zener clamp TVS Z-Diode | Zener
switch S contact breaker Schalter interrupteur | Switch Stop ShapeContact PointOnPlane
mosfet transistor FET GaN | Mosfet Igbt
opamp operational amplifier U Operationsverstärker | OpAmp
comparator threshold Schmitt Komparator | Comparator SignalComparator
voltmeter scope probe Spannungsmesser | Voltmeter
ammeter Strommesser Amperemeter | Ammeter
wattmeter efficiency Leistung power meter | PowerMeter
mass m block cart slider Masse Körper | Mass Prismatic Ground Box
spring k stiffness Feder ressort | Spring
damper dashpot c Dämpfer amortisseur | Damper RotaryDamper
bilinear Federkennlinie | PiecewiseSpring
force push Kraft | Force
shaker base vibration Erregung | Motion Force
stop Anschlag butée bumper | Stop RotaryStop
backlash rattle | BacklashGear Play
clearance Spiel jeu play | Play RotaryPlay BacklashGear PinInHole
friction Coulomb stick slip Reibung frottement | Friction Clutch Belt
belt conveyor Förderband | Belt
rope cable string tether Seil | Rope
coupling latch hitch hook Haken Riegel attelage | RigidCoupling DogClutch Coupling Latch
dog Klauenkupplung crabot shear | DogClutch
inertia J flywheel rotor Trägheit Schwungrad | Inertia
torque moment Drehmoment couple | Torque
motor drive Antrieb moteur | Motor Driver RotaryMotion
torsion spring Drehfeder | TorsionSpring
crank shaft | RotaryMotion Inertia Driver
clutch Kupplung embrayage | Clutch
brake Bremse frein | Brake
freewheel ratchet Freilauf | Freewheel Diode
gear transmission reducer Getriebe Zahnrad | GearPair Gear
rack pinion winch Zahnstange | Rack
fixed frame | Wall Housing Rigid FixedJoint FixedBody
ball sphere Kugel bille | ball BallJoint
box cube crate Kiste | box
floor Boden | floor FixedBody
wall Wand | Wall wall
slope incline inclined plane | slope Ramp
bouncing ball gravity | ball ballOnFloor floor
disc circle planar | flatBall Inertia PlanarJoint
hinge pivot Scharnier | Revolute RevoluteJoint
pendulum Pendel | PlanarBody LagrangianNonLinear
PID controller Regler | PID ContinuousPID DigitalPID
saturation limiter | Saturation
delay Totzeit | Delay SampleDelay
quantiser ADC Quantisierer | Quantiser Rounding Sampler
sample ZOH sampler Abtaster | SampleAndHold Sampler
sensor Sensor capteur | LinearSensor Voltmeter Ammeter
ODE state space Zustandsraum | StateSpace FirstOrderLinear FirstOrderNonLinear StateSpace
multiply product Produkt | Product
sign sliding mode Gleitregelung | SignRelay SlidingModeControl
state machine FSM Zustandsautomat sequence lockout | StateMachine
MIMO Mehrgrößensystem | MultiStateSpace
LQR Zustandsregler | FeedbackOfStates StateFeedback
twisting super-twisting | TwistingController SuperTwistingController Twisting SuperTwisting
observer Luenberger Beobachter | LuenbergerObserver ObserverBlock SlidingObserver SlidingReducedOrderObserver
slew rate Anstiegsbegrenzer | SlewLimit RateLimiter
ramp Rampe | Ramp RampSignal SawtoothVoltage slope
`;

/** Elements that not every build has. */
const LATER = `
gain | Gain
step | Step
integrator | Integrator OpAmp
transfer function | TransferFunction
thyristor SCR | Thyristor
IGBT | Igbt
`;

const read = (lines: string): [string, string[]][] =>
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [words = '', types = ''] = line.split(' | ');
      return phrases(words).map((word): [string, string[]] => [word, types.split(' ')]);
    });

/** Phrases of several words, as users type them. */
const PHRASES = [
  ...['voltage source', 'sine voltage', 'current source', 'current mirror', 'operational amplifier'],
  ...['power meter', 'ideal transformer', 'coupled inductors', 'torsion spring'],
  ...['inclined plane', 'bouncing ball', 'state space', 'transfer function'],
  ...['sliding mode', 'slew rate', 'state machine'],
];

function phrases(words: string): string[] {
  const found = PHRASES.filter((phrase) => words.includes(phrase));
  const rest = found.reduce((text, phrase) => text.replace(phrase, ''), words);
  return [...found, ...rest.split(' ').filter((word) => word !== '')];
}

const known = new Set(all.map(({ type }) => type));
const words = [...read(WANTED), ...read(LATER).filter(([, types]) => types.some((type) => known.has(type)))];

describe('the palette', () => {
  it('is asked for 150 words and more', () => {
    expect(words.length).toBeGreaterThanOrEqual(150);
  });

  it.each(words)('finds “%s”', (word, types) => {
    const found = find(word);
    expect(
      found.slice(0, 2).some((type) => types.includes(type)),
      found.slice(0, 6).join(', '),
    ).toBe(true);
    for (const type of found) {
      const entries = all.filter((one) => one.type === type);
      const own = entries
        .flatMap((one) => [one.title, one.type, one.group, ...one.words])
        .join('\n')
        .toLowerCase();
      for (const part of word.toLowerCase().split(' ')) expect(own, type).toContain(part);
    }
  });

  it('forgives a letter too much, and finds nothing for nonsense', () => {
    expect(find('resisstor').slice(0, 2)).toContain('Resistor');
    expect(find('sine source').slice(0, 2)).toContain('SineVoltage');
    expect(find('qqzzxx')).toEqual([]);
  });
});
