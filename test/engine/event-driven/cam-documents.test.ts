/**
 * Items 18, 19 and 24 of the mathematics: the cam-follower as its document has it, by both kinds of flight.
 */
import type { EventDriven } from '@engine/event-driven/event-driven';
import { describe, expect, it } from 'vitest';
import { prepareExample, simulateExample } from './gallery';
import { ofKind } from './support';

const MU = 1.221;
const KAPPA = 1430.8;
const OMEGA = Math.sqrt(KAPPA / MU);
const [K1, RHO1, K2, RHO3] = [0.45, 0.85, 0.40393320723821, 0.15];
const BETA_1 = Math.PI / 2 + 1.050328174371336;
const BETA_2 = Math.PI / 2 + 1.22173047639603;
const KINDS = ['exact', 'integrated'] as const;

/** Greatest heights of the flights: those of A cos ω(t − t₀) where they lie before the next impact. */
function followPeaks(simulation: EventDriven): { t: number; u: number }[] {
  const starts: { t: number; u: number; v: number }[] = [];
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    if (simulation.rowsAtEvent !== 2) continue;
    const [t, u, v] = simulation.state;
    starts.push({ t, u, v });
  }
  return starts.flatMap(({ t, u, v }, k) => {
    const top = t + Math.atan2(v / OMEGA, u) / OMEGA;
    const isReached = v > 0 && k + 1 < starts.length && top < starts[k + 1].t;
    return isReached ? [{ t: top, u: Math.hypot(u, v / OMEGA) }] : [];
  });
}

describe.each(KINDS)('the cam-follower, %s', (flights) => {
  it('has the first impacts of the specification', () => {
    const printed = {
      358: [0.0311581, -17.81019, 0.1041964, -18.99117],
      660: [0.0396494, -10.54653, 0.0767799, -3.14736],
      700: [0.0404996, -14.05064, 0.0978327, -22.74805],
    };
    for (const [rpm, [t1, v1, t2, v2]] of Object.entries(printed)) {
      const simulation = simulateExample(prepareExample(`cam-follower-${rpm}`), { flights, tEnd: 0.12 });
      simulation.run();
      expect(simulation.flight).toBe(flights);
      const impacts = ofKind(simulation, 'impact');
      expect(Math.abs(impacts[0].time - t1)).toBeLessThan(5.1e-8);
      expect(Math.abs(impacts[0].before - v1)).toBeLessThan(1e-5);
      expect(Math.abs(impacts[1].time - t2)).toBeLessThan(5.1e-8);
      expect(Math.abs(impacts[1].before - v2)).toBeLessThan(1e-5);
    }
  });

  it('repeats every three revolutions at 358 rpm, with the peaks of the specification', () => {
    const period = (3 * 60) / 358;
    const simulation = simulateExample(prepareExample('cam-follower-358'), {
      flights,
      tEnd: 40 * period,
      h: period / 24,
    });
    const peaks = followPeaks(simulation).filter(({ t }) => t > 38.5 * period && t <= 39.5 * period);
    const heights = peaks.map(({ u }) => u);
    expect(heights).toHaveLength(8);
    const printed = [0.501256, 0.405469, 0.442476, 0.35903, 0.293424, 0.27985, 0.231781, 0.19489];
    const begin = heights.indexOf(Math.max(...heights));
    printed.forEach((u, k) => expect(Math.abs(heights[(begin + k) % 8] - u)).toBeLessThan(1e-6));
  });

  it('repeats every revolution at 700 rpm', () => {
    const simulation = simulateExample(prepareExample('cam-follower-700'), { flights, tEnd: 26, h: 5e-3 });
    simulation.run();
    const last = ofKind(simulation, 'impact').at(-1)!;
    const turns = (last.time * 700) / 60;
    expect(Math.abs(turns - Math.floor(turns) - 0.1813991)).toBeLessThan(1e-6);
    expect(Math.abs(last.before + 90.948596)).toBeLessThan(1e-6);
  });

  it('has the published peaks of the transient at 660 rpm', () => {
    const peaks = followPeaks(simulateExample(prepareExample('cam-follower-660'), { flights, tEnd: 2.3 }));
    const printed = [0.7315, 0.7183, 0.5778, 0.4661, 0.3777, 0.308, 1.019, 1.1552, 1.0006];
    // The first three flights are before the part that the figure shows; the first of all begins without an
    // impact.
    const later = peaks.slice(2, 2 + printed.length).map(({ u }) => u);
    expect(later).toHaveLength(printed.length);
    later.forEach((u, k) => expect(Math.abs(u - printed[k])).toBeLessThan(1e-3));
  });

  it('pushes with κc + μc̈ below the detachment speed, integrated where the contact is closed', () => {
    const rpm = 100;
    const omega = (2 * Math.PI * rpm) / 60;
    const prepared = prepareExample('cam-follower-660', { rpm, height0: 0, speed0: 0 });
    const simulation = simulateExample(prepared, { flights, tEnd: 0.6 });
    // A closed contact with a cam is no linear system with constant coefficients.
    expect(simulation.flight).toBe('integrated');
    const { lambda } = prepared.layout;
    let worst = 0;
    let compared = 0;
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      const turns = (rpm / 60) * simulation.state[0] + 0.25;
      const angle = 2 * Math.PI * (turns - Math.floor(turns));
      const beta = angle > Math.PI ? 2 * Math.PI - angle : angle;
      // c̈ jumps there.
      if ([Math.PI / 2, BETA_1, BETA_2].some((end) => Math.abs(beta - end) < 1e-9)) continue;
      const [c, curvature] = lift(beta);
      const force = KAPPA * c + MU * curvature * omega ** 2;
      worst = Math.max(worst, Math.abs(simulation.state[lambda] / force - 1));
      compared++;
    }
    expect(simulation.events).toEqual([]);
    expect(compared).toBeGreaterThan(500);
    expect(worst).toBeLessThan(1e-10);
  });
});

/** c, m, and c_ββ, m, of β in [0, π]. */
function lift(beta: number): readonly [number, number] {
  if (beta < Math.PI / 2) return [0.1, 0];
  if (beta >= BETA_2) return [K2 + RHO3 - 0.3, 0];
  // √(ρ² − k² sin² x) − k cos x, of the flank with x = β + π/2
  const isFlank = beta < BETA_1;
  const [k, rho, x] = isFlank ? [K1, RHO1, beta + Math.PI / 2] : [K2, RHO3, beta + Math.PI / 9];
  const root = Math.sqrt(rho ** 2 - (k * Math.sin(x)) ** 2);
  const slope = -(k ** 2 * Math.sin(2 * x)) / (2 * root);
  const first = isFlank ? -K1 * Math.sin(beta) : -K2 * Math.cos(x);
  return [first + root - 0.3, -first - (k ** 2 * Math.cos(2 * x) + slope ** 2) / root];
}

describe('over ten seconds', () => {
  it('exact and integrated flights agree where the motion is not chaotic', () => {
    for (const rpm of [358, 700]) {
      const [exact, integrated] = KINDS.map((flights) => {
        const simulation = simulateExample(prepareExample(`cam-follower-${rpm}`), {
          flights,
          tEnd: 10,
          h: 0.01,
          // 150 impacts pass errors on, before the orbit damps them.
          relativeTolerance: 1e-13,
          absoluteTolerance: 1e-13,
        });
        const rows: Float64Array[] = [];
        while (simulation.hasNextEvent) {
          simulation.computeOneStep();
          if (simulation.manager.current[1] === 0) rows.push(simulation.state.slice(0, 3));
        }
        expect(simulation.certificate.worst.motion).toBeLessThan(1e-10);
        return rows;
      });
      expect(exact).toHaveLength(1000);
      exact.forEach((row, k) => {
        expect(Math.abs(row[1] - integrated[k][1])).toBeLessThan(1e-9);
        expect(Math.abs(row[2] - integrated[k][2])).toBeLessThan(1e-9 * 34 * 10);
      });
    }
  });
});

describe('in coordinates relative to the cam', () => {
  /** Largest difference of impact times to those in absolute coordinates. */
  const difference = (rpm: number, h: number): number => {
    const [absolute, relative] = ['', 'relative-'].map((formulation) => {
      const simulation = simulateExample(prepareExample(`cam-follower-${formulation}${rpm}`), {
        tEnd: 0.25,
        h,
      });
      simulation.run();
      return { flight: simulation.flight, times: ofKind(simulation, 'impact').map(({ time }) => time) };
    });
    expect(relative.flight).toBe('integrated');
    expect(absolute.times.length).toBeGreaterThan(2);
    expect(relative.times).toHaveLength(absolute.times.length);
    return Math.max(...absolute.times.map((time, k) => Math.abs(time - relative.times[k])));
  };

  it.each([358, 660, 700])('at %i rpm the motion is the same, with c̈ from the source', (rpm) => {
    // Differences over δ = h/40 would blur the jumps of c̈, and leave 10⁻⁵ s.
    for (const h of [1e-3, 1e-4]) expect(difference(rpm, h)).toBeLessThan(1e-9);
  });

  it('is refused for exact flight, with the system named', () => {
    expect(() => simulateExample(prepareExample('cam-follower-relative-700'), { flights: 'exact' })).toThrow(
      /“follower”: it is measured from a base that moves/u,
    );
  });
});
