/** Networks of hundreds to thousands of components by steps with sparse matrices: against dense ones. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { prepareRun } from '@engine/run/session';
import { createSandbox } from '@engine/script/sandbox';
import { MemoryChunks } from '@engine/recording/chunks';
import { sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';
import { run, start } from '../support/run';
import { drawn, type Part } from './drawn';

const sandbox = (): ReturnType<typeof createSandbox> => createSandbox();

/** Resistors, capacitors and diodes in a row: three components for each section. */
function ladder(components: number): Part[] {
  const parts: Part[] = [['V1', 'VoltageSource', ['n0', '0'], { voltage: '-10*sin(2000*pi*t)' }]];
  for (let k = 1; 3 * k + 1 <= components; k++)
    parts.push(
      [`R${k}`, 'Resistor', [`n${k - 1}`, `n${k}`], { resistance: 10 }],
      [`C${k}`, 'Capacitor', [`n${k}`, '0'], { capacitance: 1e-6 }],
      [`D${k}`, 'Diode', ['0', `n${k}`]],
    );
  return parts;
}

/** Two thirds of the nodes have a capacitor; what joins them is drawn by lot. */
function randomNetwork(random: Random, nodes: number): Part[] {
  const parts: Part[] = [['V1', 'VoltageSource', ['n0', '0'], { voltage: '-10*sin(2000*pi*t)' }]];
  for (let k = 1; k <= nodes; k++) {
    const [from, to] = [`n${Math.max(0, k - random.integer(1, 3))}`, `n${k}`];
    const resistance = 10 ** random.uniform(0, 3);
    parts.push([`R${k}`, 'Resistor', [from, to], { resistance }]);
    if (random.chance(0.67))
      parts.push([`C${k}`, 'Capacitor', [to, '0'], { capacitance: 10 ** random.uniform(-7, -5) }]);
    else parts.push([`G${k}`, 'Resistor', [to, '0'], { resistance: 100 * resistance }]);
    if (random.chance(0.5))
      parts.push([`D${k}`, 'Diode', random.chance(0.5) ? [from, to] : ['0', to], { forwardVoltage: 0.1 }]);
    else if (random.chance(0.4))
      parts.push([
        `S${k}`,
        'Switch',
        [to, `n${random.integer(0, k - 1)}`],
        { gate: `t mod 2e-4 < ${(k % 7) + 1}e-5` },
      ]);
    if (random.chance(0.2))
      parts.push([`L${k}`, 'Inductor', [from, to], { inductance: 10 ** random.uniform(-4, -2) }]);
  }
  return parts;
}

/** Rows of states and multipliers, without those of components. */
function rows(document: ModelDocument, solver: string): { columns: Float64Array[]; names: string[] } {
  const { simulation } = document;
  const { column, session } = run(
    { ...document, simulation: { ...simulation, solver: { type: solver } } },
    { sandbox },
  );
  expect(session.certificate.dynamics).toBeLessThan(1e-8);
  expect(session.certificate.complementarity).toBeLessThan(1e-8);
  // Only steps with sparse matrices form factors again where a diode changes.
  expect(session.counters.factorisations > 1).toBe(solver === 'auto');
  const names = session.signals.map(({ name }) => name).filter((name) => name.startsWith('circuit.x'));
  return { names, columns: names.map(column) };
}

describe('large networks', () => {
  it('go as those of dense matrices do', () => {
    const random = seeded(5);
    for (let k = 0; k < sample(1, 40); k++) {
      const document = drawn(randomNetwork(random, 420), { h: 1e-5, tEnd: 2e-4 });
      const [sparse, dense] = [rows(document, 'auto'), rows(document, 'Lemke')];
      expect(sparse.names).toEqual(dense.names);
      expect(sparse.names.length).toBeGreaterThan(257);
      sparse.columns.forEach((column, i) => {
        const largest = dense.columns[i].reduce((most, value) => Math.max(most, Math.abs(value)), 1e-3);
        column.forEach((value, row) =>
          expect(
            Math.abs(value - dense.columns[i][row]) / largest,
            `${k} ${sparse.names[i]} ${row}`,
          ).toBeLessThan(1e-8),
        );
      });
    }
  });

  it('of ten thousand components take steps that are linear in their number', () => {
    const work = [2500, 10_000].map((components) => {
      const { session } = start(drawn(ladder(components), { h: 1e-5, tEnd: 2e-4 }), { sandbox });
      expect(session.advance(1000)).toBe('done');
      const { certificate, counters } = session;
      expect(certificate.dynamics).toBeLessThan(1e-8);
      expect(certificate.complementarity).toBeLessThan(1e-8);
      // The factors last while no diode changes; each change of some is one more.
      expect(counters.factorisations).toBeLessThan(20);
      return counters.solverIterations;
    });
    expect(work[1]).toBeLessThan(2 * work[0]);
  });

  it('are refused from event to event, with a reason', () => {
    const document = drawn(ladder(6100), { h: 1e-5, tEnd: 1e-4 });
    const prepared = prepareRun(
      { document: { ...document, simulation: { ...document.simulation, scheme: 'event-driven' } } },
      { sandbox, sink: new MemoryChunks() },
    );
    expect(prepared.ok).toBe(false);
    if (prepared.ok) return;
    expect(prepared.error.code).toBe('model-too-large');
    expect(prepared.error.remedy).toContain('time-stepping');
  });

  it('go on with the same bits', () => {
    const document = drawn(randomNetwork(seeded(9), 420), { h: 1e-5, tEnd: 4e-4 });
    const whole = start(document, { sandbox });
    whole.session.advance(20);
    const { state } = whole.session;
    whole.session.advance(20);
    const rest = start(document, { sandbox, from: { time: state.time, state } });
    rest.session.advance(20);
    for (const name of ['circuit.x[3]', 'circuit.x[200]', 'D5.i'])
      if (whole.session.signals.some((signal) => signal.name === name))
        expect(rest.column(name).at(-1), name).toBe(whole.column(name).at(-1));
    expect(rest.session.time).toBe(whole.session.time);
    expect(rest.session.certificate).toEqual(whole.session.certificate);
  });

  it('keep nodes where resistors would fill in, and Kirchhoff’s laws', () => {
    const nodes = 700;
    const parts: Part[] = [['V1', 'VoltageSource', ['n0', '0'], { voltage: '-10*sin(2000*pi*t)' }]];
    for (let k = 1; k <= nodes; k++)
      parts.push(
        [`R${k}`, 'Resistor', [`n${k - 1}`, `n${k}`], { resistance: 10 }],
        [`G${k}`, 'Resistor', [`n${k}`, '0'], { resistance: 1000 }],
        [`D${k}`, 'Diode', k % 2 === 0 ? ['0', `n${k}`] : [`n${k}`, '0'], { forwardVoltage: 0.5 }],
      );
    const { column, session } = run(drawn(parts, { h: 1e-5, tEnd: 1e-4 }), { sandbox });
    expect(session.certificate.complementarity).toBeLessThan(1e-8);
    const last = (name: string): number => column(name).at(-1) ?? NaN;
    let conducting = 0;
    for (let k = 1; k < nodes; k += k < 20 ? 1 : 40) {
      const [R, next, G, D] = [`R${k}`, `R${k + 1}`, `G${k}`, `D${k}`].map((name) => last(`${name}.i`));
      const sign = k % 2 === 0 ? -1 : 1;
      expect(Math.abs(R - next - G - sign * D), `node ${k}`).toBeLessThan(1e-9);
      expect(last(`D${k}.v`)).toBeLessThan(0.5 + 1e-9);
      expect(D).toBeGreaterThan(-1e-12);
      expect(Math.min(D, 0.5 - last(`D${k}.v`))).toBeLessThan(1e-9);
      if (D > 1e-6) conducting++;
    }
    expect(conducting).toBeGreaterThan(0);
  });

  it('begin to conduct through a row of diodes at once', () => {
    const parts: Part[] = [['V1', 'VoltageSource', ['n0', '0'], { voltage: '10*sin(2000*pi*t)' }]];
    for (let k = 1; k <= 400; k++)
      parts.push(
        [`R${k}`, 'Resistor', [`n${k - 1}`, `a${k}`], { resistance: 10 }],
        [`D${k}`, 'Diode', [`a${k}`, `n${k}`]],
        [`C${k}`, 'Capacitor', [`n${k}`, '0'], { capacitance: 1e-6 }],
      );
    const { session, column } = run(drawn(parts, { h: 1e-5, tEnd: 1e-4 }), { sandbox });
    expect(session.counters.solverIterations).toBeLessThan(100);
    expect(column('D400.i').at(-1)).toBeGreaterThan(0);
  });
});
