/** Steps, other parameters on the way, states of runs as models, remedies, and what a run will cost. */
import { flushPromises, mount } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { useCommands } from '@renderer/commands/definitions';
import { askIfTooLarge } from '@renderer/runs/disk-space';
import { estimateRun, formatBytes, isLong, thinning } from '@renderer/runs/estimate';
import { remediesOf, remediesOfVerdict } from '@renderer/runs/remedies';
import RunDialogs from '@renderer/runs/RunDialogs.vue';
import RunList from '@renderer/runs/RunList.vue';
import { parseValues } from '@renderer/runs/several-values';
import { startChecked } from '@renderer/runs/start-checked';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { useReportStore } from '@renderer/stores/report';
import { useRunControlStore } from '@renderer/stores/run-control';
import { useRunsStore } from '@renderer/stores/runs';
import type { FakeHost } from './fake/host';
import { openCamFollower } from './setup';

let host: FakeHost;
beforeEach(async () => {
  host = await openCamFollower();
});

const within = (part: () => ReturnType<typeof h>) =>
  mount(
    defineComponent(() => () => h(TooltipProvider, null, { default: part })),
    { attachTo: document.body },
  );
const inDialog = (selector: string): HTMLInputElement => {
  const found = document.querySelector<HTMLInputElement>(selector);
  if (found === null) throw new Error(`there is no ${selector}`);
  return found;
};
function type(selector: string, value: string): void {
  const input = inDialog(selector);
  input.value = value;
  input.dispatchEvent(new Event('input'));
}

describe('steps', () => {
  it('begin with a run that waits at its start, and go both ways', async () => {
    const control = useRunControlStore();
    const runs = useRunsStore();
    await control.step();
    expect(runs.current?.state).toBe('paused');
    expect(control.canStepBack).toBe(false);
    await control.step(5);
    await control.stepBack();
    expect(runs.current?.statistics.steps).toBe(4);
    await control.reset();
    expect(runs.current?.statistics.steps).toBe(0);
  });

  it('are commands with keys, which know when they make sense', async () => {
    const commands = useCommands();
    expect(commands.get('run.step')?.shortcut).toBe('F10');
    expect(commands.isEnabled('run.step')).toBe(true);
    expect(commands.isEnabled('run.stepBack')).toBe(false);
    expect(commands.isEnabled('run.runTo')).toBe(false);
    await useRunControlStore().startPaused();
    expect(commands.isEnabled('run.runTo')).toBe(true);
  });

  it('leave the speed to the user, also of the runs to come', async () => {
    const control = useRunControlStore();
    await control.setSpeed(0.1);
    await control.startPaused();
    expect(host.calls.find(({ method }) => method === 'run.start')?.params).toMatchObject({ speed: 0.1 });
    await control.setSpeed(null);
    expect(useRunsStore().current?.speed).toBeNull();
  });
});

describe('parameters of a run that has begun', () => {
  it('are changed from a dialog, and noted with the run', async () => {
    const control = useRunControlStore();
    await control.startPaused();
    await control.step(100);
    within(() => h(RunDialogs));
    control.openDialog('parameters');
    await flushPromises();
    type('#run-parameter-rpm', '400');
    await flushPromises();
    inDialog('[data-testid="apply-run-parameters"]').click();
    await flushPromises();
    expect(control.dialog).toBeNull();
    expect(useRunsStore().current?.changes).toMatchObject([{ name: 'rpm', to: 400 }]);
  });
});

describe('a run as a model', () => {
  it('opens as a document of its own, which is not saved yet', async () => {
    const runs = useRunsStore();
    const documents = useDocumentStore();
    await runs.start();
    host.advance(3);
    const { session } = documents;
    const run = runs.current;
    if (run === null) throw new Error('there is no run');
    await useRunControlStore().openModel(run);
    expect(documents.session).not.toBe(session);
    expect(documents.model.title).toContain(run.name);
    expect(documents.dirty).toBe(true);
  });

  it('gives its state as the initial one, as an edit that can be undone', async () => {
    const runs = useRunsStore();
    const documents = useDocumentStore();
    await runs.start();
    host.advance(3);
    const before = documents.model;
    if (runs.current !== null) await useRunControlStore().takeState(runs.current);
    expect(documents.model.systems.find(({ id }) => id === 'follower')).toMatchObject({
      q0: [0.25],
      v0: [-1.5],
    });
    documents.undo();
    expect(documents.model).toEqual(before);
  });
});

describe('the list of runs', () => {
  it('has a menu for each, with a right click as well', async () => {
    const runs = useRunsStore();
    await runs.start();
    host.advance(3);
    const wrapper = within(() => h(RunList));
    await wrapper.get('[data-testid="run-list"] li').trigger('contextmenu');
    await flushPromises();
    const items = [...document.querySelectorAll('[data-testid="run-menu"] [role="menuitem"]')];
    expect(items.map((item) => item.textContent.trim())).toEqual([
      'Rename run…',
      'Details of the run…',
      'Run again exactly',
      'Continue from here…',
      'Save state…',
      'Open model of run',
      'Open this moment as a model',
      'Take this state as initial state',
      'Differences from another run…',
      'Delete',
    ]);
  });

  it('repeats a run exactly, and shows the repetition', async () => {
    const runs = useRunsStore();
    await runs.start();
    host.advance(3);
    const first = runs.current;
    if (first !== null) await useRunControlStore().repeat(first);
    expect(runs.currentId).not.toBe(first?.runId);
    expect(host.latest('run.repeat')).toEqual({ runId: first?.runId });
  });
});

describe('a run that goes on from another one', () => {
  it('begins at its end or at the cursor, and is shown', async () => {
    const runs = useRunsStore();
    await runs.start();
    host.advance(3);
    const first = runs.current;
    if (first === null) throw new Error('there is no run');
    const control = useRunControlStore();
    const wrapper = within(() => h(RunDialogs));
    control.openContinue(first, null);
    await flushPromises();
    const go = (): boolean => !inDialog('[data-testid="continue-run-go"]').disabled;
    const { simulatedTime } = first.statistics;
    expect(Number(inDialog('#continue-run-time').value)).toBe(simulatedTime);
    for (const [time, end, isPossible] of [
      [simulatedTime + 1, 7, false],
      [first.t0 - 1, 7, false],
      [simulatedTime, first.t0, false],
      [simulatedTime, 7, true],
    ] as const) {
      type('#continue-run-time', String(time));
      type('#continue-run-end', String(end));
      await flushPromises();
      expect(go()).toBe(isPossible);
    }
    inDialog('#continue-run').dispatchEvent(new Event('submit'));
    await flushPromises();
    expect(host.latest('run.continue')).toEqual({ runId: first.runId, tEnd: 7 });
    expect(runs.currentId).not.toBe(first.runId);
    control.openContinue(first, first.t0);
    await flushPromises();
    inDialog('#continue-run').dispatchEvent(new Event('submit'));
    await flushPromises();
    expect(host.latest('run.continue')).toMatchObject({ runId: first.runId, time: first.t0 });
    wrapper.unmount();
  });
});

describe('what to try after a failure', () => {
  const error = { code: 'solver-maxIterations', message: 'not solved', time: 0.3 };

  it('is offered as actions', () => {
    const ids = remediesOf(error, null).map(({ id }) => id);
    expect(ids).toContain('smallerStep');
    expect(ids).toContain('simulation');
    expect(remediesOf({ code: 'unknown-signal', message: '' }, null)).toEqual([]);
  });

  it('edits the model so that it can be undone, and runs it', async () => {
    const documents = useDocumentStore();
    const step = Number(documents.model.simulation.h);
    await remediesOf(error, null)
      .find(({ id }) => id === 'smallerStep')
      ?.run();
    expect(documents.model.simulation.h).toBeCloseTo(step / 10, 12);
    expect(host.latest('run.start')).toBeDefined();
    documents.undo();
    expect(documents.model.simulation.h).toBe(step);
  });
});

describe('what to try after a verdict that fails', () => {
  it('is half the step where steps are inaccurate, and the other scheme where they have passed something over', async () => {
    const runs = useRunsStore();
    await runs.start();
    const run = runs.current;
    if (run === null) throw new Error('there is no run');
    const judged = (verdict: { complete: boolean; isSolved: boolean }): string[] =>
      remediesOfVerdict({
        ...run,
        state: 'done',
        scheme: 'time-stepping',
        statistics: {
          ...run.statistics,
          complete: verdict.complete,
          certificate: { ...run.statistics.certificate, dynamics: verdict.isSolved ? 0 : 1 },
        },
      }).map(({ id }) => id);
    expect(judged({ complete: true, isSolved: true })).toEqual(['measure']);
    expect(judged({ complete: true, isSolved: false })).toEqual(['measure', 'halveStep', 'otherScheme']);
    expect(judged({ complete: false, isSolved: true })).toEqual(['measure', 'otherScheme']);
  });

  it('is half the step of generalised-α, or another method; of others smaller tolerances only', async () => {
    const runs = useRunsStore();
    await runs.start();
    const run = runs.current;
    if (run === null) throw new Error('there is no run');
    const offered = (): string[] =>
      remediesOfVerdict({
        ...run,
        state: 'done',
        scheme: 'event-driven',
        statistics: {
          ...run.statistics,
          complete: true,
          certificate: { ...run.statistics.certificate, dynamics: 1 },
        },
      }).map(({ id }) => id);
    expect(offered()).toEqual(['measure', 'tighten']);
    useDocumentStore().edit('method', ({ simulation }) => {
      simulation.eventDriven = { flight: { type: 'GeneralisedAlpha' } };
    });
    expect(offered()).toEqual(['measure', 'halveStep', 'tighten']);
  });
});

describe('what a run will cost', () => {
  const plan = {
    scheme: 'time-stepping',
    h: 1e-3,
    t0: 0,
    tEnd: 10,
    every: 1,
    signals: 4,
    trajectory: true,
  } as const;

  it('follows from its steps, and from what earlier ones took', async () => {
    expect(estimateRun(plan, [])).toEqual({ steps: 10_000, rows: 10_001, bytes: 320_032, seconds: null });
    await useRunsStore().start();
    host.advance(3);
    const { runs } = useRunsStore();
    expect(estimateRun(plan, runs)?.seconds).toBeGreaterThan(0);
    expect(estimateRun({ ...plan, scheme: 'event-driven' }, runs)?.seconds).toBeNull();
    expect(estimateRun({ ...plan, h: NaN }, runs)).toBeNull();
    // Of a run that keeps points of sections only, steps are no rows: it takes no disk to ask about.
    const sections = estimateRun({ ...plan, h: 1e-8, trajectory: false }, []);
    expect(sections).toMatchObject({ steps: 1e9, rows: 2, bytes: 64 });
    expect(isLong(sections!)).toBe(false);
    expect(estimateRun({ ...plan, tEnd: -1 }, runs)).toBeNull();
  });

  it('is asked about when it is much, with a way to store less', async () => {
    const estimate = estimateRun({ ...plan, h: 1e-8 }, []);
    if (estimate === null) throw new Error('no estimate');
    expect(isLong(estimate)).toBe(true);
    expect(estimate.bytes / thinning(estimate)).toBeLessThan(2 * 2 ** 30);
    expect(formatBytes(estimate.bytes)).toBe('30 GiB');
    const documents = useDocumentStore();
    documents.edit('fine', (draft) => {
      draft.simulation.h = 1e-9;
    });
    await useReportStore().refresh();
    const asked = startChecked();
    const question = useDialogsStore().question;
    expect(question?.choices.map(({ value }) => value)).toEqual(['cancel', 'settings', 'thin', 'run']);
    question?.answer('cancel');
    await asked;
    expect(host.calls.some(({ method }) => method === 'run.start')).toBe(false);
  });
});

describe('several values', () => {
  it('are a list or a range', () => {
    expect(parseValues('0.2, 0.5')).toEqual([0.2, 0.5]);
    expect(parseValues('0:1:3')).toEqual([0, 0.5, 1]);
    for (const bad of ['', 'a', '1:2', '0:1:1', '0:1:17', Array.from({ length: 17 }, (_, k) => k).join(',')])
      expect(parseValues(bad)).toBeNull();
  });

  it('run side by side, the first shown and the others behind it', async () => {
    await useRunControlStore().startSeveral('rpm', [300, 358, 400], {});
    const runs = useRunsStore();
    expect(runs.runs).toHaveLength(3);
    expect(runs.drawn).toHaveLength(3);
    const sets = host.calls.filter(({ method }) => method === 'run.start').map(({ params }) => params);
    expect(sets).toMatchObject([{ set: { rpm: 300 } }, { set: { rpm: 358 } }, { set: { rpm: 400 } }]);
  });
});

describe('a deleted run', () => {
  it('is brought back to its place by the notice that tells of it, as it was shown', async () => {
    const runs = useRunsStore();
    await runs.start();
    host.advance(1);
    await runs.start();
    host.advance(1);
    const [first, second] = runs.runs.map(({ runId }) => runId);
    await runs.togglePin(first);
    runs.show(first);
    await runs.remove(first);
    expect(runs.runs.map(({ runId }) => runId)).toEqual([second]);
    const notice = useNoticesStore().notices.at(-1);
    expect(notice?.message).toContain('Run 1');
    await notice?.actions?.[0]?.run();
    expect(runs.runs.map(({ runId }) => runId)).toContain(first);
    expect(runs.currentId).toBe(first);
    expect(runs.pinned.has(first)).toBe(true);
  });
});

describe('a run that the disk does not hold', () => {
  it('is not begun before its user has said so', async () => {
    host.free = 1000;
    const dialogs = useDialogsStore();
    const asked = askIfTooLarge({ every: 2 }, 2 ** 27);
    await expect.poll(() => dialogs.question).not.toBeNull();
    expect(dialogs.question?.message).toContain('128 MiB');
    expect(dialogs.question?.choices.map(({ value }) => value)).toEqual(['cancel', 'show', 'run']);
    dialogs.question?.answer('cancel');
    expect(await asked).toBeNull();
  });

  it('can be recorded more thinly', async () => {
    host.free = 2 ** 26;
    const dialogs = useDialogsStore();
    const asked = askIfTooLarge({ every: 2 }, 2 ** 27);
    await expect.poll(() => dialogs.question).not.toBeNull();
    dialogs.question?.answer('thin');
    expect(await asked).toEqual({ every: 20 });
    expect(await askIfTooLarge({}, 2 ** 25)).toEqual({});
  });
});
