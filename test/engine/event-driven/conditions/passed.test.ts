/** Runs in steps say where a condition of time may have been passed over: what is green is right. */
import { describe, expect, it } from 'vitest';
import { judgedAccuracy } from '@contract/verdict';
import { measureAccuracy } from '@engine/analysis/accuracy/measure';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { example } from '../../support/models';
import { seeded } from '../../support/random';
import { type Run, run, start } from '../../support/run';
import { atLeast, sample } from '../../../support/prove';
import { randomSource } from './random-sources';
import { documentOf, last, type Settings, source } from './support';

const ALL = 600;
const cases = (): number => sample(24, ALL);
const sandbox = (): ReturnType<typeof createSandbox> => createSandbox();

const driven = (text: string, settings: Settings, head = ''): ModelDocument =>
  documentOf({
    systems: [source([0], { b: { function: 'f' } })],
    parameters: [{ name: 'size', value: 1e4 }],
    script: `${head}\nexport const f: TimeVector = (t, out, p) => { out[0] = ${text}; };`,
    simulation: { scheme: 'time-stepping', ...settings },
  });

const stepped = (text: string, settings: Settings): Run => run(driven(text, settings), { sandbox });

describe('a run in steps', () => {
  it('is not complete where a pulse is narrower than a step, and names it', () => {
    const pulse = 't > 20 && t < 20.1 ? p.size : 0';
    const passing = stepped(pulse, { tEnd: 40, h: 1 });
    const { session } = passing;
    expect(last(passing, 'c.x')).toBe(0);
    expect(session.complete).toBe(false);
    expect(session.warnings.join()).toMatch(/“c”.*t = 20 s.*t = 20.1 s.*step of 1 s.*“t < 20.1”.*line 2/);
    expect(stepped(pulse, { tEnd: 40, h: 0.05 }).session.complete).toBe(true);
  });

  it('is not complete where a table has a tip between two steps', () => {
    const text = 'Math.max(0, 1 - Math.abs(t - 3.3) / 0.02)';
    expect(stepped(text, { tEnd: 5, h: 0.1 }).session.complete).toBe(false);
    expect(stepped(text, { tEnd: 5, h: 0.01 }).session.complete).toBe(true);
  });

  it('is complete where changes are a step apart, or are at one time', () => {
    expect(stepped('t % 0.1 < 0.05 ? 1 : -1', { tEnd: 5, h: 0.05 }).session.complete).toBe(true);
    expect(stepped('(t > 2 ? 1 : 0) + (t >= 2 ? 1 : 0)', { tEnd: 5, h: 0.05 }).session.complete).toBe(true);
    expect(stepped('Math.abs(Math.sin(3 * t))', { tEnd: 20, h: 0.05 }).session.complete).toBe(true);
    expect(stepped('Math.abs(Math.sin(3 * t))', { tEnd: 20, h: 2 }).session.complete).toBe(false);
  });

  it('sees the pulse of a branch that the state takes later', () => {
    const document = (x0: number): ModelDocument =>
      documentOf({
        systems: [{ id: 'c', type: 'FirstOrderNonLinear', n: 1, x0: [x0], f: { function: 'f' } }],
        script:
          'export const f: Rate = (t, x, out, p) => { out[0] = x[0] > 5 && t > 15 && t < 15.01 ? 100 : 1; };',
        simulation: { scheme: 'time-stepping', tEnd: 20, h: 0.1 },
      });
    expect(run(document(0), { sandbox }).session.complete).toBe(false);
    expect(run(document(-20), { sandbox }).session.complete).toBe(true);
  });

  it('stays incomplete when a parameter changes on the way', () => {
    const started = start(driven('t > 1 && t < 1.05 ? p.size : 0', { tEnd: 4, h: 0.1 }), { sandbox });
    started.session.advance(20);
    expect(started.session.complete).toBe(false);
    expect(started.session.change({ size: 1 })).toBeNull();
    started.session.advance(Infinity);
    expect(started.session.complete).toBe(false);
  });

  it('looks at loads of 3D bodies and at what is prescribed to them', () => {
    const pushed = (width: number): Run => {
      const document = structuredClone(example('brick-shaken'));
      document.scripts[0].source = [
        'export const pull: ExternalForce = (t, out, p) => {',
        `  out[0] = t > 1 && t < 1 + ${width} ? p.F : 0;`,
        '};',
      ];
      return run(document, { sandbox, tEnd: 1.5 });
    };
    expect(pushed(1e-4).session.complete).toBe(false);
    expect(pushed(0.2).session.complete).toBe(true);
    // Two bodies that are each pushed once, one a little after the other.
    const two = structuredClone(example('brick-shaken'));
    const brick = two.systems.find(({ id }) => id === 'brick');
    two.systems.push({ ...structuredClone(brick), id: 'other', force: { function: 'later' } } as never);
    two.scripts[0].source = [
      'export const pull: ExternalForce = (t, out, p) => { out[0] = t > 1 ? p.F : 0; };',
      'export const later: ExternalForce = (t, out, p) => { out[0] = t > 1.0001 ? p.F : 0; };',
    ];
    expect(run(two, { sandbox, tEnd: 1.1 }).session.complete).toBe(true);
    expect(run(structuredClone(example('diver')), { sandbox, h: 0.5 }).session.complete).toBe(false);
  });

  it('is right where it is complete and accurate, with random sources of time and steps', () => {
    const random = seeded(20261127);
    let green = 0;
    let red = 0;
    const off: string[] = [];
    for (let k = 0; k < cases(); k++) {
      const { head, text, integral } = randomSource(() => random.uniform(0, 1));
      const h = [0.004, 0.02, 0.1][k % 3];
      const document = driven(text, { tEnd: 10, h }, head);
      const { session, column } = run(document, { sandbox });
      const measured = measureAccuracy({ document }, sandbox, true);
      if (!measured.ok) throw new Error(measured.message);
      const { accuracy } = measured;
      const [found] = accuracy.signals;
      if (session.complete !== true || judgedAccuracy({ state: 'measured', accuracy }) !== 'holds') {
        red++;
        continue;
      }
      green++;
      const error = Math.abs((column('c.x').at(-1) ?? Number.NaN) - integral(session.time));
      // Sums over steps of a source that jumps are off by more or less than those over half as long ones, as
      // if by lot.
      if (error > Math.max(found.limit, 10 * (found.error ?? 0)) + 1e-9)
        off.push(`${text}, h ${h}: ${error}`);
      expect(error, `${text}, h ${h}: ${JSON.stringify(accuracy)}`).toBeLessThanOrEqual(
        10 * found.limit + 1e-9,
      );
    }
    expect(off.length, off.join('\n')).toBeLessThanOrEqual(Math.ceil(0.05 * green));
    expect(green).toBeGreaterThanOrEqual(atLeast(ALL / 8, cases(), ALL));
    expect(red).toBeGreaterThanOrEqual(atLeast(ALL / 5, cases(), ALL));
  });
});
