/** Starts a trajectory at a place of a Poincaré section. */
import type { RunInfo } from '@contract/methods';
import { formatNumber } from '../../components/numbers';
import { text } from '../../i18n';
import { useDocumentStore } from '../../stores/document';
import { useNoticesStore } from '../../stores/notices';
import { useRunsStore } from '../../stores/runs';
import { useHost } from '../../transport/host';

/** Kinds of signals that a state is made of. */
const STATES = new Set(['position', 'velocity', 'state']);

export interface PointChoice {
  readonly section: string;
  /** names of the signals of the axes */
  readonly x: string;
  readonly y: string;
  /** in the units of the model */
  readonly at: readonly [number, number];
  /** extents of the axes */
  readonly scale: readonly [number, number];
  /** exactly the nearest point, in place of the chosen values of the axes */
  readonly isExact: boolean;
}

/**
 * The state is that of the nearest point, with the chosen values of the axes in it as far as these are parts
 * of a state. The new run is drawn with those that are drawn already.
 */
export async function startAtPoint(run: RunInfo, choice: PointChoice): Promise<void> {
  const { dispatcher } = useHost();
  const runs = useRunsStore();
  const documents = useDocumentStore();
  const notices = useNoticesStore();
  const { section, x, y, at, scale, isExact } = choice;
  const { runId } = run;
  try {
    const { point } = await dispatcher.dispatch('run.sectionPoint', {
      runId,
      section,
      x,
      y,
      at: [...at],
      scale: [...scale],
    });
    if (point === null) return notices.info(text('plot.noPoints'));
    const chosen: [string, number][] = [
      [x, at[0]],
      [y, at[1]],
    ];
    const isState = (name: string): boolean =>
      run.signals.some((signal) => signal.name === name && STATES.has(signal.kind));
    const set = isExact ? {} : Object.fromEntries(chosen.filter(([name]) => isState(name)));
    const { document, missing } = await dispatcher.dispatch('run.sectionDocument', {
      runId,
      section,
      index: point.index,
      set,
    });
    if (missing.length > 0) notices.info(text('plot.startedAsBefore', { systems: missing.join(', ') }));
    const words = chosen.map(([name]) => {
      const value = set[name] ?? point.values[name] ?? NaN;
      return `${name} = ${formatNumber(value, 5)}`;
    });
    const before = runs.drawn.map((one) => one.runId);
    const started = await runs.launch(
      { name: text('plot.fromPoint', { words: words.join(', ') }) },
      { session: documents.session, origin: documents.model, document },
    );
    if (started !== null) runs.showWith(started.runId, before);
  } catch (error) {
    notices.failure(error);
  }
}
