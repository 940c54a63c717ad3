/** The clock, the rows that are read for it, and the player, on a recording with closed form. */
import type { Dispatcher, MethodParams } from '@contract/methods';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { POSE_NUMBERS, posePlan, startPoses } from '@figures/animation/geometry/poses';
import {
  type ClockState,
  extended,
  movedClock,
  restingClock,
  startedClock,
  stopped,
  ticked,
} from '@renderer/animation/playback/clock';
import { Player } from '@renderer/animation/playback/player';
import { bracket, RowBlocks } from '@renderer/animation/playback/row-blocks';
import { lastAtMost, TimeIndex } from '@renderer/animation/playback/time-index';
import { type Recorded, Trajectory } from '@renderer/animation/playback/trajectory';
import { ground, planarBody, sceneOf } from './support/scenes';

const clock = (changes: Partial<ClockState>): ClockState => ({
  ...restingClock,
  to: 10,
  follows: false,
  ...changes,
});

describe('the clock', () => {
  it('goes on by speed times time, and stops at the end or begins again', () => {
    const playing = clock({ playing: true, speed: 2, time: 9.9 });
    expect(ticked(playing, 0.02).time).toBeCloseTo(9.94, 12);
    expect(ticked(playing, 0.1)).toMatchObject({ time: 10, playing: false });
    const looped = ticked({ ...playing, loop: true }, 0.1);
    expect(looped.time).toBeCloseTo(0.1, 9);
    expect(looped.playing).toBe(true);
    expect(ticked(clock({ time: 3 }), 1).time).toBe(3);
  });

  it('does not jump after a picture that took long', () => {
    expect(ticked(clock({ playing: true }), 60).time).toBe(0.25);
  });

  it('plays from the start when it stands at the end, and not at all without an extent', () => {
    expect(startedClock(clock({ time: 10 }))).toMatchObject({ time: 0, playing: true });
    expect(startedClock(clock({ time: 4 }))).toMatchObject({ time: 4, playing: true });
    expect(startedClock(clock({ to: 0 })).playing).toBe(false);
    expect(stopped(startedClock(clock({}))).playing).toBe(false);
  });

  it('goes along with the end of a run until the user goes elsewhere, and again from the end on', () => {
    const live = extended(restingClock, 0, 2);
    expect(live.time).toBe(2);
    const back = movedClock(live, 1);
    expect(extended(back, 0, 3)).toMatchObject({ time: 1, follows: false, to: 3 });
    expect(extended(movedClock(extended(back, 0, 3), 5), 0, 4).time).toBe(4);
  });
});

/** Times that are neither evenly spaced nor all different. */
const unevenTimes = (rows: number): Float64Array =>
  Float64Array.from({ length: rows }, (_, k) => (k % 7 === 3 ? (k - 1) ** 1.3 : k ** 1.3));

describe('the row of a time', () => {
  it('is the last that is not after it, found in few readings', async () => {
    const rows = 100_000;
    const times = unevenTimes(rows).sort();
    let readings = 0;
    let values = 0;
    const index = new TimeIndex((first, count, every) => {
      readings++;
      const read = Float64Array.from(
        { length: Math.ceil(count / every) },
        (_, i) => times[first + i * every],
      );
      values += read.length;
      return Promise.resolve(read);
    });
    for (const t of [-1, 0, 17.3, times[5000], times[5000] + 1e-9, times[rows - 1], 1e9]) {
      const wanted = Math.max(0, times.reduce((count, time) => count + (time <= t ? 1 : 0), 0) - 1);
      expect(await index.locate(t, rows)).toBe(wanted);
    }
    expect(readings).toBeLessThan(20);
    expect(values).toBeLessThan(rows / 2);
    const before = readings;
    await index.locate(17.4, rows);
    expect(readings).toBe(before);
  });

  it('can be asked for again after a failure', async () => {
    let fails = true;
    const index = new TimeIndex((first, count) =>
      fails
        ? Promise.reject(new Error('gone'))
        : Promise.resolve(Float64Array.from({ length: count }, (_, i) => first + i)),
    );
    await expect(index.locate(3, 10)).rejects.toThrow('gone');
    fails = false;
    expect(await index.locate(3, 10)).toBe(3);
  });

  it('in an array is where it would be inserted, less one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: -1, max: 10 }), (values, x) => {
        values.sort((a, b) => a - b);
        expect(lastAtMost(values, x)).toBe(values.filter((value) => value <= x).length - 1);
      }),
    );
  });
});

describe('blocks of rows', () => {
  let rows: number;
  let reads: string[];
  const make = (signals: number): RowBlocks =>
    new RowBlocks((first, count, every) => {
      reads.push(`${first} ${count} ${every}`);
      const length = Math.max(0, Math.ceil((Math.min(rows, first + count) - first) / every));
      const times = Float64Array.from({ length }, (_, i) => first + i * every);
      return Promise.resolve({ times, columns: Array.from({ length: signals }, () => times) });
    }, signals);

  beforeEach(() => {
    rows = 100_000;
    reads = [];
  });

  it('have the row that the next one begins with, at every level', async () => {
    const blocks = make(3);
    expect(blocks.rows).toBe(512);
    const coarse = await blocks.load(3, 2, rows);
    expect([coarse.times[0], coarse.times.at(-1), coarse.complete]).toEqual([8192, 12288, true]);
    expect(blocks.find(3, 10_004)).toMatchObject({ fraction: 0.5 });
    expect(blocks.find(3, 12_288)).not.toBeNull();
    await blocks.load(3, 3, rows);
    expect(blocks.find(3, 12_288)?.block.index).toBe(3);
    expect(blocks.find(3, 8000)).toBeNull();
    expect(blocks.find(0, 10_004)).toBeNull();
    expect(blocks.blockOf(3, 8192)).toBe(2);
    expect(blocks.count(3, 8192)).toBe(2);
    expect(blocks.count(3, 8193)).toBe(3);
    expect(blocks.count(3, 0)).toBe(0);
  });

  it('are read once while they are kept, and the oldest are let go', async () => {
    const blocks = make(2 ** 18);
    expect(blocks.rows).toBe(8);
    for (let i = 0; i < 40; i++) await blocks.load(0, i, rows);
    expect(blocks.kept).toBe(4);
    await blocks.load(0, 39, rows);
    expect(reads).toHaveLength(40);
    await blocks.load(0, 0, rows);
    expect(reads).toHaveLength(41);
  });

  it('are read together by all who ask at once', async () => {
    const blocks = make(1);
    await Promise.all([blocks.load(0, 0, rows), blocks.load(0, 0, rows)]);
    expect(reads).toHaveLength(1);
  });

  it('of a run that goes on are read again when it has gone on, and not before', async () => {
    rows = 100;
    const blocks = make(1);
    await blocks.load(0, 0, rows);
    // Behind the end there is the last row, until more is known.
    expect(blocks.find(0, 250)).toMatchObject({ row: 99, next: 99, fraction: 0 });
    await blocks.load(0, 0, 100);
    expect(reads).toHaveLength(1);
    rows = 600;
    await blocks.load(0, 0, 600);
    expect(reads).toHaveLength(2);
    expect(blocks.find(0, 250)).toMatchObject({ row: 250, fraction: 0 });
  });

  it('show after a jump what comes after it', () => {
    const times = Float64Array.of(0, 1, 1, 2);
    const block = { level: 0, index: 0, times, columns: [], complete: false };
    expect(bracket(block, 1)).toMatchObject({ row: 2, next: 3, fraction: 0 });
    expect(bracket(block, 0.75)).toMatchObject({ row: 0, next: 1, fraction: 0.75 });
    expect(bracket(block, -1)).toMatchObject({ row: 0, fraction: 0 });
  });
});

/** A wheel that rolls: x = t², φ = 3 t; a row each 10 ms. */
const H = 0.01;
const SCENE = sceneOf(ground, planarBody('wheel'));

function recording(state: { rows: number; fails?: boolean }): {
  dispatcher: Dispatcher;
  calls: MethodParams<'run.rows'>[];
} {
  const calls: MethodParams<'run.rows'>[] = [];
  const value: Record<string, (t: number) => number> = {
    t: (t) => t,
    'wheel.x': (t) => t * t,
    'wheel.y': () => 0.5,
    'wheel.phi': (t) => 3 * t,
  };
  const dispatch = (_method: string, params: unknown): Promise<unknown> => {
    const query = params as MethodParams<'run.rows'>;
    calls.push(query);
    if (state.fails === true) return Promise.reject(new Error('reader is gone'));
    const { firstRow, count, every = 1, signals } = query;
    const length = Math.max(0, Math.ceil((Math.min(state.rows, firstRow + count) - firstRow) / every));
    const columns = signals.map((name) =>
      Float64Array.from({ length }, (_, i) => value[name]?.((firstRow + i * every) * H) ?? NaN),
    );
    return Promise.resolve({ firstRow, columns });
  };
  return {
    dispatcher: { dispatch: dispatch as Dispatcher['dispatch'], onEvent: () => () => undefined },
    calls,
  };
}

function open(state: { rows: number; fails?: boolean }) {
  const { dispatcher, calls } = recording(state);
  const plan = posePlan(SCENE, new Set(['wheel.x', 'wheel.y', 'wheel.phi']));
  const trajectory = new Trajectory(dispatcher, 'run', plan, startPoses(SCENE));
  const pictures: ((now: number) => void)[] = [];
  const shown: number[] = [];
  const failures: unknown[] = [];
  const player = new Player(trajectory, startPoses(SCENE), {
    nextPicture: (callback) => {
      pictures.push(callback);
      return () => pictures.splice(pictures.indexOf(callback), 1);
    },
    shown: (time) => shown.push(time),
    changed: () => undefined,
    failed: (error) => failures.push(error),
  });
  const recorded: Recorded = { rows: state.rows, spacing: H };
  /** One picture; then all that is being read arrives. */
  const picture = async (now: number): Promise<void> => {
    pictures.shift()?.(now);
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  const x = (): number => player.poses[POSE_NUMBERS];
  return { player, trajectory, recorded, picture, pictures, shown, failures, calls, x };
}

const settled = async (): Promise<void> => {
  for (let i = 0; i < 40; i++) await Promise.resolve();
};

describe('the player', () => {
  it('shows rows as they are recorded while it rests', async () => {
    const { player, recorded, shown, x } = open({ rows: 301 });
    player.extend(recorded, 0, 3);
    await player.seek(1.2345);
    expect(shown.at(-1)).toBeCloseTo(1.23, 12);
    expect(x()).toBeCloseTo(1.23 ** 2, 12);
    expect(2 * Math.atan2(player.poses[POSE_NUMBERS + 6], player.poses[POSE_NUMBERS + 3])).toBeCloseTo(
      3.69 - 2 * Math.PI + 2 * Math.PI,
      9,
    );
    await player.step(1);
    expect(x()).toBeCloseTo(1.24 ** 2, 12);
    await player.step(-3);
    expect(x()).toBeCloseTo(1.21 ** 2, 12);
    await player.step(-10_000);
    expect(x()).toBe(0);
  });

  it('knows the speed from the row before', async () => {
    const { player, trajectory, recorded } = open({ rows: 301 });
    player.extend(recorded, 0, 3);
    await player.seek(1.2);
    expect(trajectory.speed(1)).toBeCloseTo((1.2 ** 2 - 1.19 ** 2) / H, 9);
    await player.seek(0);
    expect(trajectory.speed(1)).toBeCloseTo(H, 9);
  });

  it('interpolates while it plays, and is on a row again when it pauses', async () => {
    const { player, recorded, picture, shown, x } = open({ rows: 301 });
    player.set({ speed: 0.1, follows: false });
    player.extend(recorded, 0, 3);
    await player.seek(1);
    player.play();
    await picture(0);
    await picture(0);
    await picture(33);
    expect(shown.at(-1)).toBeCloseTo(1.0033, 9);
    expect(x()).toBeCloseTo(1 + 0.33 * (1.01 ** 2 - 1), 9);
    player.pause();
    await settled();
    expect(shown.at(-1)).toBeCloseTo(1, 12);
    expect(x()).toBeCloseTo(1, 12);
  });

  it('waits for rows instead of leaving out a part of the motion, and reads ahead so that it need not', async () => {
    const { player, recorded, picture, shown, calls } = open({ rows: 5001 });
    player.set({ follows: false });
    player.extend(recorded, 0, 50);
    await player.seek(0);
    player.play();
    await picture(0);
    await picture(20);
    expect(shown.at(-1)).toBeCloseTo(0.02, 9);
    await settled();
    // The block that is shown and the two after it.
    const blocks = calls.filter(({ signals }) => signals.length > 1).map(({ firstRow }) => firstRow);
    expect([...new Set(blocks)]).toEqual([0, 512, 1024]);
    const reads = calls.length;
    await player.seek(40);
    await picture(40);
    // Nothing is loaded there: the clock stands until it is.
    expect(player.clock.time).toBe(40);
    expect(calls.length).toBeGreaterThan(reads);
    await settled();
    await picture(60);
    expect(shown.at(-1)).toBeCloseTo(40.02, 9);
  });

  it('reads every n-th row when it plays fast', async () => {
    const { player, recorded, picture, calls } = open({ rows: 100_001 });
    player.set({ speed: 100, follows: false });
    player.extend(recorded, 0, 1000);
    await player.seek(0);
    player.play();
    await picture(0);
    await picture(16);
    // 100 s a second are 167 rows a picture; 128 is the power of two below.
    expect(calls.some(({ every, signals }) => every === 128 && signals.length > 1)).toBe(true);
  });

  it('stops at the end, on its row', async () => {
    const { player, recorded, picture, shown, pictures, x } = open({ rows: 301 });
    player.extend(recorded, 0, 3);
    await player.seek(2.99);
    player.play();
    await picture(0);
    await picture(0);
    await picture(200);
    await settled();
    expect(player.clock.playing).toBe(false);
    expect(pictures).toHaveLength(0);
    expect(shown.at(-1)).toBeCloseTo(3, 12);
    expect(x()).toBeCloseTo(9, 12);
  });

  it('follows a run that goes on', async () => {
    const state = { rows: 11 };
    const { player, shown } = open(state);
    player.extend({ rows: 11, spacing: H }, 0, 0.1);
    await settled();
    expect(shown).toEqual([0.1]);
    state.rows = 51;
    player.extend({ rows: 51, spacing: H }, 0, 0.5);
    await settled();
    expect(shown.at(-1)).toBe(0.5);
    await player.seek(0.2);
    state.rows = 101;
    player.extend({ rows: 101, spacing: H }, 0, 1);
    await settled();
    expect(shown.at(-1)).toBe(0.2);
  });

  it('says what could not be read, and stops', async () => {
    const state = { rows: 301, fails: true };
    const { player, recorded, picture, failures, pictures } = open(state);
    player.set({ follows: false });
    player.extend(recorded, 0, 3);
    await settled();
    expect(failures).toHaveLength(1);
    player.play();
    await picture(0);
    await settled();
    expect(failures).toHaveLength(2);
    expect(player.clock.playing).toBe(false);
    expect(pictures).toHaveLength(0);
  });

  it('shows nothing any more when it is closed', async () => {
    const { player, recorded, picture, shown } = open({ rows: 301 });
    player.extend(recorded, 0, 3);
    const pending = player.seek(1);
    player.close();
    await pending;
    await picture(0);
    expect(shown).toEqual([]);
  });
});

describe('the reading of rows', () => {
  it('asks for no more signals at once than the contract allows', async () => {
    const bodies = Array.from({ length: 4000 }, (_, i) => planarBody(`b${i}`));
    const plan = posePlan(sceneOf(...bodies), new Set(bodies.flatMap(({ motion }) => motion?.signals ?? [])));
    const { dispatcher, calls } = recording({ rows: 5 });
    const trajectory = new Trajectory(dispatcher, 'run', plan, startPoses(sceneOf(...bodies)));
    const { times, columns } = await trajectory.readRows(plan.signals, 0, 5, 1);
    expect([times.length, columns.length]).toEqual([5, 12_000]);
    expect(calls.map(({ signals }) => signals.length)).toEqual([10_000, 2001]);
  });
});
