/** Linear dampers. */
import type { MechanicalComponent } from '../component';
import { between, type MechanicalDomain, mechanical, MOTIONS, twoFlanges } from './domains';

const damperOf = (
  domain: MechanicalDomain,
  type: string,
  title: string,
  words: string[],
): MechanicalComponent => {
  const { position, force } = MOTIONS[domain];
  const [v, f] = domain === 'translational' ? ['v', 'f'] : ['\\omega', '\\tau'];
  return {
    definition: mechanical(domain, {
      type,
      title,
      summary: 'A viscous damper between two flanges. Its force is positive where it holds them together.',
      pins: twoFlanges(domain),
      symbol: { width: 40, height: 12, lines: ['M-40 0H-4M-4 -9V9M-14 -12H14V12H-14M14 0H40'] },
      quantities: [force],
      words,
      equations: [`${f} = c\\, (${v}_b - ${v}_a)`],
      fields: [
        {
          key: 'damping',
          kind: 'number',
          label: 'Damping',
          symbol: 'c',
          unit: `${force.unit} s/${position.unit}`,
          required: true,
          initial: 1,
          help: 'Force for each unit of speed; negative where it drives.',
        },
      ],
      source: 'Pfeiffer and Glocker 1996, §2',
    }),
    assemble(fields, mechanism) {
      const c = fields.number('damping');
      const s = between(mechanism);
      mechanism.damper(s, c);
      mechanism.record(force.name, [{ of: 'velocity', combination: s, factor: c }]);
    },
  };
};

export const damper = damperOf('translational', 'Damper', 'Damper', [
  ...['c', 'dashpot', 'viscous', 'shock absorber', 'Dämpfer', 'Stoßdämpfer', 'amortisseur'],
]);

export const rotaryDamper = damperOf('rotational', 'RotaryDamper', 'Rotary damper', [
  ...['c', 'viscous', 'bearing', 'Drehdämpfer', 'Lagerreibung', 'amortisseur rotatif'],
]);
