/** Forces and torques that are given. */
import { type MechanicalComponent, signalIn } from '../component';
import { type MechanicalDomain, mechanical, MOTIONS, pin } from './domains';

const forceOf = (
  domain: MechanicalDomain,
  type: string,
  title: string,
  words: string[],
): MechanicalComponent => {
  const { force } = MOTIONS[domain];
  const symbol = domain === 'translational' ? 'F' : 'T';
  return {
    definition: mechanical(domain, {
      type,
      title,
      summary: `A ${title.toLowerCase()} along the axis: a constant, an expression of time, or a signal.`,
      pins: [
        pin(domain, 'a', 'What it acts on', 40),
        signalIn('value', 'Signal that it follows', -40, 0, 'isFree'),
      ],
      symbol: {
        width: 40,
        height: 14,
        lines: [
          domain === 'translational'
            ? 'M-36 0H40M28 -8L40 0L28 8'
            : 'M-20 0H40M-24 -14a14 14 0 1 1 0 28M-16 8L-24 14L-16 20',
        ],
      },
      quantities: [force],
      words,
      equations: [domain === 'translational' ? 'f = F(t)' : '\\tau = T(t)'],
      fields: [
        {
          key: 'value',
          kind: 'expression',
          of: 'time',
          label: title,
          symbol,
          unit: force.unit,
          required: true,
          initial: 1,
          help: `In the direction of the axis: a number, or an expression of the time t and parameters such as ${symbol}*sin(omega*t). A signal at its pin takes its place.`,
        },
      ],
      source: 'Pfeiffer and Glocker 1996, §2',
    }),
    waveforms: { value: (raw) => raw('value') },
    assemble(_fields, mechanism) {
      const value = mechanism.isWired('value') ? mechanism.signal('value') : 'value';
      mechanism.force(mechanism.flange('a'), value);
      mechanism.record(force.name, [{ of: 'value', value, factor: 1 }]);
    },
  };
};

export const force = forceOf('translational', 'Force', 'Force', [
  ...[
    'F',
    'actuator',
    'Aktor',
    'load',
    'push',
    'excitation',
    'weight',
    'Kraft',
    'Last',
    'Erregung',
    'force',
    'charge',
  ],
]);

export const torque = forceOf('rotational', 'Torque', 'Torque', [
  ...['T', 'actuator', 'Aktor', 'moment', 'load', 'drive', 'Drehmoment', 'Moment', 'couple'],
]);
