/** Slips in the certificate of resets, as changes of the engine's own code. */
import type { Mutation } from '../../support/mutation';
import type { checks } from './mutant-checks';

const CHECK = '@engine/certificate/reset-check';

export const resetMutations: readonly Mutation<keyof typeof checks>[] = [
  {
    name: 'reset-map-of-the-state-behind',
    slip: 'the map is evaluated where it has led',
    module: CHECK,
    find: 'if (rule >= 0) this.rules[rule].map(before, this.#map);',
    replace: 'if (rule >= 0) this.#map.fill(after[member.at]);',
    killedBy: 'wrongMap',
  },
  {
    name: 'reset-defect-from-nothing',
    slip: 'a state that no reset sets may jump',
    module: CHECK,
    find: 'const expected = rule >= 0 ? this.#map[i] : before[member.at + i];',
    replace: 'const expected = rule >= 0 ? this.#map[i] : after[member.at + i];',
    killedBy: 'jumpWithoutReset',
  },
  {
    name: 'reset-before-its-guard',
    slip: 'how far the guard is before zero is not asked',
    module: CHECK,
    find: 'const short = g * from;',
    replace: 'const short = 0 * g * from;',
    killedBy: 'early',
  },
  {
    name: 'reset-from-any-side',
    slip: 'a guard may be passed from either side',
    module: CHECK,
    find: 'if (side !== 0 && side !== from) this.raise(false, 1, before, k);',
    replace: '',
    killedBy: 'early',
  },
  {
    name: 'reset-that-is-missed',
    slip: 'a guard that has been passed without a reset is no defect',
    module: CHECK,
    find: 'const isMissed = side !== 0 && (direction === 0 || side === -direction);',
    replace: 'const isMissed = side !== 0 && direction === 0;',
    killedBy: 'missed',
  },
  {
    name: 'reset-left-beyond',
    slip: 'a map may leave the state beyond its guard',
    module: CHECK,
    find: 'else if (readsOwn && direction !== 0 && isMoved && Math.sign(behind) === direction)',
    replace: 'else if (readsOwn && direction === 0 && isMoved && Math.sign(behind) === direction)',
    killedBy: 'beyond',
  },
  {
    name: 'reset-side-behind',
    slip: 'the side behind a reset is taken for the one before it',
    module: CHECK,
    find: 'this.#sides[k] = isAtZero ? 0 : Math.sign(behind);',
    replace: 'this.#sides[k] = isAtZero ? 0 : -Math.sign(behind);',
    killedBy: 'soundResets',
  },
  {
    name: 'reset-sizes-forgotten',
    slip: 'the largest guard is forgotten where a run goes on',
    module: CHECK,
    find: 'this.#guards.set(guards);',
    replace: '',
    killedBy: 'goesOn',
  },
  {
    name: 'reset-kept-guard-goes-on',
    slip: 'a guard that its reset keeps goes on through zero however it moves',
    module: CHECK,
    find: 'this.#sides[k] = side === 0 && !isAtZero ? Math.sign(g) : side;',
    replace: 'this.#sides[k] = beyond;',
    killedBy: 'keptGuard',
  },
  {
    name: 'reset-at-rest-falls-through',
    slip: 'a state that a reset has stopped at its guard may go on through it',
    module: CHECK,
    find: 'const resting = this.rules[k].readsOwn ? -beyond : beyond;',
    replace: 'const resting = beyond;',
    killedBy: 'stopped',
  },
  {
    name: 'reset-left-by-a-step',
    slip: 'a guard that a step has left beyond zero may not turn back from there',
    module: CHECK,
    find: 'this.#left[k] = Math.max(Math.abs(g), Math.abs(behind));',
    replace: '',
    killedBy: 'turningSteps',
  },
];
