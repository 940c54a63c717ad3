/**
 * Starts a run for each row of initial values, a few at a time, as a group of the list that the plots show
 * together.
 */
import { formatNumber } from '../components/numbers';
import { counted } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useRunsStore } from '../stores/runs';
import { componentsOf, type InitialRows, withInitialValues } from './initial-values';
import { whenEnded } from './when-ended';
import type { RunOverrides } from '../stores/runs';

/**
 * Runs that compute at once: more than cores only wait for each other, and the host lets others run beside
 * them.
 */
const AT_ONCE = 4;

/** A name that no other group has. */
function freeName(wanted: string, taken: ReadonlySet<string | null>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} (${number})`;
    if (!taken.has(name)) return name;
  }
}

/**
 * Resolves when all of them have ended. A run of the group that is cancelled ends the starting of further
 * ones.
 */
export async function startInitial(
  wanted: string,
  values: InitialRows,
  overrides: RunOverrides,
): Promise<void> {
  const runs = useRunsStore();
  const notices = useNoticesStore();
  const { model: origin, session } = useDocumentStore();
  const components = componentsOf(origin, []);
  const group = freeName(wanted, new Set(runs.runs.map((run) => run.group)));
  const started: string[] = [];
  let next = 0;
  let isStopped = false;
  /** one after the other, so that they are listed in the order of their values */
  let launching: Promise<unknown> = Promise.resolve();

  async function work(): Promise<void> {
    while (next < values.rows.length && !isStopped) {
      const row = values.rows[next++] ?? [];
      const name = values.names.map((one, k) => `${one} = ${formatNumber(row[k] ?? NaN)}`).join(', ');
      const document = withInitialValues(origin, components, values, row);
      const launched = launching.then(() =>
        runs.launch({ ...overrides, name: name.slice(0, 200), group }, { session, origin, document }),
      );
      launching = launched.catch(() => undefined);
      const run = await launched;
      if (run === null) {
        isStopped = true;
        return;
      }
      started.push(run.runId);
      runs.showGroup(session, started);
      const ended = await whenEnded(run.runId);
      if (ended === undefined || ended.state === 'cancelled') isStopped = true;
    }
  }

  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } catch (error) {
    isStopped = true;
    notices.failure(error);
  }
  const left = values.rows.length - started.length;
  if (left > 0) notices.info(counted('initialValues.notStarted', left, { group }));
}
