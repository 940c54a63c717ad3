/** Rigid couplings that come and go: a hook that catches, a claw that engages, a bolt that shears. */
import type { ComponentSymbol } from '../../definition';
import {
  GATE_HELP,
  gateField,
  hysteresisField,
  hysteresisOf,
  type MechanicalComponent,
  startField,
} from '../component';
import {
  between,
  GATE_PIN,
  lawGate,
  type MechanicalDomain,
  mechanical,
  MOTIONS,
  twoFlanges,
} from './domains';

const WAYS = {
  translational: { x: 'x', rate: 'v', force: 'f' },
  rotational: { x: '\\varphi', rate: '\\omega', force: '\\tau' },
} as const;

const couplingOf = (
  domain: MechanicalDomain,
  type: string,
  title: string,
  summary: string,
  lines: ComponentSymbol['lines'],
  words: string[],
): MechanicalComponent => {
  const { x, rate, force } = WAYS[domain];
  const { position, velocity } = MOTIONS[domain];
  return {
    definition: mechanical(domain, {
      ...{ type, title, summary, words },
      pins: [...twoFlanges(domain), GATE_PIN],
      symbol: { width: 40, height: 20, lines },
      quantities: [
        { name: 's', unit: position.unit, description: 'How far the second flange is before the first' },
        { name: 'slip', unit: velocity.unit, description: 'Relative velocity' },
      ],
      equations: [
        `s = ${x}_b - ${x}_a`,
        `\\dot s = ${rate}_b - ${rate}_a = 0 \\;\\text{(on)}, \\quad ${force} = 0 \\;\\text{(off)}`,
      ],
      fields: [gateField(GATE_HELP), hysteresisField, startField('between the two thresholds')],
      source: 'Acary and Brogliato 2008, §1.4',
    }),
    assemble(fields, mechanism) {
      const s = between(mechanism);
      mechanism.law([s], { type: 'Equality' }, lawGate(fields, mechanism, hysteresisOf(fields)));
      mechanism.record('s', [{ of: 'position', combination: s, factor: 1 }]);
      mechanism.record('slip', [{ of: 'velocity', combination: s, factor: 1 }]);
    },
  };
};

export const rigidCoupling = couplingOf(
  'translational',
  'RigidCoupling',
  'Rigid coupling',
  'Holds two flanges at the distance that they have when its gate comes on, and lets them go when it is off. What it catches moves at one velocity at once, as after a plastic impact.',
  ['M-40 0H-14V-10H5V-2M40 0H14V10H-5V2'],
  [
    ...['latch', 'hitch', 'hook', 'catch', 'lock', 'release', 'docking', 'train', 'weld', 'bolt'],
    ...['Haken', 'Riegel', 'Verriegelung', 'Anhänger', 'verrou', 'crochet', 'attelage', 'accouplement'],
  ],
);

export const dogClutch = couplingOf(
  'rotational',
  'DogClutch',
  'Dog clutch',
  'Makes two shafts turn as one while its gate is on, at the angle that they have when it comes, and lets them turn freely while it is off. Where it engages they have one velocity at once, as after a plastic impact.',
  ['M-40 0H-10V-16H4V-6H-4V6H4V16H-10V0M40 0H12V-12H4M12 0V12H4'],
  [
    ...['claw', 'coupling', 'latch', 'lock', 'engage', 'shear pin', 'synchroniser', 'positive clutch'],
    ...['Klauenkupplung', 'Schaltkupplung', 'Scherstift', 'crabot', 'accouplement'],
  ],
);
