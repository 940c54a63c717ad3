/** The certificate objects to results that are wrong, and to nothing else. */
import { EventCertificate } from '@engine/event-driven/certificate/certificate';
import type { EventResiduals } from '@engine/certificate/residual-maxima';
import { EventDriven } from '@engine/event-driven/event-driven';
import type { ImpactStage } from '@engine/event-driven/event-state';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import {
  impact as impactLaw,
  interaction,
  lagrangianRelation,
  linearLagrangian,
  system,
} from '../support/forms';
import { ball } from './support';

const model = ball(0.9, 0.5);
const places = placeState(model);

/** The first impact of the ball: rows before and after it, and its impulse. */
function firstImpact(): { before: Float64Array; after: Float64Array; impulses: Float64Array } {
  const simulation = new EventDriven(model, places, { t0: 0, tEnd: 1, h: 0.1 });
  while (simulation.rowsAtEvent === 1) simulation.computeOneStep();
  return {
    before: simulation.before.slice(),
    after: simulation.state.slice(),
    impulses: simulation.impulses.slice(),
  };
}

/**
 * What a certificate says of an impact that has been changed.
 * @param isPlastic whether its bounce is said to be negligible
 */
function judged(change: (impact: ReturnType<typeof firstImpact>) => void, isPlastic = false): EventResiduals {
  const impact = firstImpact();
  change(impact);
  const certificate = new EventCertificate(model, places);
  certificate.impact(impact.before, impact.after, impact.impulses, {
    impactCount: 1,
    isTimed: false,
    isPlastic: Uint8Array.of(isPlastic ? 1 : 0),
    phases: [],
    phaseCount: 0,
    energyChange: Number.NaN,
  });
  return certificate.worst;
}

describe('an impact', () => {
  it('passes as it is', () => {
    const { impact, law, energy } = judged(() => undefined);
    expect(Math.max(impact, law, energy)).toBeLessThan(1e-15);
  });

  it('with another impulse breaks momentum and energy balance', () => {
    const { impact, energy } = judged(({ impulses }) => (impulses[0] *= 1.01));
    expect(impact).toBeGreaterThan(5e-3);
    expect(energy).toBeGreaterThan(1e-3);
  });

  it('with another restitution breaks the law and nothing else', () => {
    const { impact, law, energy } = judged(({ before, after, impulses }) => {
      after[places.v] = after[places.yDot] = -0.6 * before[places.v];
      impulses[0] = -1.6 * before[places.v];
    });
    expect(law).toBeGreaterThan(0.05);
    expect(Math.max(impact, energy)).toBeLessThan(1e-14);
  });

  it('that ends the bounce breaks the law, unless the result says that the bounce is negligible', () => {
    const rest = ({ before, after, impulses }: ReturnType<typeof firstImpact>): void => {
      after[places.v] = after[places.yDot] = 0;
      impulses[0] = -before[places.v];
    };
    expect(judged(rest).law).toBeCloseTo(0.5, 14);
    expect(judged(rest, true).law).toBe(0);
    // and the other way round
    expect(judged(() => undefined, true).law).toBeCloseTo(0.5, 14);
  });

  it('that pulls breaks the law', () => {
    const { law } = judged(({ before, after, impulses }) => {
      after[places.v] = after[places.yDot] = 2 * before[places.v];
      impulses[0] = before[places.v];
    });
    expect(law).toBeGreaterThan(0.1);
  });

  it('that is not a number is not passed over', () => {
    expect(judged(({ after }) => (after[places.v] = NaN)).impact).toBeNaN();
  });
});

describe('rows', () => {
  it('with gaps below zero or forces that pull are noted', () => {
    const certificate = new EventCertificate(model, places);
    const row = new Float64Array(places.size);
    row[places.y] = -1e-3;
    row[places.lambda] = -2;
    certificate.row(row);
    expect(certificate.worst.penetration).toBe(1e-3);
    expect(certificate.worst.pull).toBe(2);
  });
});

/** A ball that comes down at 1 m/s by Poisson's law with e = ½. */
const poisson: NonSmoothDynamicalSystem = {
  systems: [system('ball', linearLagrangian([0], [-1], [[1]]))],
  interactions: [
    interaction('ground', [0], lagrangianRelation([[1]]), { ...impactLaw(0.5), hypothesis: 'poisson' }),
  ],
};

/**
 * The law's figure of its impact with phases and result as they are given.
 * @param expansion P^E; null where there is none
 */
function judgedPhases(compression: number, expansion: number | null): number {
  const phase = (kind: ImpactStage['kind'], before: number, impulse: number): ImpactStage => ({
    before: Float64Array.of(before),
    after: Float64Array.of(before + impulse),
    impulse: Float64Array.of(impulse),
    isPlastic: Uint8Array.of(0),
    kind,
  });
  const phases = [phase('compression', -1, compression)];
  if (expansion !== null) phases.push(phase('expansion', compression - 1, expansion));
  const rows = placeState(poisson);
  const row = (speed: number): Float64Array => {
    const values = new Float64Array(rows.size);
    values[rows.v] = values[rows.yDot] = speed;
    return values;
  };
  const P = compression + (expansion ?? 0);
  const certificate = new EventCertificate(poisson, rows);
  certificate.impact(row(-1), row(P - 1), Float64Array.of(P), {
    impactCount: 1,
    isTimed: false,
    isPlastic: Uint8Array.of(0),
    phases,
    phaseCount: phases.length,
    energyChange: Number.NaN,
  });
  return certificate.worst.law;
}

describe('an impact by Poisson’s law', () => {
  it('passes with e times the impulse of the compression in the expansion, and with no other', () => {
    expect(judgedPhases(1, 0.5)).toBeLessThan(1e-15);
    expect(judgedPhases(1, 0.25)).toBeCloseTo(0.25 / 1.25, 12);
    expect(judgedPhases(1, 0.75)).toBeCloseTo(0.25 / 1.75, 12);
    expect(judgedPhases(1, null)).toBeCloseTo(0.5, 12);
  });

  it('that is compressed beyond rest breaks the law', () => {
    expect(judgedPhases(1.2, 0.6)).toBeGreaterThan(0.1);
    expect(judgedPhases(0.8, 0.4)).toBeGreaterThan(0.1);
  });
});
