/** A spring and a damper with one slope near the middle and another beyond. */
import type { FieldDefinition } from '../../definition';
import type { MechanicalComponent } from '../component';
import { between, mechanical, MOTIONS, multiplierOf, twoFlanges } from './domains';

interface Kind {
  readonly type: string;
  readonly title: string;
  readonly summary: string;
  readonly level: 'position' | 'velocity';
  readonly symbol: readonly string[];
  readonly equations: readonly string[];
  readonly words: readonly string[];
  /** of what it depends on, and of a slope */
  readonly units: readonly [string, string];
}

const field = (key: string, label: string, symbol: string, unit: string, help: string): FieldDefinition => ({
  ...{ key, label, symbol, unit, help },
  kind: 'number',
  min: 0,
  required: true,
  initial: 1,
});

const threeSlopes = (kind: Kind): MechanicalComponent => {
  const { force } = MOTIONS.translational;
  const { level, units } = kind;
  const letter = level === 'position' ? 'k' : 'c';
  return {
    definition: mechanical('translational', {
      type: kind.type,
      title: kind.title,
      summary: kind.summary,
      pins: twoFlanges('translational'),
      symbol: { width: 40, height: 14, lines: [...kind.symbol, 'M-24 14L-8 4L8 -4L24 -14'] },
      quantities: [force],
      words: [...kind.words],
      equations: [...kind.equations],
      fields: [
        field('inner', 'Slope inside', `${letter}_i`, units[1], 'Up to the width; 0 for a dead zone.'),
        field('outer', 'Slope outside', `${letter}_o`, units[1], 'Beyond the width.'),
        { ...field('width', 'Width', 'd', units[0], 'To each side of the middle.'), exclusiveMin: true },
      ] as FieldDefinition[],
      source: 'Shaw and Holmes 1983',
    }),
    assemble(fields, mechanism) {
      const [inner, outer, d] = ['inner', 'outer', 'width'].map((key) => fields.number(key));
      const law = mechanism.law([between(mechanism)], {
        type: 'PiecewiseLinear',
        points: [
          [-d, inner * d],
          [d, -inner * d],
        ],
        start: [1, -outer],
        end: [1, -outer],
        level,
      });
      mechanism.record(force.name, [multiplierOf(law, -1)]);
    },
  };
};

export const piecewiseSpring = threeSlopes({
  type: 'PiecewiseSpring',
  title: 'Spring by pieces',
  summary:
    'A spring with one stiffness near the middle and another beyond, as with soft stops or a dead zone.',
  level: 'position',
  symbol: ['M-40 0H-24L-20 -10L-12 10L-4 -10L4 10L12 -10L20 10L24 0H40'],
  equations: [
    'f = k_i s \\;(|s| \\le d), \\quad f = \\pm k_i d + k_o (s \\mp d) \\;(|s| > d)',
    's = x_b - x_a',
  ],
  words: [
    'bilinear',
    'bumper',
    'soft stop',
    'dead zone',
    'Federkennlinie',
    'Gummipuffer',
    'Totzone',
    'ressort',
  ],
  units: ['m', 'N/m'],
});

export const piecewiseDamper = threeSlopes({
  type: 'PiecewiseDamper',
  title: 'Damper by pieces',
  summary: 'A damper with one slope at low speed and another beyond, as a shock absorber with a valve.',
  level: 'velocity',
  symbol: ['M-40 0H-4M-4 -9V9M-14 -12H14V12H-14M14 0H40'],
  equations: [
    'f = c_i \\dot s \\;(|\\dot s| \\le d), \\quad f = \\pm c_i d + c_o (\\dot s \\mp d) \\;(|\\dot s| > d)',
    's = x_b - x_a',
  ],
  words: ['valve', 'blow-off', 'shock absorber', 'Stoßdämpfer', 'Dämpferkennlinie', 'amortisseur'],
  units: ['m/s', 'N s/m'],
});
