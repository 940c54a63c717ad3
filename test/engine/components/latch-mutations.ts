/** Slips in the memory of thyristors, as changes of the engine's own code. */
import type { Mutation } from '../../support/mutation';
import type { checks } from './latch-checks';

const STEPS = '@engine/time-stepping/presence';
const EVENTS = '@engine/event-driven/impact/event-presence';
const OF_STEPS = '@engine/time-stepping/certificate/presence';
const OF_EVENTS = '@engine/event-driven/certificate/presence-check';

export const latchMutations: readonly Mutation<keyof typeof checks>[] = [
  {
    name: 'latch-that-forgets-by-steps',
    slip: 'a thyristor blocks as soon as its gate is off, by steps',
    module: STEPS,
    find: 'isThereNext(rule, this.#isPresent[k] === 1, c, row, this.#isFirst)',
    replace: 'isThereNext(rule, false, c, row, this.#isFirst)',
    killedBy: 'steps',
  },
  {
    name: 'latch-that-forgets-by-events',
    slip: 'a thyristor blocks as soon as its gate is off, from event to event',
    module: EVENTS,
    find: 'isThere = this.#isThere[k] === 1 && this.#carries(rule, clock, x);',
    replace: 'isThere = false;',
    killedBy: 'events',
  },
  {
    name: 'latch-that-stays-by-events',
    slip: 'a thyristor that has been fired is a diode from there on',
    module: EVENTS,
    find: 'isThere = this.#isThere[k] === 1 && this.#carries(rule, clock, x);',
    replace: 'isThere = this.#isThere[k] === 1;',
    killedBy: 'events',
  },
  {
    name: 'certificate-of-steps-without-memory',
    slip: 'the certificate of steps looks at the gate alone',
    module: OF_STEPS,
    find: 'isThereNext(rule, was, c, row, isFirst)',
    replace: 'isThereNext(rule, false, c, row, isFirst)',
    killedBy: 'steps',
  },
  {
    name: 'certificate-of-events-without-memory',
    slip: 'the certificate of events looks at the gate alone',
    module: OF_EVENTS,
    find: 'const answer = stays ? this.#carried[k] : holds;',
    replace: 'const answer = holds;',
    killedBy: 'events',
  },
];
