/** Which models the method for the motion between events does not suit. */
import { type SimulationSettings, isStepped } from '../document/settings';
import type { DocumentIssue } from '../document/types';
import type { LawRow } from '../model/forms';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { SpaceModel } from '../model/space/space';

/** Reports what generalised-α has no steps for. @param space null where there are no 3D bodies */
export function checkFlight(
  settings: SimulationSettings,
  { systems, interactions }: NonSmoothDynamicalSystem,
  space: SpaceModel | null,
  issues: DocumentIssue[],
): void {
  if (settings.scheme !== 'event-driven' || !isStepped(settings)) return;
  const report = (key: string, code: string, element: string, message: string, remedy: string): void => {
    const pointer = `/simulation/eventDriven/${key}/type`;
    issues.push({
      severity: 'error',
      code,
      pointer,
      message,
      remedy,
      ...(element === '' ? {} : { element }),
    });
  };
  if (space !== null)
    report(
      'flight',
      'flight-of-bodies',
      '',
      'Generalised-α advances coordinates; the orientations of 3D bodies are none.',
      'Choose another method for the motion between events, or time-stepping.',
    );
  const { type } = settings.eventDriven.constraints;
  const isEquality = (row: LawRow): boolean =>
    row.kind === 'box' && row.lower === -Infinity && row.upper === Infinity;
  const hasJoint = interactions.some(
    ({ relation, law }) => relation.order === 2 && law.restitution === null && law.rows.some(isEquality),
  );
  if (type.endsWith('Partitioning') && hasJoint)
    report(
      'constraints',
      'flight-of-partitions',
      '',
      'Generalised-α advances all coordinates, and partitioning would replace some of them after each step.',
      'Choose projection for the constraints, or another method for the motion between events.',
    );
  for (const { id, form } of systems) {
    const base = form.order === 2 && form.linear !== null ? form.linear.base : null;
    if (base === null || base.acceleration !== undefined) continue;
    report(
      'flight',
      'flight-of-bases',
      id,
      `“${id}” is measured from a base whose acceleration is known only by differences, which steps of generalised-α do not resolve.`,
      'Give the velocity of the base as an expression of t, or choose another method for the motion between events.',
    );
  }
}
