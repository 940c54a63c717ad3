/** A question before a run that takes very many steps, which a slip in a step length asks for. */
import { formatCount } from '../components/numbers';
import { text } from '../i18n';
import { useDialogsStore } from '../stores/dialogs';
import { useDocumentStore } from '../stores/document';
import { useReportStore } from '../stores/report';
import { useSettingsStore } from '../stores/settings';

/** Steps the model asks for; null where they are not known before. */
function plannedSteps(): number | null {
  const { simulation } = useDocumentStore().model;
  const report = useReportStore();
  const value = (key: 't0' | 'tEnd' | 'h'): number | undefined => {
    const own = simulation[key];
    return typeof own === 'number' ? own : report.valueAt(`/simulation/${key}`);
  };
  const [t0 = 0, tEnd, h] = [value('t0'), value('tEnd'), value('h')];
  if (tEnd === undefined || h === undefined || !(h > 0)) return null;
  return (tEnd - t0) / h;
}

/** @returns false when the user would rather not */
export async function mayRunLong(): Promise<boolean> {
  const million = useSettingsStore().values['runs.askAboveMillionSteps'];
  const steps = plannedSteps();
  if (million === 0 || steps === null || steps <= million * 1e6) return true;
  const answer = await useDialogsStore().ask(
    text('run.longTitle', { number: formatCount(steps) }),
    text('run.longMessage'),
    [
      { value: 'cancel', label: text('common.cancel') },
      { value: 'run', label: text('run.longRun'), style: 'primary' },
    ],
  );
  return answer === 'run';
}
