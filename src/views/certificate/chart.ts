/** The certificate of a run over its time. */
import type { CertificateOverTime, RunInfo } from '@contract/methods';
import { limitOf, TOLERANCE } from '@contract/verdict';
import type { CertificateView } from '@engine/document/types';
import { type TimeChart, timeAxis } from '../shared/chart';
import { CERTIFICATE_MARGINS, certificateOption, certificateRange, kindsOf } from './drawing';
import { certificateWords } from './words';

/** Of a run of which nothing is known yet. */
const NOTHING: CertificateOverTime = {
  runId: '',
  from: 0,
  t: new Float64Array(0),
  dynamics: new Float64Array(0),
  complementarity: new Float64Array(0),
  coneViolation: new Float64Array(0),
  energyDrift: new Float64Array(0),
};

const limitOfRun = (run: RunInfo | null): number =>
  run === null ? TOLERANCE : limitOf(run.statistics.certificate);

export const certificate: TimeChart<CertificateView, CertificateOverTime> = {
  margins: () => CERTIFICATE_MARGINS,
  // It is short enough to be asked for as a whole.
  ask: (_, { run: { runId } }, dispatcher) => dispatcher.dispatch('run.certificate', { runId }),
  draw: (view, { current }, look) => {
    const found = current ?? NOTHING;
    return certificateOption({
      found,
      limit: limitOfRun(look.run),
      ...timeAxis(look, { from: found.from, to: found.t.at(-1) ?? look.run?.tEnd ?? 1 }),
      y: look.y,
      options: view,
      theme: look.theme,
      width: look.width,
      height: look.height,
      words: (kind) => certificateWords.residuals[kind],
      legend: look.isFile,
    });
  },
  wholeY: (view, found, { run }) => certificateRange(found ?? NOTHING, limitOfRun(run), view),
  curves: (view, found) =>
    kindsOf(found, view).map((kind) => ({ name: kind, runId: found.runId, x: found.t, y: found[kind] })),
};
