/** The animation panel with a stage that draws nothing: what it shows, keeps in the document, and lets go. */
import { mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import type { AnimationView } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import AnimationPanel from '@renderer/animation/AnimationPanel.vue';
import { exportAnimation } from '@renderer/animation/animation-registry';
import { type ContactSnapshot, provideContacts } from '@renderer/animation/contacts';
import { type LoadStage, STAGE_LOADER, StageUnavailable } from '@renderer/animation/stage';
import { renameElement } from '@renderer/document/rename';
import { i18n } from '@renderer/i18n';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { usePlotCursorStore } from '@renderer/stores/plot-cursor';
import { useReportStore } from '@renderer/stores/report';
import { useRunsStore } from '@renderer/stores/runs';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import type { FakeHost } from '../fake/host';
import { openCamFollower } from '../setup';
import { planarBody, sceneOf, shape, spatialBody } from './support/scenes';
import { stubStages } from './support/stub-stage';

/** The follower moves along x as `follower.q` does; `lift` is recorded too, and stays for an angle. */
const follower = {
  ...planarBody('follower', shape({ kind: 'disc', radius: 0.1 })),
  motion: { kind: 'planar', signals: ['follower.q', 'follower.v', 'lift'] },
} as const;
const SCENE: Scene = sceneOf(follower, spatialBody('other'));

let host: FakeHost;
let wrapper: VueWrapper | null = null;
let stages: ReturnType<typeof stubStages>;
const stage = () => stages.made.at(-1)!;
const view = (): AnimationView =>
  useDocumentStore().model.views.find(({ type }) => type === 'animation') as AnimationView;

/** Lets answers, pictures and changes of the page come. */
async function settle(): Promise<void> {
  for (let i = 0; i < 12; i++) {
    await vi.advanceTimersByTimeAsync(20);
    await nextTick();
  }
}

async function show(changes: Partial<AnimationView> = {}, load?: LoadStage): Promise<void> {
  useDocumentStore().edit('view', (draft) => {
    draft.views = [{ type: 'animation', id: 'scene', ...changes }];
  });
  const holder = defineComponent({
    setup: () => () => h(TooltipProvider, () => h(AnimationPanel, { view: view() })),
  });
  wrapper = mount(holder, {
    attachTo: document.body,
    global: { plugins: [i18n], provide: { [STAGE_LOADER]: load ?? (() => Promise.resolve(stages.create)) } },
  });
  await settle();
}

const find = (id: string) => wrapper!.find(`[data-testid="${id}"]`);
const label = (): string => find('animation-surface').attributes('aria-label') ?? '';
const press = async (key: string, modifiers: object = {}): Promise<void> => {
  await find('animation-surface').trigger('keydown', { key, ...modifiers });
  await settle();
};

async function run(): Promise<void> {
  await useRunsStore().start();
  host.advance(4);
  await settle();
}

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame', 'performance'],
  });
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
  stages = stubStages();
  host = await openCamFollower({ scene: SCENE });
});

afterEach(() => {
  wrapper?.unmount();
  wrapper = null;
  provideContacts(() => null);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the animation of a run', () => {
  it('begins at the start of a run that is over, and says so in words', async () => {
    await run();
    await show();
    expect(stage().scene).toEqual(SCENE);
    expect(stage().poses[0]).toBe(0.4);
    expect(label()).toContain('2 bodies, t = 0 s');
    expect(wrapper!.text()).toContain('Not recorded; drawn at their initial positions: other.');
    expect(find('animation-play').attributes('disabled')).toBeUndefined();
  });

  it('goes to the time of the cursor, and takes the cursor with it', async () => {
    await run();
    await show();
    const cursor = usePlotCursorStore();
    const { h: step } = useRunsStore().current!;
    cursor.moveTo(10.4 * step);
    await settle();
    expect(label()).toContain(`t = ${Number((10 * step).toPrecision(6))} s`);
    await find('animation-forward').trigger('click');
    await settle();
    expect(cursor.mark?.t).toBeCloseTo(11 * step, 12);
    await press('Home');
    expect(cursor.mark?.t).toBe(0);
  });

  it('plays by key, from one picture to the next, and pauses', async () => {
    await run();
    await show();
    const before = stage().pictures;
    await press(' ');
    expect(stage().pictures - before).toBeGreaterThan(5);
    await press(' ');
    const rested = stage().pictures;
    const time = label();
    await settle();
    expect(stage().pictures).toBe(rested);
    expect(label()).toBe(time);
    expect(usePlotCursorStore().mark?.t).toBeGreaterThan(0.05);
  });

  it('plays nothing by itself', async () => {
    await run();
    await show({ loop: true, speed: 2 });
    const before = stage().pictures;
    await settle();
    expect(stage().pictures).toBe(before);
    expect(find('animation-play').attributes('aria-label')).toBe('Play');
  });

  it('follows a run that goes on, without moving the cursor of plots', async () => {
    await show();
    await useRunsStore().start();
    const { h: step } = useRunsStore().current!;
    for (const part of [1, 2]) {
      host.advance(part, 4);
      await settle();
      const { rows } = useRunsStore().current!.statistics;
      expect(rows).toBeGreaterThan(100);
      expect(label()).toContain(`t = ${Number(((rows - 1) * step).toPrecision(6))} s`);
    }
    expect(useRunsStore().active).not.toBeNull();
    expect(usePlotCursorStore().mark).toBeNull();
  });

  it('follows nothing where the system asks for less motion', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => ({ matches: query.includes('reduced-motion'), addEventListener: () => undefined }) as never,
    );
    await show();
    await useRunsStore().start();
    host.advance(2, 4);
    await settle();
    expect(label()).toContain('t = 0 s');
  });

  it('has nothing to show of a model without bodies, and can be taken away', async () => {
    host = await openCamFollower();
    await run();
    await show();
    expect(wrapper!.text()).toContain('no bodies to draw');
    expect(find('animation-play').attributes('disabled')).toBeDefined();
  });
});

describe('what the document keeps', () => {
  beforeEach(async () => {
    await run();
    await show();
  });

  it('is the camera: a gesture is one step that can be undone', async () => {
    const { position, target } = stage().camera;
    stage().setCamera({ position: [1, 2, 3], target: [0, 0, 0] });
    stage().events.camera(stage().camera, false);
    expect(view().camera).toBeUndefined();
    stage().events.camera(stage().camera, true);
    stage().setCamera({ position: [1, 2, 4], target: [0, 0, 0] });
    stage().events.camera(stage().camera, true);
    expect(view().camera).toEqual({ position: [1, 2, 4], target: [0, 0, 0] });
    await settle();
    useDocumentStore().undo();
    await settle();
    expect(view().camera).toBeUndefined();
    stage().camera.position.forEach((x, i) => expect(x).toBeCloseTo(position[i], 3));
    stage().camera.target.forEach((x, i) => expect(x).toBeCloseTo(target[i], 3));
  });

  it('is what keys and buttons do to the camera', async () => {
    await press('ArrowLeft');
    expect(view().camera?.position[0]).not.toBeCloseTo(stage().camera.target[0], 2);
    const turned = view().camera;
    await press('+');
    expect(view().camera?.target).toEqual(turned?.target);
    await press('3');
    const side = view().camera!;
    expect(side.position[0] - side.target[0]).toBeGreaterThan(0);
    expect(side.position[1]).toBeCloseTo(side.target[1], 3);
    await press('x');
    expect(view().camera).toEqual(side);
  });

  it('is the followed body: the camera then moves with it', async () => {
    await find('animation-body').setValue('follower');
    await settle();
    await find('animation-follow').trigger('click');
    await settle();
    expect(view().follow).toBe('follower');
    const before = stage().camera.target[0];
    const x = stage().poses[0];
    await press('.');
    await press('.');
    expect(stage().poses[0]).not.toBe(x);
    expect(stage().camera.target[0] - before).toBeCloseTo(stage().poses[0] - x, 12);
    useDocumentStore().edit('rename', (draft) => renameElement(draft, 'follower', 'valve'));
    expect(view().follow).toBe('valve');
  });

  it('is what is shown, the speed and whether it begins again', async () => {
    await find('animation-show').trigger('click');
    await settle();
    document.querySelector<HTMLElement>('[data-testid="animation-overlay-ids"]')!.click();
    await settle();
    expect(view().overlays).toEqual(['grid', 'axes', 'ids']);
    expect(stage().overlays).toEqual(['grid', 'axes', 'ids']);
    await wrapper!.find('[aria-label="Repeat from the start"]').trigger('click');
    expect(view().loop).toBe(true);
  });
});

describe('a body that has been added and selected', () => {
  it('is on the stage before it is marked there', async () => {
    await show();
    const report = useReportStore();
    const ids = ['one', 'two', 'three'];
    for (const [place, id] of ids.entries()) {
      useWorkspaceStore().select({ kind: 'element', id });
      const bodies = ids.slice(0, place + 1).map((one) => spatialBody(one));
      report.report = { ...report.report, scene: sceneOf(...bodies) };
      await settle();
      expect(stage().scene?.bodies.at(-1)?.id).toBe(id);
      expect(stage().selected).toBe(place);
    }
  });
});

describe('the selection', () => {
  beforeEach(async () => {
    await run();
    await show();
  });

  it('is that of the window, both ways', async () => {
    const workspace = useWorkspaceStore();
    stage().under = 0;
    await find('animation-surface').trigger('dblclick');
    await settle();
    expect(workspace.selection).toEqual({ kind: 'element', id: 'follower' });
    expect(stage().selected).toBe(0);
    expect(label()).toContain('follower at (0.4, 0.4, 0) m');
    expect(find('animation-readout').text()).toContain('Speed');
    workspace.select({ kind: 'element', id: 'cam' });
    await settle();
    expect(stage().selected).toBe(-1);
  });

  it('takes no id that there is not', async () => {
    await find('animation-body').setValue('absent');
    await settle();
    expect(useWorkspaceStore().selection.kind).toBe('model');
    expect((find('animation-body').element as HTMLInputElement).value).toBe('');
  });
});

describe('contacts', () => {
  const snapshot = (time: number, changes: Partial<ContactSnapshot> = {}): ContactSnapshot => ({
    time,
    count: 0,
    matrix: { rows: 0, rank: 0, pattern: null },
    points: new Float64Array(0),
    normals: new Float64Array(0),
    gaps: new Float64Array(0),
    impulses: new Float64Array(0),
    frictions: new Float64Array(0),
    bodies: new Int32Array(0),
    ...changes,
  });
  const item = (): HTMLElement =>
    document.querySelector<HTMLElement>('[data-testid="animation-overlay-contacts"]')!;

  it('cannot be shown where they are not known, and the menu says why', async () => {
    await run();
    await show();
    await find('animation-show').trigger('click');
    await settle();
    expect(item().hasAttribute('data-disabled')).toBe(true);
    expect(item().textContent).toContain('The contacts of this run are not known.');
  });

  it('are asked for at the time that is shown, while they are shown', async () => {
    const asked: number[] = [];
    provideContacts(() => ({
      contactsAt: (time) => {
        asked.push(time);
        return Promise.resolve(snapshot(time));
      },
    }));
    await run();
    await show();
    expect(asked).toEqual([]);
    await find('animation-show').trigger('click');
    await settle();
    item().click();
    await settle();
    expect(asked).toEqual([0]);
    await press('.');
    expect(stage().contacts).toMatchObject({ time: useRunsStore().current!.h });
  });

  it.each([
    [{ rows: 12, rank: 6 }, '12 rows, rank 6: impulses are not unique'],
    [{ rows: 12, rank: 12 }, '12 rows, rank 12: velocities determine the impulses'],
    [{ rows: 900, rank: null }, '900 rows: too many to compute the rank'],
  ])('with a W of %j are reported in words', async (matrix, words) => {
    const changes = { count: matrix.rows / 3, matrix: { ...matrix, pattern: null } };
    provideContacts(() => ({ contactsAt: (time) => Promise.resolve(snapshot(time, changes)) }));
    await run();
    await show();
    expect(find('animation-rank').exists()).toBe(false);
    useDocumentStore().edit('view', (draft) => {
      (draft.views[0] as { overlays?: string[] }).overlays = ['forces'];
    });
    await settle();
    expect(find('animation-rank').text()).toBe(words);
    expect(find('animation-readout').text()).toContain(`Contacts${matrix.rows / 3}`);
    expect(wrapper!.find('[aria-label="What rows and rank of W mean"]').element.tagName).toBe('BUTTON');
  });

  it('of each picture of a film are those of its time, and those of before afterwards', async () => {
    provideContacts(() => ({ contactsAt: (time) => Promise.resolve(snapshot(time)) }));
    await run();
    await show({ overlays: ['contacts'] });
    expect(stage().contacts).toMatchObject({ time: 0 });
    const drawn: { contacts: unknown; x: number | undefined }[] = [];
    const { picture } = stage();
    stage().picture = (...size) => {
      drawn.push({ contacts: stage().contacts, x: stage().poses[0] });
      return picture(...size);
    };
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['png'])));
    host.shellAnswers['shell.exportFile'] = { name: 'film.zip' };
    exportAnimation();
    await settle();
    const fill = (id: string, value: string): void => {
      const input = document.querySelector<HTMLInputElement>(id)!;
      input.value = value;
      input.dispatchEvent(new Event('input'));
    };
    fill('#animation-to', '0.1');
    await nextTick();
    document.querySelector('#animation-export')!.dispatchEvent(new Event('submit'));
    await settle();
    expect(drawn).toHaveLength(4);
    drawn.forEach(({ contacts }, i) => expect(contacts).toMatchObject({ time: i / 30 }));
    expect(new Set(drawn.map(({ x }) => x)).size).toBe(4);
    expect(host.shellCalls.filter(({ method }) => method === 'shell.exportFile')).toHaveLength(1);
    expect(stage().contacts).toMatchObject({ time: 0 });
  });

  it('that are unavailable are said to be', async () => {
    provideContacts(() => ({ contactsAt: () => Promise.reject(new Error('no contacts')) }));
    await run();
    await show({ overlays: ['contacts'] });
    expect(useNoticesStore().notices.map(({ message }) => message)).toContain('no contacts');
  });
});

describe('drawing', () => {
  it('that is not possible is said with its remedy, and nothing is thrown', async () => {
    await run();
    await show({}, () =>
      Promise.resolve(() => {
        throw new StageUnavailable('none');
      }),
    );
    expect(find('animation-trouble').text()).toContain('needs WebGL 2');
    expect(find('animation-trouble').text()).toContain('hardware acceleration');
    expect(find('animation-play').attributes('disabled')).toBeDefined();
    expect(useNoticesStore().notices).toEqual([]);
  });

  it('that could not be loaded can be tried again', async () => {
    let fails = true;
    await run();
    await show({}, () => (fails ? Promise.reject(new Error('no chunk')) : Promise.resolve(stages.create)));
    expect(find('animation-trouble').text()).toContain('could not be loaded');
    fails = false;
    await find('animation-trouble').find('button').trigger('click');
    await settle();
    expect(stage().scene).toEqual(SCENE);
    expect(find('animation-trouble').exists()).toBe(false);
  });

  it('that the graphics card gave up goes on with a new stage', async () => {
    await run();
    await show();
    const first = stage();
    first.events.lost();
    await settle();
    expect(first.disposed).toBe(true);
    await find('animation-trouble').find('button').trigger('click');
    await settle();
    expect(stages.made).toHaveLength(2);
    expect(stage().poses).toEqual(first.poses);
  });

  it('ends with the panel, and one stage serves all runs', async () => {
    await run();
    await show();
    for (let i = 0; i < 5; i++) await run();
    expect(stages.made).toHaveLength(1);
    wrapper?.unmount();
    wrapper = null;
    expect(stage().disposed).toBe(true);
  });
});
