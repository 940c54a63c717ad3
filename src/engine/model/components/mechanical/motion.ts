/** Flanges whose motion is given. */
import type { MechanicalComponent } from '../component';
import { type MechanicalDomain, mechanical, MOTIONS, pin, recordMotion } from './domains';

const motionOf = (
  domain: MechanicalDomain,
  type: string,
  title: string,
  words: string[],
): MechanicalComponent => {
  const { position, velocity } = MOTIONS[domain];
  const symbol = domain === 'translational' ? 'X' : '\\Phi';
  return {
    definition: mechanical(domain, {
      type,
      title,
      summary:
        'Moves what it is joined with as an expression of time says, as a shaker does. The velocity comes from the expression.',
      pins: [pin(domain, 'a', 'What it moves', 20)],
      symbol: { width: 20, height: 18, lines: ['M-20 -18V18M-12 -18V18M-12 0H20M-16 6C-10 -6 -2 12 8 -8'] },
      quantities: [position, velocity],
      words,
      equations: [domain === 'translational' ? 'x = X(t)' : '\\varphi = \\Phi(t)'],
      fields: [
        {
          key: 'value',
          kind: 'expression',
          of: 'time',
          label: position.description,
          symbol,
          unit: position.unit,
          required: true,
          initial: 0,
          help: 'Expression of the time t and parameters, such as A*sin(omega*t). It must not jump.',
        },
      ],
      source: 'Pfeiffer and Glocker 1996, §2',
    }),
    waveforms: { value: (raw) => raw('value') },
    assemble(_fields, mechanism) {
      const a = mechanism.flange('a');
      mechanism.motion(a, 'value');
      recordMotion(mechanism, domain, a);
    },
  };
};

export const motion = motionOf('translational', 'Motion', 'Prescribed motion', [
  ...[
    'shaker',
    'base',
    'excitation',
    'vibration',
    'table',
    'Erregung',
    'Rüttler',
    'Fußpunkt',
    'vibreur',
    'mouvement imposé',
  ],
]);

export const rotaryMotion = motionOf('rotational', 'RotaryMotion', 'Prescribed rotation', [
  ...['drive', 'crank', 'speed', 'shaft', 'Antrieb', 'Drehzahl', 'rotation imposée'],
]);
