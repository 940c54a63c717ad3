import type { SignalInfo } from '@engine/document/types';
import { atMoment, spaceStates } from '@renderer/graph/live/live-space';
import { describe, expect, it } from 'vitest';
import { type ContactState, liveSignals, liveState, namesOf } from '@renderer/graph/live/live';

const signal = (name: string, kind: SignalInfo['kind'], unit = ''): SignalInfo => ({
  name,
  kind,
  unit,
  element: name.split('.')[0] ?? '',
  description: '',
});

const SIGNALS = [
  signal('ball.q', 'position', 'm'),
  signal('floor.gap', 'gap', 'm'),
  signal('floor.gapVelocity', 'gapVelocity', 'm/s'),
  signal('floor.impulse', 'impulse', 'N s'),
  signal('other.gap', 'gap', 'm'),
];

describe('live state of a node', () => {
  const found = liveSignals(SIGNALS, new Set(['ball', 'floor']));
  const at = (gap: number, rate: number, impulse: number) =>
    liveState(
      found.get('floor')!,
      new Map([
        ['floor.gap', gap],
        ['floor.gapVelocity', rate],
        ['floor.impulse', impulse],
      ]),
    );

  it('is read from the signals of the nodes that are looked at', () => {
    expect([...found.keys()]).toEqual(['ball', 'floor']);
    expect(namesOf(found.values())).toEqual(['ball.q', 'floor.gap', 'floor.gapVelocity', 'floor.impulse']);
  });

  it('is open, closed, or closed for good', () => {
    expect(at(0.3, -1, 0)).toMatchObject({ contact: 'open', indexSet: 0 });
    expect(at(0, 2, 4)).toMatchObject({ contact: 'closed', indexSet: 1, figure: 'P 4 N s' });
    expect(at(-1e-9, 0, 0.0098)).toMatchObject({ contact: 'closed', indexSet: 2 });
  });

  it('is absent while its condition does not hold, whatever its gap is', () => {
    const signals = [...SIGNALS, signal('floor.present', 'presence')];
    const [floor] = liveSignals(signals, new Set(['floor'])).values();
    const of = (present: number) =>
      liveState(
        floor,
        new Map([
          ['floor.gap', -1],
          ['floor.present', present],
        ]),
      );
    expect(namesOf([floor])).toContain('floor.present');
    expect(of(0)).toEqual({ contact: 'absent', indexSet: null, figure: '' });
    expect(of(1)?.contact).toBe('closed');
  });

  it('is the coordinates of a system, and nothing where no value is known', () => {
    expect(liveState(found.get('ball')!, new Map([['ball.q', 0.5]]))?.figure).toBe('q 0.5 m');
    expect(liveState(found.get('ball')!, new Map())).toBeNull();
  });
});

describe('contacts in space', () => {
  it('are open without an overlap unless one of them is closed', () => {
    const signals = [
      signal('ground.contacts', 'output'),
      signal('ground.overlap', 'gap', 'm'),
      signal('ground.normalImpulse', 'impulse', 'N s'),
      signal('ground.slip', 'gapVelocity', 'm/s'),
    ];
    const [found] = liveSignals(signals, new Set(['ground'])).values();
    const at = (...values: number[]) =>
      liveState(found, new Map(signals.map(({ name }, k) => [name, values[k] ?? 0])));
    expect(at(0, 0, 0, 0)).toMatchObject({ contact: 'open', indexSet: 0 });
    expect(at(1, 0, 2, 0)).toMatchObject({ contact: 'sticking', figure: 'P 2 N s' });
    expect(at(1, 1e-3, 2, 1)).toMatchObject({ contact: 'sliding' });
  });

  const contact = (impulse: readonly [number, number, number], friction: number, interactionOf: number) => ({
    impulse,
    friction,
    interactionOf,
  });

  it('are gathered by their interactions: open, closed, sliding at the bound of friction, sticking below it', () => {
    const all = [
      contact([0, 0, 2], 0, 0),
      contact([0, 0, 3], 0, 0),
      contact([0.6, 0.8, 2], 0.5, 1),
      contact([0, 0, 2], 0.5, 1),
      contact([0.1, 0, 2], 0.5, 2),
      contact([0, 0, 0], 0.5, 3),
    ];
    const states = spaceStates({
      count: all.length,
      normals: Float64Array.from(all.flatMap(() => [0, 0, 1])),
      impulses: Float64Array.from(all.flatMap(({ impulse }) => impulse)),
      frictions: Float64Array.from(all.map(({ friction }) => friction)),
      interactions: ['ice', 'slope', 'table', 'air'],
      interactionOf: Uint32Array.from(all.map(({ interactionOf }) => interactionOf)),
    });
    expect([...states].map(([id, { contact: state }]) => `${id} ${state}`)).toEqual([
      'ice closed',
      'slope sliding',
      'table sticking',
      'air open',
    ]);
    expect(states.get('ice')?.figure).toBe('2×  P 5 N·s');
  });

  it('slide by their impulse, where a step leaves a velocity behind', () => {
    const of = (contact: ContactState, figure: string) => ({ contact, indexSet: 1 as const, figure });
    const recorded = of('sliding', 'P 2 N s');
    expect(atMoment(recorded, of('sticking', '1×'))).toEqual(of('sticking', 'P 2 N s'));
    expect(atMoment(recorded, of('sliding', '1×'))).toEqual(recorded);
    expect(atMoment(recorded, of('open', ''))).toEqual(recorded);
    expect(atMoment(recorded, undefined)).toBe(recorded);
    expect(atMoment(undefined, recorded)).toBe(recorded);
    const open = of('open', '');
    expect(atMoment(open, recorded)).toBe(open);
  });
});
