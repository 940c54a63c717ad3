/** Impact laws: Siconos switches an interaction by its first row, so that each contact has one of its own. */
import { type LawWriter, NoCounterpart } from '../element';

export const newtonImpact: LawWriter = {
  type: 'NewtonImpact',
  problem: 'LCP',
  rows: 1,
  level: 1,
  write: (law, size, _interaction, to) => `sk.NewtonImpactNSL(${size}, ${to.number(law.e as number)})`,
};

export const newtonImpactFriction: LawWriter = {
  type: 'NewtonImpactFriction',
  problem: 'FrictionContact',
  rows: 2,
  level: 1,
  write: (law, _size, _interaction, to) => {
    if (law.et !== undefined && to.evaluate(law.et as number) !== 0)
      throw new NoCounterpart(
        'In the plane Siconos crashes with a tangential restitution.',
        'Set the tangential restitution to 0.',
      );
    if (law.hypothesis === 'poisson')
      throw new NoCounterpart('Siconos has no restitution by Poisson.', 'Choose the restitution by Newton.');
    return `sk.NewtonImpactFrictionNSL(${to.number(law.e as number)}, 0.0, ${to.number(law.mu as number)}, 2)`;
  },
};
