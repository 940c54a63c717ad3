/** The rows of a run, or the points of one of its sections, as a table. */
import { MoreauError } from '@contract/errors';
import type { Dispatcher, RunInfo } from '@contract/methods';
import { isCertified, verdictOf } from '@contract/verdict';
import type { Provenance, TableSource, TableVerdict } from './table-source';

/** What of a run is wanted. */
export interface TableChoice {
  /** all recorded ones when left out */
  readonly signals?: readonly string[] | undefined;
  /** points of this section, in place of the rows of the run */
  readonly section?: string | undefined;
  /** s; all that is recorded when left out */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** only every n-th row; default 1 */
  readonly every?: number | undefined;
}

type ReadRows = (
  signals: string[],
  firstRow: number,
  count: number,
  every?: number,
) => Promise<Float64Array[]>;

async function provenanceOf(dispatcher: Dispatcher, run: RunInfo, section?: string): Promise<Provenance> {
  const { document } = await dispatcher.dispatch('run.document', { runId: run.runId });
  const { title, name, state, engineVersion, scheme, h, t0, tEnd, startedAt, parameters, statistics } = run;
  return {
    title,
    run: name,
    status: state,
    engineVersion,
    scheme,
    h,
    t0,
    tEnd,
    startedAt,
    parameters,
    certificate: { ...statistics.certificate, energyDrift: statistics.energyDrift },
    verdict: verdictFor(run),
    ...(section !== undefined && { section }),
    model: document,
  };
}

/** What the run is worth. */
function verdictFor(run: RunInfo): TableVerdict {
  const { statistics, accuracy: known } = run;
  const { accurate } = verdictOf(run);
  return {
    solved: isCertified(statistics.certificate),
    ...(statistics.complete !== undefined && { complete: statistics.complete }),
    ...(known?.state === 'measured' && {
      accurate: accurate === 'unknown' ? null : accurate === 'holds',
      accuracy: known.accuracy,
    }),
  };
}

/** First row whose time is not before t; times ascend. */
async function rowAt(read: ReadRows, rows: number, t: number, isAfter: boolean): Promise<number> {
  let low = 0;
  let high = rows;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [[time]] = await read(['t'], middle, 1);
    if (time < t || (isAfter && time === t)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @throws {MoreauError} for signals or a section that the run does not have, or nothing to be exported */
export async function runTable(
  dispatcher: Dispatcher,
  run: RunInfo,
  { signals, section, from, to, every = 1 }: TableChoice = {},
): Promise<TableSource> {
  const { runId } = run;
  const names = signals ?? run.signals.map(({ name }) => name);
  const columns = names.map((name) => {
    const found = run.signals.find((signal) => signal.name === name);
    if (found !== undefined) return found;
    throw new MoreauError({
      code: 'unknown-signal',
      message: `${run.name} has no recorded signal named ${name}.`,
      where: name,
      remedy: 'Choose among the recorded signals.',
    });
  });
  const read: ReadRows = async (wanted, firstRow, count, step = 1) => {
    const query = { runId, signals: wanted, firstRow, count, every: step };
    const { columns: values } =
      section === undefined
        ? await dispatcher.dispatch('run.rows', query)
        : await dispatcher.dispatch('run.sectionRows', { ...query, section });
    return values;
  };
  const taken = run.sections?.find(({ id }) => id === section);
  if (section !== undefined && taken === undefined)
    throw new MoreauError({
      code: 'unknown-section',
      message: `${run.name} has no section named ${section}.`,
      where: section,
      remedy: 'Name one of the sections of the simulation settings.',
    });
  const recorded = taken?.points ?? run.statistics.rows;
  const first = from === undefined ? 0 : await rowAt(read, recorded, from, false);
  const end = to === undefined ? recorded : await rowAt(read, recorded, to, true);
  if (end <= first && recorded > 0)
    throw new MoreauError({
      code: 'empty-range',
      message: `Nothing has been recorded from ${from ?? run.t0} s to ${to ?? run.tEnd} s.`,
      remedy: 'Choose a longer span of time.',
    });
  return {
    columns,
    rows: Math.ceil((end - first) / every),
    provenance: await provenanceOf(dispatcher, run, section),
    async read(wanted, firstRow, count) {
      const values = await read(
        wanted.map((k) => columns[k].name),
        first + firstRow * every,
        Math.min((count - 1) * every + 1, end - first - firstRow * every),
        every,
      );
      const short = values.find((column) => column.length !== count);
      if (short === undefined) return values;
      throw new MoreauError({
        code: 'recording-shortened',
        message: `The recording of ${run.name} was shortened during the export.`,
        remedy: 'Export again when the run is paused or done.',
      });
    },
  };
}
