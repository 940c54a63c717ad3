/** Dry friction: on the ground, between two bodies, on a belt, in clutches and brakes. */
import type { FieldDefinition } from '../../definition';
import type { FieldReader } from '../../field-reader';
import type { MechanicalComponent } from '../component';
import type { Combination, Mechanism } from '../mechanism';
import {
  between,
  freeGate,
  frictionLaw,
  GATE_PIN,
  lawGate,
  type MechanicalDomain,
  mechanical,
  MOTIONS,
  multiplierOf,
  pin,
  twoFlanges,
} from './domains';

const limit = (domain: MechanicalDomain, label: string): FieldDefinition => ({
  key: 'limit',
  kind: 'number',
  min: 0,
  label,
  symbol: domain === 'translational' ? 'F_R' : 'T_R',
  unit: MOTIONS[domain].force.unit,
  required: true,
  initial: 1,
  help: 'Largest that friction can hold; while it slides it has this value, against the motion.',
});

const slip = (domain: MechanicalDomain): { name: string; unit: string; description: string } => ({
  name: 'slip',
  unit: MOTIONS[domain].velocity.unit,
  description: 'Sliding velocity',
});

/** A law of friction on the rate of s. */
function rub(fields: FieldReader, mechanism: Mechanism, domain: MechanicalDomain, s: Combination): void {
  const law = mechanism.law([s], frictionLaw(fields.number('limit')), lawGate(fields, mechanism));
  mechanism.record('slip', [{ of: 'velocity', combination: s, factor: 1 }]);
  mechanism.record(MOTIONS[domain].force.name, [multiplierOf(law)]);
}

const SOURCE = 'Pfeiffer and Glocker 1996, §5; Den Hartog 1956';

const EQUATIONS = {
  translational: ['-\\dot s \\in N_{[-F_R, F_R]}(f)', '\\dot s = v_b - v_a'],
  rotational: ['-\\dot s \\in N_{[-T_R, T_R]}(\\tau)', '\\dot s = \\omega_b - \\omega_a'],
};

export const friction: MechanicalComponent = {
  definition: mechanical('translational', {
    type: 'Friction',
    title: 'Dry friction',
    summary:
      'Coulomb friction between two bodies that slide on each other, or between a body and a wall: they stick up to a largest force.',
    pins: [...twoFlanges('translational'), GATE_PIN],
    symbol: {
      width: 40,
      height: 12,
      lines: ['M-40 0H-30V-4H30M40 0H30V4H-30M-20 -4L-14 4M-6 -4L0 4M8 -4L14 4'],
    },
    quantities: [slip('translational'), MOTIONS.translational.force],
    words: [
      'Coulomb',
      'stick',
      'slip',
      'slide',
      'rough',
      'Reibung',
      'Haftung',
      'Gleitreibung',
      'frottement',
      'sec',
    ],
    equations: EQUATIONS.translational,
    fields: [limit('translational', 'Friction force'), freeGate],
    source: SOURCE,
  }),
  assemble(fields, mechanism) {
    rub(fields, mechanism, 'translational', between(mechanism));
  },
};

export const belt: MechanicalComponent = {
  definition: mechanical('translational', {
    type: 'Belt',
    title: 'Belt',
    summary: 'A belt that runs at a constant speed and drags what lies on it by dry friction.',
    pins: [pin('translational', 'a', 'What lies on it', 0, -20), GATE_PIN],
    symbol: {
      width: 40,
      height: 14,
      lines: ['M0 -20V-10M-30 -10H30a8 8 0 1 1 0 20H-30a8 8 0 1 1 0 -20M-6 0H10M4 -5L10 0L4 5'],
    },
    quantities: [slip('translational'), MOTIONS.translational.force],
    words: [
      'conveyor',
      'stick-slip',
      'friction',
      'moving',
      'Band',
      'Riemen',
      'Förderband',
      'tapis',
      'courroie',
    ],
    equations: ['-\\dot s \\in N_{[-F_R, F_R]}(f)', '\\dot s = v_a - v_B'],
    fields: [
      limit('translational', 'Friction force'),
      {
        key: 'speed',
        kind: 'number',
        label: 'Speed of the belt',
        symbol: 'v_B',
        unit: 'm/s',
        required: true,
        initial: 0.1,
        help: 'In the direction of the axis.',
      },
      freeGate,
    ],
    source: 'Leine and Nijmeijer 2004; Pfeiffer and Glocker 1996, §5',
  }),
  waveforms: { way: (raw) => `${raw('speed')}*t` },
  assemble(fields, mechanism) {
    fields.number('speed');
    const surface = mechanism.inner();
    mechanism.motion(surface, 'way');
    const terms = [
      { flange: mechanism.flange('a'), factor: 1 },
      { flange: surface, factor: -1 },
    ];
    rub(fields, mechanism, 'translational', { terms, offset: 0 });
  },
};

export const clutch: MechanicalComponent = {
  definition: mechanical('rotational', {
    type: 'Clutch',
    title: 'Clutch',
    summary:
      'Two discs with dry friction: they turn together up to a largest torque, and slide beyond. A gate opens and closes it.',
    pins: [...twoFlanges('rotational'), GATE_PIN],
    symbol: { width: 40, height: 20, lines: ['M-40 0H-4M-4 -20V20M40 0H4M4 -20V20'] },
    quantities: [slip('rotational'), MOTIONS.rotational.force],
    words: ['friction', 'coupling', 'slip', 'lock', 'Kupplung', 'Rutschkupplung', 'embrayage'],
    equations: EQUATIONS.rotational,
    fields: [limit('rotational', 'Friction torque'), freeGate],
    source: SOURCE,
  }),
  assemble(fields, mechanism) {
    rub(fields, mechanism, 'rotational', between(mechanism));
  },
};

export const brake: MechanicalComponent = {
  definition: mechanical('rotational', {
    type: 'Brake',
    title: 'Brake',
    summary:
      'Dry friction of a shaft in the housing: holds up to a largest torque. A gate applies and releases it.',
    pins: [pin('rotational', 'a', 'Shaft', -40), GATE_PIN],
    symbol: {
      width: 40,
      height: 20,
      lines: ['M-40 0H-4M-4 -20V20M4 -20V20M4 -20L14 -12M4 -4L14 4M4 12L14 20'],
    },
    quantities: [slip('rotational'), MOTIONS.rotational.force],
    words: ['friction', 'bearing', 'hold', 'Bremse', 'Lagerreibung', 'frein'],
    equations: ['-\\omega \\in N_{[-T_R, T_R]}(\\tau)'],
    fields: [limit('rotational', 'Friction torque'), freeGate],
    source: SOURCE,
  }),
  assemble(fields, mechanism) {
    const s = { terms: [{ flange: mechanism.flange('a'), factor: 1 }], offset: 0 };
    rub(fields, mechanism, 'rotational', s);
  },
};
