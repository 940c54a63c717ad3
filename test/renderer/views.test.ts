/** What a dashboard shows by itself, and how signals and examples are grouped. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SignalInfo } from '@engine/document/types';
import { signalGroups } from '@renderer/dashboard/signal-groups';
import { defaultViews } from '@renderer/document/views';
import { exampleGroups } from '@renderer/shell/example-groups';

const signal = (name: string, kind: SignalInfo['kind'], element = name.split('.')[0]): SignalInfo => ({
  name,
  kind,
  unit: '',
  description: name,
  ...(element === undefined ? {} : { element }),
});
const time: SignalInfo = { name: 't', unit: 's', kind: 'time', description: 'Time' };
const circuit = [
  time,
  signal('c.x[0]', 'state'),
  signal('c.x[1]', 'state'),
  signal('d.y', 'output'),
  signal('d.lambda', 'multiplier'),
];

describe('the default dashboard', () => {
  it('of a first-order system shows its states and their portrait', () => {
    expect(defaultViews(circuit)).toEqual([
      { type: 'time-series', id: 'time-series', signals: ['c.x[0]', 'c.x[1]'] },
      { type: 'phase-portrait', id: 'phase-portrait', x: 'c.x[0]', y: 'c.x[1]' },
    ]);
  });

  it('of a single state shows the multipliers that act on it', () => {
    const scalar = [
      time,
      signal('c.x', 'state'),
      signal('other.x', 'state'),
      signal('d.lambda', 'multiplier'),
    ];
    expect(defaultViews(scalar)).toEqual([
      { type: 'time-series', id: 'time-series', signals: ['c.x', 'other.x'] },
      { type: 'time-series', id: 'multipliers', signals: ['d.lambda'] },
    ]);
  });

  it('prefers a position with its velocity', () => {
    const both = [...circuit, signal('m.q', 'position'), signal('m.v', 'velocity')];
    expect(defaultViews(both)[1]).toMatchObject({ x: 'm.q', y: 'm.v' });
  });
});

describe('groups', () => {
  it('of signals leave none out and cut each group by itself', () => {
    const groups = signalGroups(circuit, 1);
    expect(groups.map(({ group, signals }) => [group, signals.map(({ name }) => name)])).toEqual([
      ['states', ['c.x[0]']],
      ['outputs', ['d.y']],
      ['multipliers', ['d.lambda']],
      ['time', ['t']],
    ]);
    expect(signalGroups(circuit, 10).flatMap(({ signals }) => signals)).toHaveLength(circuit.length);
  });

  it('of examples hold every example that comes with the program, under a field of its own', () => {
    const names = readdirSync('resources/examples')
      .filter((file) => file.endsWith('.moreau.json'))
      .map((file) => file.replace('.moreau.json', ''));
    const examples = names.map((name) => ({ name, title: name, description: '', references: [] }));
    const groups = exampleGroups(examples);
    expect(groups.map(({ group }) => group)).not.toContain('other');
    expect(groups.flatMap((group) => group.examples.map(({ name }) => name)).sort()).toEqual(names.sort());
  });

  it('of examples show one that is not known among the others', () => {
    const stranger = { name: 'stranger', title: 'Stranger', description: '', references: [] };
    expect(exampleGroups([stranger])).toEqual([{ group: 'other', examples: [stranger] }]);
  });
});
