/** What a dashboard shows by itself, and how signals and examples are grouped. */
import { readdirSync, readFileSync } from 'node:fs';
import { readDocument } from '@engine/document/read';
import { reportDocument } from '@engine/preparation/report';
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SectionDocument, SignalInfo } from '@engine/document/types';
import { signalGroups } from '@renderer/dashboard/signals/signal-groups';
import { defaultViews, newView } from '@renderer/document/views';
import { viewKinds } from '@views/offers';
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

/** A model that takes sections. */
const modelWith = (...sections: SectionDocument[]): ModelDocument =>
  ({ systems: [], views: [], simulation: { sections } }) as unknown as ModelDocument;
const clock: SectionDocument = { id: 'clock', type: 'stroboscopic', period: 1 };

describe('the default dashboard', () => {
  it('of a first-order system shows its states and their portrait', () => {
    expect(defaultViews(modelWith(), circuit)).toEqual([
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
    expect(defaultViews(modelWith(), scalar)).toEqual([
      { type: 'time-series', id: 'time-series', signals: ['c.x', 'other.x'] },
      { type: 'time-series', id: 'multipliers', signals: ['d.lambda'] },
    ]);
  });

  it('of many parts shows rates and what acts in place of the portrait of one, units apart', () => {
    const parts = ['a', 'b', 'c'].flatMap((id) => [
      { ...signal(`${id}.q`, 'position'), unit: 'm' },
      { ...signal(`${id}.v`, 'velocity'), unit: 'm/s' },
    ]);
    const views = defaultViews(modelWith(), [
      time,
      ...parts,
      { ...signal('k.lambda', 'multiplier'), unit: 'N' },
      { ...signal('k.impulse', 'impulse'), unit: 'N s' },
      { ...signal('u1', 'observable'), unit: 'V' },
      { ...signal('u2', 'observable'), unit: 'V' },
      { ...signal('i', 'observable'), unit: 'A' },
    ]);
    expect(views.map((view) => [view.id, 'signals' in view ? view.signals.join(' ') : ''])).toEqual([
      ['time-series', 'a.q b.q c.q i'],
      ['velocities', 'a.v b.v c.v'],
      ['multipliers', 'k.lambda'],
      ['observables', 'u1 u2'],
    ]);
    // A further one shows what none shows yet.
    const further = newView('time-series', { ...modelWith(), views: views.slice(0, 2) }, [
      time,
      ...parts,
      signal('k.lambda', 'multiplier'),
    ]);
    expect(further).toMatchObject({ signals: ['k.lambda'] });
  });

  it('of every model of the gallery shows something that can be read', () => {
    for (const file of readdirSync('resources/examples').filter((name) => name.endsWith('.moreau.json'))) {
      const { document } = readDocument(readFileSync(`resources/examples/${file}`, 'utf8'));
      if (document === null) throw new Error(`${file} cannot be opened`);
      const { signals } = reportDocument(document);
      // A builder script that has not run leaves nothing to choose from.
      if (signals.length < 2) continue;
      const known = new Map(signals.map(({ name, unit }) => [name, unit]));
      for (const view of defaultViews(document, signals)) {
        const names =
          'signals' in view ? view.signals : 'x' in view ? [view.x, ...('y' in view ? [view.y] : [])] : [];
        expect(names.length, `${file} ${view.id}`).toBeGreaterThan(0);
        expect(names.length).toBeLessThanOrEqual(4);
        expect(new Set(names).size).toBe(names.length);
        expect(new Set(names.map((name) => known.get(name))).size, `${file} ${view.id}`).toBeLessThanOrEqual(
          2,
        );
        expect(names.every((name) => known.has(name))).toBe(true);
      }
    }
  });

  it('prefers a position with its velocity', () => {
    const both = [...circuit, signal('m.q', 'position'), signal('m.v', 'velocity')];
    expect(defaultViews(modelWith(), both)[1]).toMatchObject({ x: 'm.q', y: 'm.v' });
  });
});

describe('every kind of view', () => {
  it.each(viewKinds.map(({ type }) => type))('begins with what the model has: %s', (type) => {
    const view = newView(type, { ...modelWith(clock), views: [{ type: 'animation', id: type }] }, circuit);
    expect(view).toMatchObject({ type, id: `${type}-2` });
    if ('x' in view) expect(view.x).toBe('c.x[0]');
    if ('x' in view && 'y' in view) expect(view.y).toBe('c.x[1]');
  });

  it('shows the sections of the model, each once', () => {
    const hits: SectionDocument = { id: 'hits', type: 'impact', contact: 'd' };
    const views = defaultViews(modelWith(clock, hits), circuit);
    expect(views.slice(2)).toEqual([
      { type: 'section', id: 'section-clock', section: 'clock', x: 'c.x[0]', y: 'c.x[1]' },
      { type: 'section', id: 'section-hits', section: 'hits', x: 'c.x[0]', y: 'c.x[1]' },
    ]);
    expect(
      newView('section', { ...modelWith(clock, hits), views: views.slice(0, 3) }, circuit),
    ).toMatchObject({
      section: 'hits',
    });
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
