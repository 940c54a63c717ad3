/** Gears and racks: ideal, and with backlash. */
import type { FieldDefinition } from '../../definition';
import type { MechanicalComponent } from '../component';
import { mechanical, pin, twoFlanges } from './domains';
import { restitution } from './stop';

const ratio: FieldDefinition = {
  key: 'ratio',
  kind: 'number',
  label: 'Ratio',
  symbol: 'r',
  unit: '',
  required: true,
  initial: 2,
  help: 'Turns of the first flange for one of the second; negative where they turn against each other. Not 0.',
};

const WHEELS = 'M-40 0H-12M40 0H12M-12 -20H-4V4H-12ZM-4 -4H12V20H-4';

/** Reports a ratio that joins nothing. */
const readRatio = (fields: Parameters<MechanicalComponent['assemble']>[0], key: string): number => {
  const value = fields.number(key);
  if (value === 0) fields.reject(key, 'zero-ratio', 'A ratio of 0 joins nothing.', 'Give another number.');
  return value;
};

export const gear: MechanicalComponent = {
  definition: mechanical('rotational', {
    type: 'GearPair',
    title: 'Gear',
    summary:
      'An ideal pair of gears: the first flange turns as many times as the second as the ratio says. No mass, no loss, no play.',
    pins: twoFlanges('rotational'),
    symbol: { width: 40, height: 20, lines: [WHEELS] },
    quantities: [],
    words: [
      'transmission',
      'ratio',
      'teeth',
      'reducer',
      'Getriebe',
      'Übersetzung',
      'Zahnrad',
      'engrenage',
      'réducteur',
    ],
    equations: ['\\varphi_a = r\\, \\varphi_b', '\\tau_b = -r\\, \\tau_a'],
    fields: [ratio],
    source: 'Pfeiffer and Glocker 1996, §9',
  }),
  assemble(fields, mechanism) {
    const r = readRatio(fields, 'ratio');
    if (r !== 0) mechanism.tie(mechanism.flange('a'), mechanism.flange('b'), r);
  },
};

export const backlashGear: MechanicalComponent = {
  definition: mechanical('rotational', {
    type: 'BacklashGear',
    title: 'Gear with backlash',
    summary:
      'A pair of gears whose teeth have play: they touch on one flank or the other, or on none, and rattle.',
    pins: twoFlanges('rotational'),
    symbol: {
      width: 40,
      height: 20,
      lines: [WHEELS, 'M16 -14H32M20 -18L16 -14L20 -10M28 -18L32 -14L28 -10'],
    },
    quantities: [{ name: 's', unit: 'rad', description: 'Displacement from the middle of the play' }],
    words: [
      'rattle',
      'play',
      'clearance',
      'teeth',
      'Zahnspiel',
      'Getrieberasseln',
      'Lose',
      'jeu',
      'engrenage',
    ],
    equations: [
      's = r\\, \\varphi_b - \\varphi_a',
      '-\\tfrac{j}{2} \\le s \\le \\tfrac{j}{2}',
      '\\dot s^+ = -e\\, \\dot s^-',
    ],
    fields: [
      { ...ratio, initial: 1 },
      {
        key: 'backlash',
        kind: 'number',
        min: 0,
        label: 'Backlash',
        symbol: 'j',
        unit: 'rad',
        required: true,
        initial: 0.01,
        help: 'Whole angle by which the first flange can turn while the second stands.',
      },
      restitution,
    ],
    source: 'Pfeiffer and Glocker 1996, §9',
  }),
  assemble(fields, mechanism) {
    const r = readRatio(fields, 'ratio');
    const half = fields.number('backlash') / 2;
    const row = (factor: number, offset: number): Parameters<typeof mechanism.law>[0][number] => ({
      terms: [
        { flange: mechanism.flange('b'), factor: factor * r },
        { flange: mechanism.flange('a'), factor: -factor },
      ],
      offset,
    });
    mechanism.law([row(1, half), row(-1, half)], { type: 'NewtonImpact', e: fields.number('restitution') });
    mechanism.record('s', [{ of: 'position', combination: row(1, 0), factor: 1 }]);
  },
};

export const rack: MechanicalComponent = {
  definition: mechanical('rotational', {
    type: 'Rack',
    title: 'Rack and pinion',
    summary:
      'A pinion that rolls on a rack: a turn of the one moves the other along its axis. No mass, no loss, no play.',
    pins: [pin('rotational', 'a', 'Pinion', -40), pin('translational', 'b', 'Rack', 40)],
    symbol: {
      width: 40,
      height: 20,
      lines: ['M-40 0H-26M-26 0a12 12 0 1 0 24 0a12 12 0 1 0 -24 0M-30 14H30V20H-30ZM30 17H40V0'],
    },
    quantities: [],
    words: [
      'pinion',
      'wheel',
      'drum',
      'winch',
      'pulley',
      'Zahnstange',
      'Ritzel',
      'Rolle',
      'crémaillère',
      'poulie',
    ],
    equations: ['x_b = R\\, \\varphi_a', '\\tau_a = -R\\, f_b'],
    fields: [
      {
        key: 'radius',
        kind: 'number',
        label: 'Radius',
        symbol: 'R',
        unit: 'm',
        required: true,
        initial: 0.1,
        help: 'Way of the rack for one radian of the pinion; negative where it moves back. Not 0.',
      },
    ],
    source: 'Pfeiffer and Glocker 1996, §2',
  }),
  assemble(fields, mechanism) {
    const R = readRatio(fields, 'radius');
    if (R !== 0) mechanism.tie(mechanism.flange('b'), mechanism.flange('a'), R);
  },
};
