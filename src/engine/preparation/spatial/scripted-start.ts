/**
 * What is wrong with contacts by scripts where a run starts. Rows of a contact are those of its normal at its
 * point, so that they are the rate of its gap only where the two points are nearest to each other and the
 * normal is that of the surfaces there.
 */
import { ScriptedGeometry, type ScriptedContact } from '../../contact-dynamics/contacts/scripted-contacts';
import type { DocumentIssue } from '../../document/types';
import { EngineError } from '../../errors';
import { SCRIPTED_CONTACT } from '../../model/space/space';
import { GEOMETRY } from '../../contact-dynamics/contacts/contact-list';
import { POSITIONS, VELOCITIES } from '../../spatial/bodies/rigid-body';
import { cross, lengthOf } from '../../spatial/matrix3';
import { rotateBack, turn } from '../../spatial/quaternion';
import type { CompiledSpace } from './compile';

/** Part of the arms that two opposite points may be apart across the normal. */
const OPPOSITE = 1e-6;
/** Part of a rate of the gap by which that of the points may differ from it. */
const SLOPE = 1e-4;
/** Part of a length by which bodies are moved: the error of a central difference is least at ∛ε. */
const MOVE = Math.cbrt(Number.EPSILON);
const GAP = GEOMETRY - 1;
/** m: what is meant to touch overlaps by rounding. */
const OVERLAP = 1e-9;

/**
 * @param places pointers by id
 * @param t0 s
 * @returns errors where nothing can be computed, warnings where it can
 */
export function scriptedIssues(
  space: CompiledSpace,
  places: ReadonlyMap<string, string>,
  t0: number,
): DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  const { system, scripted, motions } = space;
  const q = system.initialPositions();
  const poses = new Float64Array(POSITIONS * motions.length);
  for (const contact of scripted) {
    const add = (severity: 'error' | 'warning', code: string, message: string, remedy: string): void => {
      const pointer = `${places.get(contact.id) ?? '/interactions'}/relation/contact`;
      issues.push({ severity, code, pointer, element: contact.id, message, remedy });
    };
    try {
      motions.forEach((motion, k) => motion.pose(Float64Array.of(t0), poses, POSITIONS * k));
      const found = new ScriptedGeometry(contact);
      found.find(q, poses);
      for (let c = 0; c < contact.size; c++) {
        const name = contact.size > 1 ? `contact ${c} of “${contact.id}”` : `“${contact.id}”`;
        const gap = found.values[GEOMETRY * c + GAP];
        if (gap < -OVERLAP)
          add(
            'warning',
            'contact-overlap',
            `The gap of ${name} is ${gap.toPrecision(3)} m at the start: the bodies overlap, or the normal points the wrong way.`,
            'Give the normal from the first body, or the world, to the second; or start the bodies apart. An overlap stays until they part.',
          );
        const aside = asideOf(found, c);
        if (aside > OPPOSITE * armOf(contact, found.values, c, q)) {
          add(
            'warning',
            'contact-points-aside',
            `The two points of ${name} are ${aside.toPrecision(3)} m apart across the normal at the start.`,
            'Give the two points that are nearest to each other: their difference is along the normal.',
          );
          continue;
        }
        const defect = slopeDefect(contact, found, c, q, poses);
        if (defect > SLOPE)
          add(
            'warning',
            'contact-normal-off',
            `The normal of ${name} is not that of its gap at the start: where a body moves, the gap changes by ${defect.toPrecision(3)} of the motion more or less than along the normal.`,
            'Give the normal of the surface at the point of contact, in the frame of the world, from the first body to the second.',
          );
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const { code, message, remedy } = error.details;
      add('error', code, message, remedy ?? 'Correct the script.');
    }
  }
  return issues;
}

/** How far the two points are apart across the normal, m. */
function asideOf({ filled, values }: ScriptedGeometry, c: number): number {
  const [from, at] = [SCRIPTED_CONTACT * c, GEOMETRY * c];
  const gap = values[at + GAP];
  return Math.hypot(
    ...[0, 1, 2].map((i) => filled[from + 3 + i] - filled[from + i] - gap * values[at + 3 + i]),
  );
}

/** The longest arm of the contact about a body, or its gap, m; of neither, a part of where it is. */
function armOf({ sides }: ScriptedContact, values: Float64Array, c: number, q: Float64Array): number {
  const arms = sides.flatMap(({ body, at }) =>
    body < 0 ? [] : [Math.hypot(...[0, 1, 2].map((i) => values[GEOMETRY * c + i] - q[at + i]))],
  );
  const away = lengthOf(values, GEOMETRY * c);
  return Math.max(...arms, Math.abs(values[GEOMETRY * c + GAP]), OPPOSITE * away);
}

/** Largest difference of the rate of the gap and that of the points, relative to how a point moves. */
function slopeDefect(
  contact: ScriptedContact,
  { values }: ScriptedGeometry,
  c: number,
  q: Float64Array,
  poses: Float64Array,
): number {
  const at = GEOMETRY * c;
  const arm = armOf(contact, values, c, q);
  const probe = new ScriptedGeometry(contact);
  const moved = q.slice();
  const gapAt = (side: ScriptedContact['sides'][number], i: number, step: number): number => {
    moved.set(q);
    if (i < 3) moved[side.at + i] += step;
    else {
      const spin = new Float64Array(3);
      spin[i - 3] = 1;
      turn(moved, side.at + 3, spin, 0, step, new Float64Array(4));
    }
    probe.find(moved, poses);
    return probe.values[at + GAP];
  };
  let worst = 0;
  contact.sides.forEach((side, k) => {
    if (side.body < 0) return;
    const sign = contact.sides.length === 2 && k === 0 ? -1 : 1;
    const lever = Float64Array.from({ length: 3 }, (_, i) => values[at + i] - q[side.at + i]);
    const moment = new Float64Array(3);
    cross(lever, 0, values, at + 3, moment, 0);
    rotateBack(q, side.at + 3, moment, 0, moment, 0);
    for (let i = 0; i < VELOCITIES; i++) {
      const isTurn = i >= 3;
      if (isTurn && arm === 0) continue;
      const step = isTurn ? MOVE : MOVE * Math.max(arm, MOVE);
      const rate = (gapAt(side, i, step) - gapAt(side, i, -step)) / (2 * step);
      const row = sign * (isTurn ? moment[i - 3] : values[at + 3 + i]);
      worst = Math.max(worst, Math.abs(rate - row) / (isTurn ? arm : 1));
    }
  });
  return worst;
}
