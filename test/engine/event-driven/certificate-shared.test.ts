/**
 * What an event-driven certificate says in the terms of all schemes: relative, with the time and the element
 * of the worst.
 */
import { EventCertificate } from '@engine/event-driven/certificate/certificate';
import type { LawForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import {
  complementarity,
  interaction,
  linearFirstOrder,
  linearRelation,
  relay,
  system,
} from '../support/forms';
import { ball, simulateEvents } from './support';

const judge = (
  model: NonSmoothDynamicalSystem,
  ...rows: readonly Readonly<{ time: number; q: number; y: number; lambda: number }>[]
): EventCertificate => {
  const places = placeState(model);
  const certificate = new EventCertificate(model, places);
  for (const { time, q, y, lambda } of rows) {
    const row = new Float64Array(places.size);
    row[0] = time;
    row[places.q] = q;
    row[places.y] = y;
    row[places.lambda] = lambda;
    certificate.row(row);
  }
  return certificate;
};

describe('contacts', () => {
  const model = ball(0.9, 0.5);

  it('are relative to the largest gap and force so far', () => {
    const certificate = judge(
      model,
      { time: 1, q: 4, y: 4, lambda: 0 },
      { time: 2, q: -1e-3, y: -1e-3, lambda: 50 },
      { time: 3, q: 0, y: 0, lambda: -2 },
    );
    expect(certificate.worst).toMatchObject({ penetration: 1e-3, pull: 2 });
    const { parts, ...figures } = certificate.report;
    expect(parts).toEqual(certificate.worst);
    expect(figures).toEqual({
      complementarity: 0,
      coneViolation: 2 / 50,
      dynamics: 0,
      worstTime: 3,
      worstElement: 'ground',
    });
  });

  it('that are right have no worst time', () => {
    const { report } = judge(model, { time: 1, q: 0, y: 0, lambda: 50 });
    expect(report).toMatchObject({ coneViolation: 0, worstTime: null, worstElement: null });
  });

  it('that are no numbers are not passed over, nor hidden by what comes later', () => {
    const { report } = judge(
      model,
      { time: 1, q: NaN, y: NaN, lambda: 0 },
      { time: 2, q: -1, y: -1, lambda: 0 },
    );
    expect(report.coneViolation).toBeNaN();
    expect(report.worstTime).toBe(1);
  });
});

describe('other laws', () => {
  /** y = x + e */
  const withLaw = (law: LawForm, e = 0): NonSmoothDynamicalSystem => ({
    systems: [system('plant', linearFirstOrder([[0]], [1]))],
    interactions: [interaction('switch', [0], linearRelation([[1]], [[1]], { e: [e] }), law)],
  });

  it('of relays hold on both sides and in between', () => {
    const { report } = judge(
      withLaw(relay(-2, 2)),
      { time: 1, q: 3, y: 3, lambda: -2 },
      { time: 2, q: -3, y: -3, lambda: 2 },
      { time: 3, q: 0, y: 0, lambda: 0.7 },
    );
    expect(report.complementarity).toBe(0);
  });

  it('are judged by how far output and multiplier are from the graph', () => {
    // 3 to the right of the vertical piece, 1 above the lower one: the nearer of 3/3 and 1/2
    const { report, worst } = judge(withLaw(relay(-2, 2)), { time: 4, q: 3, y: 3, lambda: -1 });
    // Λ = 1: the multiplier has not been larger
    expect(worst.law).toBe(1);
    expect(report).toMatchObject({ complementarity: 1, worstTime: 4, worstElement: 'switch' });
    const later = judge(
      withLaw(relay(-2, 2)),
      { time: 1, q: 3, y: 3, lambda: -2 },
      { time: 4, q: 3, y: 3, lambda: -1.5 },
    );
    expect(later.worst.law).toBe(0.25);
    const { law } = judge(withLaw(complementarity(), -1.1), { time: 1, q: 1, y: -0.1, lambda: 0 }).worst;
    // relative to the term that is largest in y, 1
    expect(law).toBeCloseTo(0.1, 15);
  });

  it('have outputs that relations give', () => {
    const { law } = judge(withLaw(relay(-2, 2)), { time: 1, q: 3, y: 1, lambda: -2 }).worst;
    expect(law).toBeCloseTo(2 / 3, 15);
  });
});

it('a run begins with the state of the model', () => {
  const model = ball(0.9, 0.5, -2);
  const places = placeState(model);
  const certificate = new EventCertificate(model, places);
  const row = new Float64Array(places.size);
  row[places.q] = 0.9;
  row[places.v] = -2;
  certificate.start(row);
  expect(certificate.worst.motion).toBe(0);
  row[places.v] = 0;
  certificate.start(row);
  expect(certificate.worst.motion).toBe(2);
});

it('a run names the system whose motion is farthest off', () => {
  const simulation = simulateEvents(ball(0.9, 0.5), { tEnd: 0.5, flights: 'integrated' });
  simulation.run();
  const { report, worst } = simulation.certificate;
  expect(report.dynamics).toBe(Math.max(worst.motion, worst.impact, worst.energy));
  expect(report.dynamics).toBeGreaterThan(0);
  expect(report.worstElement).toMatch(/^(ball|ground)$/u);
  expect(report.worstTime).toBeGreaterThan(0);
  expect(report.worstTime).toBeLessThanOrEqual(0.5);
});
