/**
 * An engine host for tests of the window: answers like the real one, computes a bouncing follower in this
 * thread.
 */
import { libraryHash, readLibrary, writeLibrary } from '@engine/document/libraries';
import { Examination, type ScriptEnvironment } from '@engine/preparation/examination';
import { checkInitialState, projectDocument } from '@engine/preparation/initial-check';
import type {
  AnalysisOutcome,
  DerivativeReview,
  Dispatcher,
  FunctionFigures,
  HostEvent,
  MethodName,
  MethodParams,
  MethodResult,
  MethodResults,
  RunInfo,
} from '@contract/methods';
import { MoreauError } from '@contract/errors';
import type { ChangedSettings } from '@contract/settings';
import type { Scene } from '@engine/scene/scene';
import type { Shell, ShellEvent, ShellMethod, ShellParams, ShellResults } from '@contract/shell';
import type { ModelDocument } from '@engine/document/types';
import { catalogue } from '@engine/model/registry';
import type { MomentContacts } from '@engine/inspection/contacts-at';
import { reportTopology } from '@engine/inspection/topology-report';
import { type Host, steadyConnection } from '@renderer/transport/host';
import { type FakeJournal, journalMethods } from './journals';
import { analysisMethods } from './analyses';
import { camFollower } from './cam-follower';
import { readingAnswers, SECTION_POINTS } from './reading-answers';
import { fakeReport } from './report';
import { unitMethods } from './units';
import { type Run, SIGNALS, simulate } from './recording';
import { STEPS_PER_EVENT } from './event-driven';

/** Sections as the document names them. */
const fakeSections = ({ simulation }: ModelDocument): RunInfo['sections'] =>
  (simulation.sections ?? []).map(({ id, title, type }) => ({
    id,
    title: title ?? id,
    kind: type as 'stroboscopic',
    points: SECTION_POINTS,
  }));

/** For models without scripts. */
const noScripts: ScriptEnvironment = {
  sandbox: () => {
    throw new Error('the fake host executes nothing');
  },
  begin: () => false,
};

export interface FakeHost extends Host {
  /** calls in order: method and parameters */
  calls: { method: string; params: unknown }[];
  shellCalls: { method: string; params: unknown }[];
  /**
   * the parameters of the latest call of a method; stores may ask for other things meanwhile, when their
   * timers fire
   */
  latest(method: MethodName | ShellMethod): unknown;
  /** results of shell methods by name */
  shellAnswers: Partial<Record<ShellMethod, unknown>>;
  /** bytes that are free on the disk */
  free: number;
  emit(event: HostEvent): void;
  emitShell(event: ShellEvent): void;
  /** runs whose equations do not hold */
  readonly unsolved: Set<string>;
  /**
   * advances every running run by a number of progress events, of those that finish it; default: all of
   * them
   */
  advance(events: number, of?: number): void;
}

/** Makes a fake host. With `live`, runs advance by themselves, for looking at the window. */
export function fakeHost(
  options: {
    live?: boolean;
    door?: Host['door'];
    scene?: Scene;
    contacts?: MomentContacts;
    warnings?: readonly string[];
    /** journals of an earlier window */
    journals?: Map<string, FakeJournal>;
    review?: DerivativeReview;
    costs?: FunctionFigures[];
    /** what every analysis finds */
    outcome?: AnalysisOutcome;
  } = {},
): FakeHost {
  const listeners = new Set<(event: HostEvent) => void>();
  const shellListeners = new Set<(event: ShellEvent) => void>();
  const runs = new Map<string, Run>();
  const documentsOf = new Map<string, ModelDocument>();
  const deleted = new Map<string, Run>();
  const calls: FakeHost['calls'] = [];
  const shellCalls: FakeHost['calls'] = [];
  const shellAnswers: FakeHost['shellAnswers'] = {};
  const unsolved = new Set<string>();
  let made = 0;
  let settings: ChangedSettings = {};
  const emit = (event: HostEvent): void => listeners.forEach((listener) => listener(event));

  const progress = (run: Run, fraction: number): void => {
    const steps = Math.round(((run.info.tEnd - run.info.t0) / run.info.h) * fraction);
    run.info = {
      ...run.info,
      state: fraction >= 1 ? 'done' : 'running',
      statistics: {
        ...run.info.statistics,
        steps,
        factorisations: 1,
        newtonIterations: steps,
        solverIterations: Math.floor(steps / 9),
        rows: steps + 1,
        events: Math.floor(steps / STEPS_PER_EVENT),
        simulatedTime: steps * run.info.h,
        wallSeconds: 0.8 * fraction,
        stepsPerSecond: 412_000,
        secondsToGo: 0.8 * (1 - fraction),
        certificate: {
          complementarity: 3.1e-13,
          coneViolation: 0,
          dynamics: unsolved.has(run.info.runId) ? 1 : 2.2e-12,
          worstTime: 0.412,
          worstElement: 'cam',
        },
        energyDrift: 4.4e-6,
      },
    };
    emit({ event: 'run.progress', data: { run: run.info } });
  };

  const start = ({
    document,
    scheme,
    h: ownStep,
    paused,
    belongsTo,
    group,
  }: MethodParams<'run.start'>): RunInfo => {
    const number = ++made;
    const parameters = fakeReport(document).parameters;
    const h = ownStep ?? Number(document.simulation.h);
    const tEnd = Number(document.simulation.tEnd);
    const totalSteps = Math.round(tEnd / h);
    const info: RunInfo = {
      runId: `run-${number}`,
      name: `Run ${number} · rpm ${parameters['rpm']}`,
      title: document.title,
      pinned: false,
      documents: belongsTo ?? [],
      group: group ?? null,
      bytes: 0,
      engineVersion: '0.1.0',
      state: 'starting',
      scheme: scheme ?? document.simulation.scheme,
      parameters,
      changes: [],
      speed: null,
      startedAt: '2026-01-05T09:30:00.000Z',
      h,
      t0: 0,
      tEnd,
      signals: SIGNALS,
      sections: fakeSections(document),
      statistics: {
        steps: 0,
        factorisations: 0,
        newtonIterations: 0,
        solverIterations: 0,
        rejectedSteps: 0,
        rows: 0,
        events: 0,
        simulatedTime: 0,
        wallSeconds: 0,
        stepsPerSecond: 0,
        secondsToGo: null,
        certificate: {
          complementarity: 0,
          coneViolation: 0,
          dynamics: 0,
          worstTime: null,
          worstElement: null,
        },
        energyDrift: null,
      },
      warnings: [...(options.warnings ?? [])],
    };
    const run = { info, columns: simulate(parameters['rpm'] ?? 358, parameters['e'] ?? 0.8, totalSteps, h) };
    runs.set(info.runId, run);
    documentsOf.set(info.runId, document);
    if (paused === true) run.info = { ...info, state: 'paused' };
    if (options.live === true) {
      let fraction = 0;
      const timer = setInterval(() => {
        if (run.info.state === 'paused') return;
        if (run.info.state === 'cancelled') return clearInterval(timer);
        fraction = Math.min(1, fraction + 0.12);
        progress(run, fraction);
        if (fraction >= 1) clearInterval(timer);
      }, 100);
    }
    return run.info;
  };

  const runOf = (runId: string): Run => {
    const run = runs.get(runId);
    if (run === undefined)
      throw new MoreauError({ code: 'unknown-run', message: `There is no run ${runId}.` });
    return run;
  };

  const setState = (runId: string, state: RunInfo['state']): RunInfo => {
    const run = runOf(runId);
    run.info = { ...run.info, state };
    return run.info;
  };

  /** @param count steps; back where it is negative */
  const move = (runId: string, count: number): RunInfo => {
    const run = runOf(runId);
    const { statistics, h, t0 } = run.info;
    const steps = Math.max(0, statistics.steps + count);
    run.info = {
      ...run.info,
      state: 'paused',
      statistics: { ...statistics, steps, rows: steps + 1, simulatedTime: t0 + steps * h },
    };
    return run.info;
  };

  const methods: {
    [M in MethodName]: (params: MethodParams<M>) => MethodResults[M] | Promise<MethodResults[M]>;
  } = {
    'app.info': () => ({ version: '0.1.0', formatVersion: 3, door: 'test' }),
    catalogue: () => catalogue(),
    ...{ ...journalMethods(options.journals), ...unitMethods, ...analysisMethods(emit, options.outcome) },
    'settings.read': () => ({ changed: settings, problems: [] }),
    'settings.write': ({ changes }) => {
      const entries = Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== null);
      settings = Object.fromEntries(entries);
      emit({ event: 'settings.changed', data: { changed: settings } });
      return { changed: settings, problems: [] };
    },
    'examples.list': () => [
      {
        name: 'cam-follower',
        title: 'Cam and follower',
        description:
          'A spring-loaded follower bounces on a driven cam; 358, 660 and 700 rev/min give three kinds of motion.',
        references: ['Siconos developer’s notes §11'],
      },
      {
        name: 'bouncing-ball',
        title: 'Bouncing ball',
        description: 'Infinitely many impacts in a finite time.',
        references: [],
      },
      {
        name: 'bead-column',
        title: 'Column of beads',
        description: 'A thousand beads on a wire, built by a script.',
        references: [],
      },
    ],
    'examples.read': () => ({ text: JSON.stringify(camFollower()) }),
    'document.read': ({ text }) => {
      try {
        return { document: JSON.parse(text) as ModelDocument, issues: [] };
      } catch {
        const issue = {
          severity: 'error',
          code: 'not-json',
          pointer: '',
          message: 'The text is not JSON.',
          remedy: 'Choose a model file.',
        } as const;
        return { document: null, issues: [issue] };
      }
    },
    'document.write': ({ document }) => ({ text: JSON.stringify(document, null, 2) }),
    'document.report': ({ document }) => {
      const report = fakeReport(document);
      return {
        ...report,
        issues: [...report.issues, ...checkInitialState(new Examination(document, undefined), noScripts)],
      };
    },
    'data.formats': () => [
      { extension: '.csv', title: 'CSV', help: 'Text.' },
      { extension: '.h5', title: 'HDF5', help: 'Datasets.' },
    ],
    'data.export': () => ({ ticket: 'x'.repeat(32), rows: 3, bytes: 100 }),
    'figure.convert': () => ({ data: new Uint8Array([1]) }),
    'figure.draw': () => ({ data: new Uint8Array([2]) }),
    'figure.pdf': () => ({ data: new Uint8Array([37, 80, 68, 70]) }),
    'data.cancelExport': () => ({}),
    'data.dropExport': () => ({}),
    'document.export': ({ format }) => ({
      text: `model as ${format}`,
      extension: format === 'json' ? '.moreau.json' : format === 'svg' ? '.svg' : '.py',
      warnings: format === 'siconos-python' ? ['Observables are not written: height.'] : [],
    }),
    'netlist.import': async ({ name, text, files }) =>
      (await import('@engine/netlist/import')).importNetlist(text, name, files),
    'library.read': ({ text }) => readLibrary(text),
    'library.write': ({ title, document: { submodels = [] } }) => ({
      text: writeLibrary(title, submodels),
      hash: libraryHash(submodels),
    }),
    'document.project': ({ document }) => projectDocument(document, undefined, noScripts),
    'document.derivatives': () =>
      options.review ?? { derivatives: 'automatic', given: [], derived: [], error: null },
    'run.profile': ({ runId }) => ({ runId, steps: 100, functions: options.costs ?? [] }),
    'document.topology': ({ document }) => reportTopology(document),
    'run.start': start,
    'run.pause': ({ runId }) => setState(runId, 'paused'),
    'run.resume': ({ runId }) => setState(runId, 'running'),
    'run.cancel': ({ runId }) => setState(runId, 'cancelled'),
    'run.step': ({ runId, count = 1 }) => move(runId, count),
    'run.stepBack': ({ runId, count = 1 }) => move(runId, -count),
    'run.runTo': ({ runId, time }) => {
      const { h, t0, statistics } = runOf(runId).info;
      return move(runId, Math.ceil((time - t0) / h) - statistics.steps);
    },
    'run.reset': ({ runId }) => move(runId, -Infinity),
    'run.speed': ({ runId, speed }) => {
      const run = runOf(runId);
      run.info = { ...run.info, speed };
      return run.info;
    },
    'run.setParameters': ({ runId, values }) => {
      const run = runOf(runId);
      const { parameters, changes, statistics } = run.info;
      const numbers = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, Number(value)]),
      );
      const made = Object.entries(numbers).map(([name, to]) => ({
        time: statistics.simulatedTime,
        name,
        from: parameters[name],
        to,
      }));
      run.info = { ...run.info, parameters: { ...parameters, ...numbers }, changes: [...changes, ...made] };
      return run.info;
    },
    'run.rename': ({ runId, name }) => {
      const run = runOf(runId);
      run.info = { ...run.info, name };
      return run.info;
    },
    'run.pin': ({ runId, pinned }) => {
      const run = runOf(runId);
      run.info = { ...run.info, pinned };
      return run.info;
    },
    'run.attend': ({ documents }) => ({
      runs: [...runs.values()]
        .map(({ info }) => info)
        .filter((info) => info.documents.some((key) => documents.includes(key))),
      problems: [],
    }),
    'run.assign': ({ document, runs: ids }) => {
      for (const id of ids) {
        const run = runOf(id);
        run.info = { ...run.info, documents: [...run.info.documents, document] };
      }
      return {};
    },
    'run.repeat': ({ runId, paused }) => {
      runOf(runId);
      const document = documentsOf.get(runId) ?? camFollower();
      return start({ document, ...(paused === undefined ? {} : { paused }) });
    },
    'run.continue': ({ runId, paused }) => {
      runOf(runId);
      const document = documentsOf.get(runId) ?? camFollower();
      return start({ document, ...(paused === undefined ? {} : { paused }) });
    },
    'run.saveState': () => ({ text: 'a state' }),
    'run.stateDocument': ({ runId }) => ({ document: documentsOf.get(runId) ?? camFollower(), missing: [] }),
    'run.document': ({ runId }) => {
      const document = documentsOf.get(runId) ?? camFollower();
      return { document, origin: document };
    },
    'run.state': ({ runId }) => ({
      time: runOf(runId).info.statistics.simulatedTime,
      systems: [{ id: 'follower', fields: { q0: [0.25], v0: [-1.5] } }],
      missing: [],
    }),
    'run.momentDocument': ({ runId }) => ({
      document: documentsOf.get(runId) ?? camFollower(),
      missing: [],
    }),
    'run.list': () => [...runs.values()].map((run) => run.info),
    'run.get': ({ runId }) => runOf(runId).info,
    'run.accuracy': ({ runId }) => {
      const run = runOf(runId);
      const signals = [{ name: 'ball.q', unit: 'm', error: 0.003, limit: 0.01, time: 0.5 }];
      const accuracy = { order: 1, until: run.info.tEnd, parts: false, signals, impacts: [] };
      run.info = { ...run.info, accuracy: { state: 'measured', accuracy } };
      emit({ event: 'run.progress', data: { run: run.info } });
      return run.info;
    },
    'run.delete': ({ runId }) => {
      const run = runs.get(runId);
      if (run !== undefined) deleted.set(runId, run);
      runs.delete(runId);
      return {};
    },
    'run.restore': ({ runId }) => {
      const run = deleted.get(runId);
      if (run !== undefined) runs.set(runId, run);
      return runOf(runId).info;
    },
    'run.storage': () => ({
      folder: '/state/kept-runs',
      runs: [...runs.values()].map(({ info: { runId, name, title, state, startedAt, bytes, pinned } }) => ({
        ...{ runId, name, title, state, startedAt, bytes, pinned },
        inUse: true,
        isDeleted: false,
      })),
      bytes: 0,
      limit: 20 * 2 ** 30,
      free: fake.free,
    }),
    'run.clear': () => ({ runs: [], bytes: 0 }),
    ...readingAnswers(runOf, (runId) => documentsOf.get(runId) ?? camFollower(), options),
  };

  const dispatcher: Dispatcher = {
    async dispatch<M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodResult<M>> {
      calls.push({ method, params });
      await Promise.resolve();
      return (methods[method] as (params: MethodParams<M>) => MethodResult<M>)(params);
    },
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const shell: Shell = {
    async call<M extends ShellMethod>(method: M, params: ShellParams<M>): Promise<ShellResults[M]> {
      shellCalls.push({ method, params });
      await Promise.resolve();
      return (method in shellAnswers ? shellAnswers[method] : {}) as ShellResults[M];
    },
    onEvent: (listener) => {
      shellListeners.add(listener);
      return () => shellListeners.delete(listener);
    },
  };

  const fake: FakeHost = {
    door: options.door ?? 'browser',
    free: 1e12,
    dispatcher,
    shell,
    features: { recentFiles: false, nativeMenu: false, savesInPlace: false },
    connection: steadyConnection,
    calls,
    latest: (name) => [...calls, ...shellCalls].findLast(({ method }) => method === name)?.params,
    unsolved,
    shellCalls,
    shellAnswers,
    emit,
    emitShell: (event) => shellListeners.forEach((listener) => listener(event)),
    advance: (events, of = events) => {
      for (const run of runs.values()) {
        if (['starting', 'running'].includes(run.info.state))
          for (let i = 1; i <= events; i++) progress(run, i / of);
      }
    },
  };
  return fake;
}
