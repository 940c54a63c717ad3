/** Opening texts: whatever is in them, an answer with a place and a remedy, and never an exception. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import { MAX_ELEMENTS } from '@engine/document/structure';
import { expectComplete } from './support/issues';
import { changedText as text, EXAMPLES, example, exampleText } from './support/models';

interface Old {
  simulation: { integrator?: unknown };
}

describe('valid texts', () => {
  it.each(EXAMPLES)('the example %s opens without an issue', (name) => {
    const { document, issues, migratedFrom } = readDocument(exampleText(name));
    expect(issues).toEqual([]);
    expect(document?.formatVersion).toBe(3);
    expect(migratedFrom).toBeUndefined();
  });

  it('may leave out sections that hold nothing', () => {
    const { document, issues } = readDocument(
      text((d) => {
        for (const key of ['parameters', 'observables', 'scripts', 'views', 'layout']) delete d[key];
      }),
    );
    expect(issues).toEqual([]);
    expect(document).toMatchObject({
      parameters: [],
      observables: [],
      scripts: [],
      views: [],
      layout: { nodes: {} },
    });
  });
});

describe('a text of format 2', () => {
  const old = readFileSync(new URL('../fixtures/format-2.moreau.json', import.meta.url), 'utf8');

  it('opens as the same model in the present format', () => {
    const { document, issues, migratedFrom } = readDocument(old);
    expect(issues).toEqual([]);
    expect(migratedFrom).toBe(2);
    expect(document).toEqual(example('diode-bridge'));
  });
});

describe('a text of format 1', () => {
  const old = readFileSync(new URL('../fixtures/format-1.moreau.json', import.meta.url), 'utf8');

  it('opens as the same model in the present format', () => {
    const { document, issues, migratedFrom } = readDocument(old);
    expect(issues).toEqual([]);
    expect(migratedFrom).toBe(1);
    // The example has been written in format 3 since; nothing but the integrator moved.
    expect(document).toEqual(example('cam-follower-relative-660'));
    expect(document?.simulation.integrators).toEqual([{ type: 'MoreauJean', theta: 0.5, forecast: 0.5 }]);
    expect(document?.simulation).not.toHaveProperty('integrator');
  });

  it.each([
    ['without an integrator', (d: Old) => delete d.simulation.integrator, '/simulation/integrators'],
    [
      'with an integrator that is none',
      (d: Old) => (d.simulation.integrator = 3),
      '/simulation/integrators/0',
    ],
    [
      'with an integrator of no known type',
      (d: Old) => (d.simulation.integrator = { type: 'Nothing' }),
      '/simulation/integrators/0/type',
    ],
  ])('%s is opened, and the defect is placed', (_, change, pointer) => {
    const changed = JSON.parse(old) as Old;
    change(changed);
    const { document, issues } = readDocument(JSON.stringify(changed));
    expect(document).not.toBeNull();
    expectComplete(issues);
    expect(issues.map((issue) => issue.pointer)).toContain(pointer);
  });

  it('without a simulation is refused as any other', () => {
    const { document, issues } = readDocument('{"formatVersion": 1, "simulation": null}');
    expect(document).toBeNull();
    expect(issues[0]).toMatchObject({ code: 'wrong-section', pointer: '/simulation' });
  });
});

describe('texts that are not a model', () => {
  const whole = exampleText('cam-follower-358');
  const cuts = Array.from({ length: Math.ceil(whole.length / 97) }, (_, k) => 97 * k);

  it('cut at every 97th character say so, with the place', () => {
    for (const cut of cuts) {
      const { document, issues } = readDocument(whole.slice(0, cut));
      expect(document).toBeNull();
      expect(issues).toHaveLength(1);
      expect(issues[0].code).toBe('not-json');
      expect(issues[0].message).toMatch(/line \d+, column \d+/);
      expectComplete(issues);
      const kept = whole.slice(0, cut).trimEnd();
      expect(issues[0].message).toContain(`line ${kept.split('\n').length},`);
      expect(issues[0].message).toContain('incomplete');
    }
  });

  it.each([
    ['a NaN literal', whole.replace('"value": 358', '"value": NaN'), 12],
    ['a trailing comma', whole.replace('"formatVersion": 3,', '"formatVersion": 3,,'), 2],
    ['single quotes', whole.replace('"title"', "'title'"), 3],
    ['a comment', whole.replace('"title"', '// title\n"title"'), 3],
  ])('%s is placed at its line', (_, broken, line) => {
    const { document, issues } = readDocument(broken);
    expect(document).toBeNull();
    expect(issues[0]).toMatchObject({ code: 'not-json' });
    expect(issues[0].message).toContain(`line ${line},`);
    expect(issues[0].message).not.toContain('incomplete');
    expectComplete(issues);
  });

  it.each(['null', 'true', '42', '"model"', '[]', '[{}]'])('%s is no object', (broken) => {
    const { document, issues } = readDocument(broken);
    expect(document).toBeNull();
    expect(issues[0]).toMatchObject({ code: 'not-an-object', pointer: '' });
    expectComplete(issues);
  });

  it.each([
    '{}',
    '{"formatVersion": "1"}',
    '{"formatVersion": 0}',
    '{"formatVersion": 1.5}',
    '{"formatVersion": null}',
  ])('%s has no format version', (broken) => {
    const { document, issues } = readDocument(broken);
    expect(document).toBeNull();
    expect(issues[0]).toMatchObject({ code: 'no-format-version', pointer: '/formatVersion' });
    expectComplete(issues);
  });

  it('of a newer format ask for a newer program', () => {
    const { document, issues } = readDocument(text((d) => (d.formatVersion = 7)));
    expect(document).toBeNull();
    expect(issues[0]).toMatchObject({ code: 'newer-format', pointer: '/formatVersion' });
    expect(issues[0].message).toContain('format 7');
    expectComplete(issues);
  });

  it.each(['', ' ', '\n', '\uFEFF{}', '{"a":1}{"b":2}', '\u0000', '[['.repeat(20_000)])(
    '%j never throws',
    (broken) => {
      const { document, issues } = readDocument(broken);
      expect(document).toBeNull();
      expectComplete(issues);
    },
  );
});

describe('wrong sections', () => {
  it.each(['parameters', 'systems', 'interactions', 'observables', 'scripts', 'views'])(
    '%s must be a list',
    (key) => {
      for (const value of [null, 3, 'x', {}]) {
        const { document, issues } = readDocument(text((d) => (d[key] = value)));
        expect(document).toBeNull();
        expect(issues[0]).toMatchObject({ code: 'wrong-section', pointer: `/${key}` });
        expectComplete(issues);
      }
      for (const entry of [null, 3, 'x', []]) {
        const { document, issues } = readDocument(text((d) => (d[key] = [{}, entry])));
        expect(document).toBeNull();
        expect(issues[0]).toMatchObject({ code: 'wrong-section', pointer: `/${key}/1` });
        expectComplete(issues);
      }
    },
  );

  it.each(['simulation', 'layout'])('%s must be an object', (key) => {
    for (const value of [3, 'x', []]) {
      const { document, issues } = readDocument(text((d) => (d[key] = value)));
      expect(document).toBeNull();
      expect(issues[0]).toMatchObject({ code: 'wrong-section', pointer: `/${key}` });
      expectComplete(issues);
    }
  });

  it('a missing simulation is reported', () => {
    const { document, issues } = readDocument(text((d) => delete d.simulation));
    expect(document).toBeNull();
    expect(issues[0]).toMatchObject({ code: 'wrong-section', pointer: '/simulation' });
  });

  it('two million systems are refused without looking at each', () => {
    const crowd = `{"formatVersion": 3, "title": "x", "systems": [${'{},'.repeat(1_999_999)}{}], "simulation": {}}`;
    const { document, issues } = readDocument(crowd);
    expect(document).toBeNull();
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ code: 'too-many-elements', pointer: '/systems' });
    expect(issues[0].message).toContain('2000000');
    expect(issues[0].message).toContain(String(MAX_ELEMENTS));
    expectComplete(issues);
  });
});
