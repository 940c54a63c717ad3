/** Stops that limit how near two flanges come, or also how far apart. */
import type { FieldDefinition } from '../../definition';
import { stiffnessField } from '../../laws/common';
import type { MechanicalComponent } from '../component';
import {
  between,
  freeGate,
  GATE_PIN,
  lawGate,
  type MechanicalDomain,
  mechanical,
  MOTIONS,
  twoFlanges,
} from './domains';

export const restitution: FieldDefinition = {
  key: 'restitution',
  kind: 'number',
  min: 0,
  max: 1,
  label: 'Restitution',
  symbol: 'e',
  unit: '',
  required: false,
  default: 0,
  help: 'Speed after an impact for that before it: 0 stays, 1 loses no energy.',
};

const gapField = (domain: MechanicalDomain, help: string) => ({
  key: 'gap',
  kind: 'number' as const,
  label: 'Gap',
  symbol: 'd',
  unit: MOTIONS[domain].position.unit,
  help,
});

const ofGap = (domain: MechanicalDomain): { name: string; unit: string; description: string } => ({
  name: 's',
  unit: MOTIONS[domain].position.unit,
  description: 'Gap',
});

const x = (domain: MechanicalDomain): string => (domain === 'translational' ? 'x' : '\\varphi');

const oneSided = (
  domain: MechanicalDomain,
  type: string,
  title: string,
  words: string[],
): MechanicalComponent => ({
  definition: mechanical(domain, {
    type,
    title,
    summary:
      'The second flange cannot pass the first: they touch where the gap between them is closed, and part freely. Impacts follow Newton’s law.',
    pins: [...twoFlanges(domain), GATE_PIN],
    symbol: { width: 40, height: 16, lines: ['M-40 0H-8M-8 -16V16M40 0H8M8 -16V16'] },
    quantities: [ofGap(domain)],
    words,
    equations: [
      `s = ${x(domain)}_b - ${x(domain)}_a + d`,
      '0 \\le s \\perp \\lambda \\ge 0',
      '\\dot s^+ = -e\\, \\dot s^-',
    ],
    fields: [
      {
        ...gapField(domain, 'Between the flanges where both coordinates are zero.'),
        required: false,
        default: 0,
      },
      restitution,
      stiffnessField,
      freeGate,
    ],
    source: 'Moreau 1988; Pfeiffer and Glocker 1996, §5',
  }),
  assemble(fields, mechanism) {
    const s = between(mechanism, 1, fields.number('gap'));
    const law = {
      type: 'NewtonImpact',
      e: fields.number('restitution'),
      ...(fields.has('stiffness') && { stiffness: fields.number('stiffness') }),
    };
    mechanism.law([s], law, lawGate(fields, mechanism));
    mechanism.record('s', [{ of: 'position', combination: s, factor: 1 }]);
  },
});

const twoSided = (
  domain: MechanicalDomain,
  type: string,
  title: string,
  words: string[],
): MechanicalComponent => ({
  definition: mechanical(domain, {
    type,
    title,
    summary:
      'Two stops: the second flange moves freely by the play before the first and behind it. Impacts follow Newton’s law.',
    pins: [...twoFlanges(domain), GATE_PIN],
    symbol: {
      width: 40,
      height: 16,
      lines: ['M-40 0H-20M-20 -16V16M20 -16V16M-20 -16H-12M-20 16H-12M20 -16H12M20 16H12M40 0H0M0 -10V10'],
    },
    quantities: [{ ...ofGap(domain), description: 'Displacement from the middle' }],
    words,
    equations: [`s = ${x(domain)}_b - ${x(domain)}_a`, '-d \\le s \\le d', '\\dot s^+ = -e\\, \\dot s^-'],
    fields: [
      {
        ...gapField(domain, 'Free way to each side from the middle, where both coordinates are equal.'),
        min: 0,
        required: true,
        initial: 0.01,
      },
      restitution,
      freeGate,
    ],
    source: 'Pfeiffer and Glocker 1996, §5 and §9',
  }),
  assemble(fields, mechanism) {
    const gap = fields.number('gap');
    const rows = [between(mechanism, 1, gap), between(mechanism, -1, gap)];
    const law = { type: 'NewtonImpact', e: fields.number('restitution') };
    mechanism.law(rows, law, lawGate(fields, mechanism));
    mechanism.record('s', [{ of: 'position', combination: between(mechanism), factor: 1 }]);
  },
});

export const stop = oneSided('translational', 'Stop', 'Stop', [
  ...['impact', 'contact', 'bumper', 'collision', 'gap', 'Anschlag', 'Stoß', 'Spalt', 'butée', 'choc'],
]);

export const rotaryStop = oneSided('rotational', 'RotaryStop', 'Rotary stop', [
  ...['impact', 'contact', 'claw', 'Anschlag', 'Klaue', 'butée'],
]);

export const play = twoSided('translational', 'Play', 'Two-sided stop', [
  ...['clearance', 'gap', 'backlash', 'Spiel', 'Lose', 'jeu', 'double butée'],
]);

export const rotaryPlay = twoSided('rotational', 'RotaryPlay', 'Rotary play', [
  ...['clearance', 'claw', 'spline', 'Drehspiel', 'Lose', 'jeu'],
]);
