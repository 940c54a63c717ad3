import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MoreauError } from '@contract/errors';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { RunSession } from '@engine/run/session';
import type { ConsoleLine, ConsoleMessage } from '@engine/script/sandbox';
import { ConsoleLimiter } from '@main/host/console-limiter';
import { createCounters } from '@main/host/counters';
import type { RunEngine, FinalReport, RunReport, RunRequest, WorkerTask } from '@main/host/run';
import { performTask } from '@main/host/run-impl';
import { bouncingBall } from './models';
import { temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** A session whose steps take a given time on the bench's clock. */
interface Script {
  totalSteps: number;
  /** ms a step */
  stepMs: number;
  /** called for each advance, with its number of steps */
  onAdvance?: (steps: number) => void;
  /** its events so far */
  records?: EventRecord[];
}

/** The worker's work on a clock and a queue of its own: nothing happens before `turn`. */
function bench({ totalSteps, stepMs, onAdvance, records = [] }: Script) {
  let now = 0;
  let steps = 0;
  let listener: (request: RunRequest) => void = () => undefined;
  const pending: (() => void)[] = [];
  const reports: (RunReport | FinalReport)[] = [];
  const asked: number[] = [];
  let closed = false;
  const session = {
    title: 'bench',
    signals: [],
    parameters: {},
    scheme: 'time-stepping',
    h: 1,
    t0: 0,
    tEnd: totalSteps,
    warnings: [],
    error: null,
    advance: (most: number) => {
      asked.push(most);
      onAdvance?.(most);
      const done = Math.min(most, totalSteps - steps);
      steps += done;
      now += done * stepMs;
      return steps < totalSteps ? 'running' : 'done';
    },
    get steps() {
      return steps;
    },
    get time() {
      return steps;
    },
    counters: { factorisations: 0, newtonIterations: 0, solverIterations: 0 },
    rejectedSteps: 0,
    moves: 0,
    changes: [],
    changedParameters: [],
    initialState: null,
    rows: 0,
    events: 0,
    eventRecords: records,
    hasConstantStep: true,
    certificate: { complementarity: 0, coneViolation: 0, dynamics: 0, worstTime: null, worstElement: null },
    energyDrift: null,
  } as unknown as RunSession;
  const engine: RunEngine = {
    prepareRun: () => ({ ok: true, session }),
    createSandbox: () => {
      throw new Error('no script here');
    },
    measureAccuracy: () => ({ ok: false, reason: 'failed', message: 'not asked for here' }),
    runBuilder: () => ({ ok: true, built: { systems: [], interactions: [] } }),
  };
  const task: WorkerTask = {
    task: 'run',
    specification: { document: bouncingBall() },
    file: join(folder.path, 'run.rows'),
    counters: createCounters(),
    paused: false,
    speed: null,
  };
  performTask(
    task,
    engine,
    {
      post: (report) => reports.push(report),
      onRequest: (receive) => (listener = receive),
      end: (report) => {
        reports.push(report);
        closed = true;
      },
    },
    {
      now: () => now,
      yieldThen: (callback) => pending.push(callback),
      wait: (_, callback) => pending.push(callback),
    },
  );
  return {
    reports,
    asked,
    send: (type: 'pause' | 'resume' | 'cancel') => listener({ type }),
    /** one slice; false when nothing is waiting */
    turn: () => {
      const next = pending.shift();
      next?.();
      return next !== undefined;
    },
    isClosed: () => closed,
    clock: () => now,
  };
}

const types = (reports: readonly (RunReport | FinalReport)[]): string[] =>
  reports.map((report) => report.type);

describe('the slices of a run', () => {
  it('take about eight milliseconds whatever a step costs', () => {
    for (const stepMs of [0.001, 0.5, 3, 50]) {
      const run = bench({ totalSteps: 1e6, stepMs });
      for (let i = 0; i < 60; i++) run.turn();
      const settled = run.asked.at(-1) ?? 0;
      expect(settled).toBe(Math.max(1, Math.round(8 / stepMs)));
    }
  });

  it('grow by no more than twice at once', () => {
    const run = bench({ totalSteps: 1e9, stepMs: 1e-6 });
    for (let i = 0; i < 12; i++) run.turn();
    for (let i = 1; i < run.asked.length; i++) expect(run.asked[i]).toBeLessThanOrEqual(2 * run.asked[i - 1]);
  });

  it('post progress at the first slice and then at most ten times a second', () => {
    const run = bench({ totalSteps: 1e6, stepMs: 1 });
    while (run.clock() < 2000) run.turn();
    const progress = run.reports.filter((report) => report.type === 'progress');
    expect(progress.length).toBeGreaterThanOrEqual(15);
    expect(progress.length).toBeLessThanOrEqual(21);
  });

  it('tell a pace that is the inverse of the cost of a simulated second', () => {
    const run = bench({ totalSteps: 1e6, stepMs: 2 });
    while (run.clock() < 3000) run.turn();
    const last = run.reports.findLast((report) => report.type === 'progress');
    expect(last?.progress.pace).toBeCloseTo(500, 6);
  });
});

describe('the events of a run', () => {
  const event = (time: number): EventRecord => ({
    time,
    kind: 'impact',
    element: 'table',
    row: 0,
    before: -1,
    after: 1,
    impulse: 2,
    accumulation: null,
  });
  const posted = (reports: readonly (RunReport | FinalReport)[]): EventRecord[] =>
    reports.flatMap((report) => (report.type === 'events' ? report.events : []));

  it('are posted once each and in their order, the last ones before its end', () => {
    const records: EventRecord[] = [];
    const run = bench({
      totalSteps: 2000,
      stepMs: 1,
      records,
      onAdvance: () => records.push(event(records.length), event(records.length + 1)),
    });
    while (run.turn());
    expect(records.length).toBeGreaterThan(100);
    expect(posted(run.reports).map(({ time }) => time)).toEqual(records.map((_, k) => k));
    expect(run.reports.at(-1)?.type).toBe('ended');
  });

  it('are posted up to half a million, however many there are', () => {
    const records: EventRecord[] = [];
    const one = event(0);
    const run = bench({
      totalSteps: 1000,
      stepMs: 50,
      records,
      onAdvance: () => {
        if (records.length < 600_000) for (let k = 0; k < 200_000; k++) records.push(one);
      },
    });
    while (run.turn());
    expect(records.length).toBe(600_000);
    expect(posted(run.reports)).toHaveLength(500_000);
  });
});

describe('requests to a run', () => {
  it('pause it until it is resumed', () => {
    const run = bench({ totalSteps: 100, stepMs: 1 });
    run.turn();
    run.send('pause');
    while (run.turn());
    const before = run.asked.length;
    run.send('pause');
    run.send('resume');
    run.turn();
    expect(run.asked.length).toBe(before + 1);
    const states = run.reports.filter((report) => report.type === 'state').map((report) => report.state);
    expect(states).toEqual(['paused', 'running']);
  });

  it('cancel it between two slices, also while it is paused', () => {
    for (const first of [[], ['pause']] as const) {
      const run = bench({ totalSteps: 100, stepMs: 1 });
      run.turn();
      for (const request of first) run.send(request);
      run.send('cancel');
      while (run.turn());
      expect(run.reports.at(-1)).toMatchObject({ type: 'ended', state: 'cancelled', error: null });
      expect(run.isClosed()).toBe(true);
    }
  });

  it('change nothing after the end', () => {
    const run = bench({ totalSteps: 3, stepMs: 1 });
    while (run.turn());
    const before = types(run.reports);
    expect(before.at(-1)).toBe('ended');
    run.send('cancel');
    run.send('resume');
    while (run.turn());
    expect(types(run.reports)).toEqual(before);
  });
});

describe('failures of a run', () => {
  it('end it with the reason that was thrown', () => {
    const details = { code: 'recording-failed', message: 'the disk is full' };
    const run = bench({
      totalSteps: 100,
      stepMs: 1,
      onAdvance: () => {
        throw new MoreauError(details);
      },
    });
    run.turn();
    expect(run.reports.at(-1)).toMatchObject({ type: 'ended', state: 'failed', error: details });
  });
});

describe('the console limiter', () => {
  const line = (said: string): ConsoleLine => ({ script: 'a.ts', level: 'log', text: said, line: () => 3 });

  it('asks for the place of lines it lets through alone', () => {
    let asked = 0;
    const sent: ConsoleMessage[] = [];
    const limiter = new ConsoleLimiter(
      (message) => void sent.push(message),
      () => 0,
    );
    for (let i = 0; i < 250; i++) limiter.log({ ...line('x'), line: () => ++asked }, 0.25);
    expect(asked).toBe(100);
    expect(sent[0]).toEqual({ script: 'a.ts', level: 'log', text: 'x', line: 1, time: 0.25 });
  });

  it('lets a burst through, then counts', () => {
    let now = 0;
    const lines: string[] = [];
    const limiter = new ConsoleLimiter(
      ({ text }) => void lines.push(text),
      () => now,
    );
    for (let i = 0; i < 250; i++) limiter.log(line(String(i)), 0.5);
    expect(lines).toHaveLength(100);
    now = 1000;
    limiter.log(line('later'), 0.5);
    expect(lines.slice(100)).toEqual(['… 150 more lines left out', 'later']);
    limiter.flush();
    expect(lines).toHaveLength(102);
  });

  it('shortens long lines', () => {
    const lines: string[] = [];
    new ConsoleLimiter(
      ({ text }) => void lines.push(text),
      () => 0,
    ).log(line('x'.repeat(10_000)), null);
    expect(lines[0].length).toBeLessThan(2100);
  });
});
