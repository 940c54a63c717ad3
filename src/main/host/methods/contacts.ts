/** Contacts at a moment of a run, computed again from its recorded state. */
import type { ModelDocument } from '@engine/document/types';
import { needsBuilder } from '@engine/document/builder-scripts';
import type { RecordedMoment } from '@engine/inspection/contacts-at';
import type { HostContext, MethodHandlers } from '../context';
import type { HostRun } from '../host-run';

/** Parts of a step by which a time may miss its row. */
const ROUNDING = 1e-6;

export const contactMethods: MethodHandlers<'run.contacts'> = {
  'run.contacts': async (context, { runId, time }) => {
    const { runs, builders, inspections } = context;
    const run = runs.get(runId);
    await run.started();
    await run.loaded();
    const state = await momentOf(context, run, time);
    if (state === null) return { contacts: null };
    const { document, set, h, tEnd, scheme } = run.specification;
    const settings = { set, overrides: { h, tEnd, scheme } };
    if (!needsBuilder(document))
      return { contacts: await inspections.contacts(document, { run: runId, settings, state }) };
    const outcome = await builders.build(withParameters(document, set));
    if (!outcome.ok) return { contacts: null };
    return { contacts: await inspections.contacts(document, { run: runId, settings, state }, outcome.built) };
  },
};

/** The builder of a run has seen its parameters, not those of the document. */
function withParameters(document: ModelDocument, set: HostRun['specification']['set']): ModelDocument {
  if (set === undefined) return document;
  return {
    ...document,
    parameters: document.parameters.map((parameter) =>
      Object.hasOwn(set, parameter.name) ? { ...parameter, value: set[parameter.name] } : parameter,
    ),
  };
}

/** The last recorded state at or before a time; null where a part of it has not been recorded. */
async function momentOf(
  { runs, reader }: HostContext,
  run: HostRun,
  time: number,
): Promise<RecordedMoment | null> {
  const { prepared } = run;
  const moving =
    prepared?.scene?.bodies.filter(
      ({ motion, isPrescribed }) => motion !== null && motion.kind !== 'planar' && isPrescribed !== true,
    ) ?? [];
  if (prepared === null || moving.length === 0 || run.rows === 0) return null;
  const places = new Map(prepared.signals.map(({ name }, column) => [name, column]));
  const coordinates = prepared.scene?.joints.flatMap((joint) => joint.coordinates) ?? [];
  const names = [
    't',
    ...coordinates,
    ...moving.flatMap(({ motion }) => motion?.signals ?? []),
    ...moving.flatMap(({ id, motion }) =>
      Array.from({ length: motion?.kind === 'affine' ? 12 : 6 }, (_, k) => `${id}.v[${k}]`),
    ),
  ];
  const columns = names.flatMap((name) => places.get(name) ?? []);
  if (columns.length < names.length || !(await runs.readable(run.runId))) return null;
  const every = run.specification.document.simulation.recording?.every ?? 1;
  const row = Math.floor((time - prepared.t0) / (prepared.h * every) + ROUNDING);
  const firstRow = Math.min(Math.max(row, 0), run.rows - 1);
  const answer = await reader.ask('rows', { runId: run.runId, columns, firstRow, count: 1, every: 1 });
  const values = Float64Array.from(answer.columns, ([value]) => value);
  const first = 1 + coordinates.length;
  const positions = moving.reduce((sum, { motion }) => sum + (motion?.signals.length ?? 0), 0);
  return {
    time: values[0],
    coordinates: values.slice(1, first),
    q: values.slice(first, first + positions),
    v: values.slice(first + positions),
  };
}
