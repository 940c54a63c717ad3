/** A rope that pulls and does not push. */
import type { MechanicalComponent } from '../component';
import { between, freeGate, GATE_PIN, lawGate, mechanical, twoFlanges } from './domains';
import { restitution } from './stop';

export const rope: MechanicalComponent = {
  definition: mechanical('translational', {
    type: 'Rope',
    title: 'Rope',
    summary:
      'The second flange goes no further from the first than the rope is long. It is slack where it is nearer.',
    pins: [...twoFlanges('translational'), GATE_PIN],
    symbol: { width: 40, height: 10, lines: ['M-40 0C-20 14 20 14 40 0'] },
    quantities: [{ name: 's', unit: 'm', description: 'Slack' }],
    words: ['cable', 'string', 'tether', 'chain', 'slack', 'Seil', 'Faden', 'corde', 'câble'],
    equations: ['s = \\ell - (x_b - x_a)', '0 \\le s \\perp \\lambda \\ge 0'],
    fields: [
      {
        key: 'length',
        kind: 'number',
        label: 'Length',
        symbol: '\\ell',
        unit: 'm',
        required: true,
        initial: 1,
        help: 'Largest difference of the positions.',
      },
      restitution,
      freeGate,
    ],
    source: 'Moreau 1988',
  }),
  assemble(fields, mechanism) {
    const s = between(mechanism, -1, fields.number('length'));
    const law = { type: 'NewtonImpact', e: fields.number('restitution') };
    mechanism.law([s], law, lawGate(fields, mechanism));
    mechanism.record('s', [{ of: 'position', combination: s, factor: 1 }]);
  },
};
