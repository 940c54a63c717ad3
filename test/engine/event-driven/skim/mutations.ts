/** Slips in motion that is skimmed, as changes of the engine's own code. */
import type { Mutation } from '../../../support/mutation';
import type { checks } from './checks';

const EVENT_DRIVEN = '@engine/event-driven/';

export const skimMutations: readonly Mutation<keyof typeof checks>[] = [
  {
    name: 'skim-passes-walls',
    slip: 'the curvature of a wall does not count in how far a gap may be stepped',
    module: `${EVENT_DRIVEN}skim/skim-arcs`,
    find: 'least = least${r} + piece[4];',
    replace: 'least = least${r} + 1000;',
    killedBy: 'certificate',
  },
  {
    name: 'skim-series-off',
    slip: 'the series of an arc loses a part of each term',
    module: `${EVENT_DRIVEN}skim/skim-arcs`,
    find: '}) * factor;`);',
    replace: '}) * factor * 0.99999;`);',
    killedBy: 'certificate',
  },
  {
    name: 'skim-impulse-short',
    slip: 'an impact takes the approach away and gives too little back',
    module: `${EVENT_DRIVEN}impact/impact`,
    find: '-((1 + laws.restitution[row]) * this.event.outputs.speed[row]) / W',
    replace: '-((1 + 0.99 * laws.restitution[row]) * this.event.outputs.speed[row]) / W',
    killedBy: 'certificate',
  },
  {
    name: 'skim-force-without-damping',
    slip: 'the certificate leaves dampers out',
    module: `${EVENT_DRIVEN}certificate/motion-check`,
    find: '...entriesOf(damping, i, (j) => `z${velocity[first + j]}`),',
    replace: '',
    killedBy: 'certificate',
  },
  {
    name: 'skim-weights-without-length',
    slip: 'nodes of the certificate have weights of an arc of unit length',
    module: `${EVENT_DRIVEN}certificate/motion-check`,
    find: 'weight = ${w.bind(weights)}[k] * length;',
    replace: 'weight = ${w.bind(weights)}[k];',
    killedBy: 'certificate',
  },
  {
    name: 'strides-without-multipliers',
    slip: 'the certificate of an arc that is written out leaves what pushes out',
    module: `${EVENT_DRIVEN}certificate/motion-check`,
    find: 'weight * (force${d} + ${input.sum});',
    replace: 'weight * force${d};',
    killedBy: 'strides',
  },
  {
    name: 'strides-belt-at-rest',
    slip: 'the speed of a belt is missing where its slip is a form of the state',
    module: `${EVENT_DRIVEN}rows/row-events`,
    find: 'Float64Array.of(rate - this.laws.speedTarget[row], 0)',
    replace: 'Float64Array.of(0 - this.laws.speedTarget[row], 0)',
    killedBy: 'strides',
  },
  {
    name: 'strides-multipliers-of-elsewhere',
    slip: 'the state that multipliers are judged at is that at the start of the arc',
    module: `${EVENT_DRIVEN}skim/strides`,
    find: 'arcs.sample(this.#place, x);',
    replace: 'arcs.sample(new Float64Array(1), x);',
    killedBy: 'strides',
  },
];
