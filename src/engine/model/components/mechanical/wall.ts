/** What does not move. */
import type { MechanicalComponent } from '../component';
import { type MechanicalDomain, mechanical, MOTIONS, pin } from './domains';

const fixed = (
  domain: MechanicalDomain,
  type: string,
  title: string,
  words: string[],
): MechanicalComponent => ({
  definition: mechanical(domain, {
    type,
    title,
    summary: 'Does not move: what is joined with it stands where it is.',
    pins: [pin(domain, 'a', 'Flange', 0)],
    symbol: { width: 12, height: 20, lines: ['M0 -20V20M0 -20L-10 -10M0 -8L-10 2M0 4L-10 14M0 16L-6 20'] },
    quantities: [],
    words,
    equations: [domain === 'translational' ? 'x = x_w' : '\\varphi = \\varphi_w'],
    fields: [
      {
        key: 'position',
        kind: 'number',
        label: MOTIONS[domain].position.description,
        symbol: domain === 'translational' ? 'x_w' : '\\varphi_w',
        unit: MOTIONS[domain].position.unit,
        required: false,
        default: 0,
        help: 'Where it is.',
      },
    ],
    source: 'Pfeiffer and Glocker 1996, §2',
  }),
  assemble(fields, mechanism) {
    mechanism.motion(mechanism.flange('a'), fields.number('position'));
  },
});

export const wall = fixed('translational', 'Wall', 'Wall', [
  ...['ground', 'fixed', 'frame', 'support', 'Wand', 'Lager', 'Gestell', 'mur', 'bâti'],
]);

export const housing = fixed('rotational', 'Housing', 'Housing', [
  ...['ground', 'fixed', 'frame', 'Gehäuse', 'Gestell', 'carter', 'bâti'],
]);
