/** Linear springs. */
import type { MechanicalComponent } from '../component';
import { between, type MechanicalDomain, mechanical, MOTIONS, twoFlanges } from './domains';

const springOf = (
  domain: MechanicalDomain,
  type: string,
  title: string,
  words: string[],
): MechanicalComponent => {
  const { position, force } = MOTIONS[domain];
  const [x, f] = domain === 'translational' ? ['x', 'f'] : ['\\varphi', '\\tau'];
  const elongation = { name: 's', unit: position.unit, description: 'Elongation' };
  return {
    definition: mechanical(domain, {
      type,
      title,
      summary: 'A linear spring between two flanges. Its force is positive where it pulls them together.',
      pins: twoFlanges(domain),
      symbol: {
        width: 40,
        height: 10,
        lines: ['M-40 0H-24L-20 -10L-12 10L-4 -10L4 10L12 -10L20 10L24 0H40'],
      },
      quantities: [elongation, force],
      words,
      equations: [`s = ${x}_b - ${x}_a - \\ell`, `${f} = k s + ${f}_0`],
      fields: [
        {
          key: 'stiffness',
          kind: 'number',
          label: 'Stiffness',
          symbol: 'k',
          unit: `${force.unit}/${position.unit}`,
          required: true,
          initial: 100,
          help: 'Force for each unit of elongation.',
        },
        {
          key: 'length',
          kind: 'number',
          label: 'Free length',
          symbol: '\\ell',
          unit: position.unit,
          required: false,
          default: 0,
          help: 'How far the second flange is before the first where it is not stretched; 0 where positions are displacements.',
        },
        {
          key: 'preload',
          kind: 'number',
          label: 'Preload',
          symbol: `${f}_0`,
          unit: force.unit,
          required: false,
          default: 0,
          help: 'What it pulls with where its elongation is zero.',
        },
      ],
      source: 'Pfeiffer and Glocker 1996, §2',
    }),
    assemble(fields, mechanism) {
      const [k, preload] = [fields.number('stiffness'), fields.number('preload')];
      const s = between(mechanism, 1, -fields.number('length'));
      mechanism.spring(s, k, preload);
      mechanism.record('s', [{ of: 'position', combination: s, factor: 1 }]);
      mechanism.record(force.name, [
        { of: 'position', combination: s, factor: k },
        { of: 'value', value: preload, factor: 1 },
      ]);
    },
  };
};

export const spring = springOf('translational', 'Spring', 'Spring', [
  ...['k', 'stiffness', 'elastic', 'preload', 'Feder', 'Steifigkeit', 'Vorspannung', 'ressort', 'raideur'],
]);

export const torsionSpring = springOf('rotational', 'TorsionSpring', 'Torsion spring', [
  ...['k', 'stiffness', 'elastic shaft', 'Drehfeder', 'Torsionsfeder', 'ressort de torsion'],
]);
