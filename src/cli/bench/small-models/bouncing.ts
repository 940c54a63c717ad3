/**
 * Benchmarks of a ball on a floor, and of one between floor and ceiling, beside their twin: nothing is
 * recorded but the section of impacts on the floor.
 */
import type { SweepJob } from '@engine/analysis/sweep/job';
import type { ModelDocument } from '@engine/document/types';
import { type SideBySide, sameNumbers } from './side-by-side';
import { computeSwept, lastRows } from './swept-points';

/** Last impacts that are compared. */
const KEPT = 8;
/** Longest time between two points of the discretisation, s. */
const H = 0.1;

interface Bouncing {
  readonly name: string;
  readonly summary: string;
  readonly e: number;
  /** m/s */
  readonly speed: number;
  /** of the ceiling, m; none when absent */
  readonly top?: number;
  /** on the floor */
  readonly impacts: number;
}

/** The ball of the gallery with another start, and a ceiling where there is one. */
function documentOf(document: ModelDocument, { speed, top }: Bouncing): ModelDocument {
  const [ball] = document.systems;
  const [floor] = document.interactions;
  const ceiling = { ...floor, id: 'ceiling', relation: { type: 'LagrangianLinear', H: [[-1]], b: [top] } };
  return {
    ...document,
    systems: [{ ...ball, v0: [speed] }],
    interactions: top === undefined ? [floor] : [floor, ceiling as typeof floor],
  };
}

export const bouncing = (ball: Bouncing): SideBySide => {
  const { name, summary, e, speed, top, impacts } = ball;
  return {
    name,
    summary,
    unit: 'event',
    example: 'bouncing-ball',
    twin: 'bouncing-events',
    most: 5,
    ready: (document) => {
      const job: SweepJob = {
        document: documentOf(document, ball),
        set: { e },
        scheme: 'event-driven',
        h: H,
        // Longer than it can take.
        tEnd: 2 * impacts,
        plan: { kind: 'grid', axes: [{ parameter: 'height', values: [0.9] }] },
        section: {
          section: { kind: 'impact', contact: 'floor' },
          signals: ['ball.v'],
          transient: 0,
          count: impacts,
        },
        measures: [],
      };
      const events = top === undefined ? impacts : 2 * impacts;
      return {
        // A ceiling that is never reached is none.
        given: { g: 9.81, height: 0.9, e, speed, top: top ?? 1e9, impacts, kept: KEPT },
        run: () => computeSwept(job, lastRows(KEPT, 0, 2), () => events),
      };
    },
    compare: sameNumbers,
  };
};

/** Nearly elastic, so that the impacts do not come to an end within the run. */
export const bouncingBall = bouncing({
  name: 'ball-events',
  summary: 'time per impact of a ball without recording, beside a program in C',
  e: 0.99999,
  speed: 0,
  impacts: 100_000,
});

export const ballInShaft = bouncing({
  name: 'two-contact-ball-events',
  summary: 'time per impact of a ball between floor and ceiling without recording, beside a program in C',
  e: 0.99999,
  speed: 10,
  top: 1,
  impacts: 40_000,
});
