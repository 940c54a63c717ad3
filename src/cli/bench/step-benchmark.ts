/**
 * Benchmarks of the time loop: an example of the gallery, a number of steps, and the same model written for
 * Siconos, and by hand in C.
 *
 * All run without output. They take turns, so that a machine that slows down meanwhile slows both, and the
 * median of the runs counts. Their final states are compared, since a program that computes something else
 * proves nothing.
 */
import type { ModelDocument } from '@engine/document/types';
import type { RunSession } from '@engine/run/session';
import type { Installation } from '@main/installation';
import { type Benchmark, type Measurement, median, seconds } from './benchmark';
import { certificateShare } from './certificate-share';
import { TIME_PER_STEP } from './growth';
import { runProgram, type SiconosMeasurement } from './siconos/run';
import { build, findToolchain } from './siconos/toolchain';
import { difference, documentOf, type OurRun, programArguments, runHere, type StepModel } from './step-run';
import { alternately, twin, type TwinRun } from './twin';

/** Odd, so that the median is one of them. */
const RUNS = 7;

/** Time budget of a program, s. A slow program does not need seven runs. */
const PATIENCE = 20;

/**
 * Until the loop is compiled, the first steps are interpreted: runs, or more of short ones until so much time
 * has gone, s.
 */
const WARM_UP_RUNS = 3;
const WARM_UP_TIME = 1;

/** What a session counted in `steps` steps. */
function counters(session: RunSession, steps: number): Measurement[] {
  const { factorisations, newtonIterations, solverIterations } = session.counters;
  return [
    { quantity: 'factorisations, whole run', value: factorisations, unit: '' },
    { quantity: 'Newton iterations per step', value: newtonIterations / steps, unit: '' },
    { quantity: 'solver iterations per step', value: solverIterations / steps, unit: '' },
  ];
}

function ownMeasurements(runs: readonly OurRun[], model: StepModel): Measurement[] {
  const times = runs.map(({ nsPerStep }) => nsPerStep);
  return [
    { quantity: TIME_PER_STEP, value: median(times), unit: 'ns' },
    { quantity: 'time per step, least', value: Math.min(...times), unit: 'ns' },
    {
      quantity: 'bytes allocated per step, median',
      value: median(runs.map(({ bytesPerStep }) => bytesPerStep)),
      unit: 'B',
    },
    ...counters(runs[0].session, model.warmUp + model.steps),
  ];
}

interface Variant {
  label: string;
  runs: SiconosMeasurement[];
  /** wall time of the runs, s */
  taken: number;
}

function siconosMeasurements(
  variants: readonly Variant[],
  ours: readonly OurRun[],
  scale: number,
): Measurement[] {
  const medians = variants.map(({ runs }) => median(runs.map(({ nsPerStep }) => nsPerStep)));
  const rows = variants.flatMap(({ label, runs }, i) => {
    const failures = Math.max(...runs.map((run) => run.failures));
    return [
      { quantity: `Siconos, ${label}`, value: medians[i], unit: 'ns' },
      {
        quantity: '  relative difference at the end',
        value: difference(ours[0].state, runs[0].state) / scale,
        unit: '',
      },
      ...(failures > 0 ? [{ quantity: '  steps its solver failed at', value: failures, unit: '' }] : []),
    ];
  });
  const here = median(ours.map(({ nsPerStep }) => nsPerStep));
  return [...rows, { quantity: 'Siconos / here', value: Math.min(...medians) / here, unit: '' }];
}

/** This engine beside a program in C that does the same step by hand. */
function twinMeasurements(model: StepModel, document: ModelDocument): Measurement[] {
  if (model.twin === undefined) return [];
  const built = twin(model.twin);
  const quantity = 'here / C';
  if (!built.ok) return [{ quantity, value: null, unit: '', note: built.reason }];
  const given = programArguments(model);
  const [ours, theirs] = alternately(
    () => runHere(model, document),
    () => built.run(given),
    RUNS,
  );
  const times = theirs.map(({ ns }: TwinRun) => ns);
  const here = median(ours.map(({ nsPerStep }) => nsPerStep));
  return [
    { quantity: 'by hand in C, median', value: median(times), unit: 'ns' },
    { quantity: 'by hand in C, least', value: Math.min(...times), unit: 'ns' },
    {
      quantity: '  relative difference at the end',
      value: difference(ours[0].state, theirs[0].state) / model.scale,
      unit: '',
    },
    {
      quantity,
      value: here / median(times),
      unit: '',
      ...(model.mostTwins === undefined ? {} : { most: model.mostTwins }),
    },
  ];
}

function measure(model: StepModel, place: Installation): Measurement[] {
  const document = documentOf(model, place);
  const search = findToolchain();
  const executable = search.ok ? build(model.program, search.toolchain) : null;
  const variants: Variant[] = model.variants.map(({ label }) => ({ label, runs: [], taken: 0 }));
  const shared = programArguments(model);
  let spent = 0;
  for (let run = 0; run < WARM_UP_RUNS || spent < WARM_UP_TIME; run++)
    spent += seconds(() => void runHere(model, document));
  const ours: OurRun[] = [];
  for (let run = 0; run < RUNS; run++) {
    ours.push(runHere(model, document));
    if (executable === null) continue;
    model.variants.forEach(({ given }, i) => {
      const variant = variants[i];
      if (variant.taken > PATIENCE) return;
      variant.taken += seconds(() => variant.runs.push(runProgram(executable, { ...shared, ...given })));
    });
  }
  const own = ownMeasurements(ours, model);
  own.push(...twinMeasurements(model, document));
  // Behind all that is compared: steps without certificate change what the host has compiled.
  own.push(certificateShare(model, document));
  if (search.ok) return [...own, ...siconosMeasurements(variants, ours, model.scale)];
  return [...own, { quantity: 'Siconos / here', value: null, unit: '', note: search.reason }];
}

/** Makes a benchmark of a model. */
export function stepBenchmark(model: StepModel): Benchmark {
  return { name: model.name, summary: model.summary, measure: (place) => measure(model, place) };
}
