/** The roots that a flight has ended with, handed to whom they concern: rows, guards, conditions. */
import type { Assembly } from './assembly';
import { TOUCH_FROM_ABOVE } from '../smooth/event-functions';
import { FUNCTIONS } from './rows/row-events';

/** Guards of resets and of presence among the roots. */
export interface FoundGuards {
  isThere: boolean;
  /** whether one of them jumps across zero */
  hasJumped: boolean;
}

/** Flags rows whose roots ask for a decision, and records touches. @returns whether there are some */
export function flagRoots(parts: Assembly, found: FoundGuards): boolean {
  const { event, functions, conditions, handling } = parts;
  const { roots, clock, x } = parts.integrator;
  let hasRoot = false;
  let isRead = false;
  for (let k = 0; k < roots.count; k++) {
    const guard = roots.indices[k] - functions.ofRows;
    if (guard >= 0 && roots.indices[k] < functions.count) {
      arrive(parts, guard, roots.kinds[k], roots.jumps[k] === 1);
      found.isThere = true;
      if (roots.jumps[k] === 1) found.hasJumped = true;
      hasRoot = true;
      continue;
    }
    const row = Math.floor(roots.indices[k] / FUNCTIONS);
    if (conditions !== null && roots.indices[k] >= functions.count) {
      const { watched } = conditions;
      conditions.flag(watched[roots.indices[k] - functions.count], clock, x);
      hasRoot = true;
      continue;
    }
    if (roots.kinds[k] === TOUCH_FROM_ABOVE) {
      if (!isRead) event.outputs.read(clock, x);
      isRead = true;
      handling.graze(clock, row);
      continue;
    }
    event.flag(row, roots.jumps[k]);
    hasRoot = true;
  }
  return hasRoot;
}

/** A guard or condition has passed zero. @param kind of the root @param isJump whether it jumped across */
function arrive(
  { integrator, resets, presence }: Assembly,
  guard: number,
  kind: number,
  isJump: boolean,
): void {
  const { clock, x } = integrator;
  const count = resets?.guards.rules.length ?? 0;
  if (guard < count) resets?.arrive(guard, kind, isJump, clock, x);
  else presence?.arrive(guard - count, kind, isJump, clock, x);
}
