/** The certificate over the time of a run. */
import { describe, expect, it } from 'vitest';
import { CERTIFICATE_COLUMNS, CertificateHistory } from '@engine/certificate/history';
import { createSandbox } from '@engine/script/sandbox';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun, type RunSession } from '@engine/run/session';
import { example } from './support/models';

const COLUMNS = CERTIFICATE_COLUMNS.length;
const column = (rows: Float64Array, which: (typeof CERTIFICATE_COLUMNS)[number]): number[] => {
  const at = CERTIFICATE_COLUMNS.indexOf(which);
  return Array.from({ length: rows.length / COLUMNS }, (_, k) => rows[k * COLUMNS + at]);
};

describe('stretches of the certificate', () => {
  it('keep every maximum, however many moves there are', () => {
    const history = new CertificateHistory();
    const values = Array.from({ length: 5000 }, (_, k) => Math.abs(Math.sin(k * k)));
    values[1234] = 7;
    values.forEach((value, k) => history.take(k + 1, k + 1, Float64Array.of(value, 2 * value, 0), null));
    const rows = history.rows;
    const times = column(rows, 'time');
    expect(times.length).toBeLessThanOrEqual(513);
    expect(times.at(-1)).toBe(5000);
    times.forEach((until, k) => {
      const inside = values.slice(times[k - 1] ?? 0, until);
      expect(column(rows, 'dynamics')[k]).toBe(Math.max(...inside));
      expect(column(rows, 'complementarity')[k]).toBe(2 * Math.max(...inside));
    });
    expect(column(rows, 'energyDrift').every(Number.isNaN)).toBe(true);
  });

  it('do not hide what is not a number', () => {
    const history = new CertificateHistory();
    for (let k = 1; k <= 2000; k++) history.take(k, k, Float64Array.of(k === 3 ? NaN : 1, 0, 0), 0);
    expect(column(history.rows, 'dynamics')[0]).toBeNaN();
  });
});

function session(
  name: string,
  options: { keepsHistory?: boolean; scheme?: 'event-driven' } = {},
): RunSession {
  const { keepsHistory = false, ...rest } = options;
  const prepared = prepareRun(
    { document: example(name), ...rest },
    { sandbox: createSandbox, sink: new MemoryChunks(), keepsHistory },
  );
  if (!prepared.ok) throw new Error(prepared.error.message);
  return prepared.session;
}

describe.each([
  ['bouncing-ball', {}],
  ['bouncing-ball', { scheme: 'event-driven' as const }],
  ['box-stack', {}],
  ['rlcd-circuit', {}],
])('the certificate of %s over time', (name, options) => {
  const whole = session(name, options);
  whole.advance(Number.MAX_SAFE_INTEGER);
  const rows = whole.certificateOverTime;

  it('has the worst of the run as its worst', () => {
    const { dynamics, complementarity, coneViolation } = whole.certificate;
    expect(Math.max(...column(rows, 'dynamics'))).toBe(dynamics);
    expect(Math.max(...column(rows, 'complementarity'))).toBe(complementarity);
    expect(Math.max(...column(rows, 'coneViolation'))).toBe(coneViolation);
    expect(column(rows, 'time').at(-1)).toBeCloseTo(whole.time, 12);
  });

  it('does not depend on the slices in which the run was computed', () => {
    const sliced = session(name, options);
    for (let size = 1; sliced.advance(size) === 'running';) size = (size * 7) % 61;
    expect(sliced.certificateOverTime).toEqual(rows);
    expect(sliced.certificate).toEqual(whole.certificate);
  });
});

it('goes back with the run, and on with the same bits', () => {
  const run = session('bouncing-ball', { keepsHistory: true });
  run.advance(3000);
  const before = run.certificateOverTime;
  run.advance(4000);
  run.goBack(3000);
  while (run.moves < 3000) run.advance(3000 - run.moves);
  expect(column(run.certificateOverTime, 'time').at(-1)).toBe(column(before, 'time').at(-1));
  run.advance(Number.MAX_SAFE_INTEGER);
  const whole = session('bouncing-ball');
  whole.advance(Number.MAX_SAFE_INTEGER);
  // Stretches that were closed later than the run went back to are those of a run that never did.
  expect(column(run.certificateOverTime, 'time')).toEqual(column(whole.certificateOverTime, 'time'));
  expect(column(run.certificateOverTime, 'dynamics')).toEqual(column(whole.certificateOverTime, 'dynamics'));
});
