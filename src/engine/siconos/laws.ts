/** Laws that are cones or equations in their rows. */
import type { InteractionDocument, TypedElement } from '../document/types';
import { type LawWriter, NoCounterpart } from './writer';

/**
 * On mechanisms the kernel keeps impulses at the level of velocities; of positions there is only the
 * first-order form.
 */
function onlyFirstOrder({ relation }: InteractionDocument, { type }: TypedElement): void {
  if (relation.type.startsWith('FirstOrder')) return;
  throw new NoCounterpart(
    `Siconos has no ${type} between forces and positions of mechanisms in a time-stepping scheme.`,
    'Use an impact law, or an equality for joints.',
  );
}

export const complementarity: LawWriter = {
  type: 'Complementarity',
  problem: 'LCP',
  rows: null,
  level: 0,
  write: (law, size, interaction) => {
    onlyFirstOrder(interaction, law);
    return `sk.ComplementarityConditionNSL(${size})`;
  },
};

export const mixedComplementarity: LawWriter = {
  type: 'MixedComplementarity',
  problem: 'MLCP',
  rows: null,
  level: 0,
  write: (law, size, interaction, to) => {
    onlyFirstOrder(interaction, law);
    const [inequalities, equalities] = [law.inequalities, law.equalities].map((count) =>
      to.evaluate(count as number),
    );
    if (inequalities + equalities !== size)
      throw new NoCounterpart(
        'The law is repeated over several groups of rows.',
        'Divide the interaction into one for each group.',
      );
    return `sk.MixedComplementarityConditionNSL(${inequalities}, ${equalities})`;
  },
};

export const equality: LawWriter = {
  type: 'Equality',
  problem: 'MLCP',
  rows: null,
  level: 0,
  write: (_law, size) => `sk.EqualityConditionNSL(${size})`,
};

export const relay: LawWriter = {
  type: 'Relay',
  problem: 'Relay',
  rows: null,
  level: 0,
  write: (law, size, interaction, to) => {
    onlyFirstOrder(interaction, law);
    const bounds = ([law.lower ?? [-1], law.upper ?? [1]] as (string | number)[][]).map((values) => {
      if (new Set(values.map((value) => to.evaluate(value))).size > 1)
        throw new NoCounterpart(
          'A relay of Siconos has the same bounds in all rows.',
          'Scale the rows so that their bounds agree, or divide the interaction.',
        );
      return to.number(values[0]);
    });
    return `sk.RelayNSL(${size}, ${bounds.join(', ')})`;
  },
};

/* Impact laws: Siconos switches an interaction by its first row, so that each contact has one of its own. */

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
