/** What the certificate says of friction that is wrong, and what documents with friction are refused for. */
import { EventCertificate } from '@engine/event-driven/certificate/certificate';
import type { EventResiduals } from '@engine/certificate/residual-maxima';
import { EventDriven } from '@engine/event-driven/event-driven';
import type { LawForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import { build } from '../support/built';
import { interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { linearSystem, model as document } from '../support/models';
import { coulomb } from './friction-support';
import { G } from './support';

const thrown = (law: LawForm, v: readonly number[]): NonSmoothDynamicalSystem => ({
  systems: [
    system(
      'body',
      linearLagrangian(
        [0, 0],
        v,
        [
          [1, 0],
          [0, 1],
        ],
        { force: [0, -G] },
      ),
    ),
  ],
  interactions: [
    interaction(
      'plane',
      [0],
      lagrangianRelation([
        [0, 1],
        [1, 0],
      ]),
      law,
    ),
  ],
});

/** What a certificate says of the first impact with P_t changed to `tangential` and velocities to fit. */
function judged(law: LawForm, v: readonly number[], tangential: number): EventResiduals {
  const model = thrown(law, v);
  const places = placeState(model);
  const simulation = new EventDriven(model, places, { t0: 0, tEnd: 1, h: 0.1 });
  const after = simulation.state.slice();
  const impulses = simulation.impulses.slice();
  const change = tangential - impulses[1];
  impulses[1] = tangential;
  after[places.v] += change;
  after[places.yDot + 1] += change;
  const certificate = new EventCertificate(model, places);
  certificate.impact(simulation.before, after, impulses, {
    impactCount: 1,
    isTimed: false,
    isPlastic: new Uint8Array(places.rows),
    phases: [],
    phaseCount: 0,
    energyChange: Number.NaN,
  });
  return certificate.worst;
}

describe('an impact with μ = 0.5, e = 0', () => {
  it('that slides passes with P_t = −μ P_n, and with no other', () => {
    const law = coulomb(0.5);
    // P_n = 1, slip 3
    expect(judged(law, [3, -1], -0.5).law).toBeLessThan(1e-15);
    expect(judged(law, [3, -1], -0.4).law).toBeCloseTo(0.1, 12);
    expect(judged(law, [3, -1], -0.6).law).toBeCloseTo(0.1, 12);
    expect(judged(law, [3, -1], 0.5).law).toBeGreaterThan(0.9);
    // Momentum and energy balance do not say it.
    expect(judged(law, [3, -1], -0.4).impact).toBeLessThan(1e-15);
    expect(judged(law, [3, -1], -0.4).energy).toBeLessThan(1e-15);
  });

  it('that sticks passes with what takes the slip, and with no other', () => {
    const law = coulomb(0.5);
    expect(judged(law, [0.3, -1], -0.3).law).toBeLessThan(1e-15);
    expect(judged(law, [0.3, -1], -0.2).law).toBeCloseTo(0.1 / 1, 12);
  });

  it('with tangential restitution passes with the slip reversed, without any normal bounce', () => {
    const law = coulomb(2, 0, { et: 0.5 });
    // P_n = 2, slip 1 becomes −0.5: P_t = −1.5
    expect(judged(law, [1, -2], -1.5).law).toBeLessThan(1e-15);
    expect(judged(law, [1, -2], -1).law).toBeGreaterThan(0.1);
  });

  it('of Poisson is judged by the cone', () => {
    const law = coulomb(0.5, 0.5, { hypothesis: 'poisson' });
    expect(judged(law, [3, -1], -0.75).law).toBeLessThan(1e-15);
    expect(judged(law, [3, -1], -0.9).law).toBeCloseTo(0.1, 12);
  });

  it('that pushes the body along has gained energy', () => {
    expect(judged(coulomb(0.5), [3, -1], 0.5).gain).toBeGreaterThan(0.1);
    expect(judged(coulomb(0.5), [3, -1], -0.5).gain).toBe(0);
  });
});

describe('a row of the result', () => {
  const model = thrown(coulomb(0.5), [0, 0]);
  const places = placeState(model);
  const of = (slip: number, normal: number, tangential: number): EventResiduals => {
    const certificate = new EventCertificate(model, places);
    const row = new Float64Array(places.size);
    row[places.v] = slip;
    row[places.yDot + 1] = slip;
    row[places.lambda] = normal;
    row[places.lambda + 1] = tangential;
    certificate.row(row);
    return certificate.worst;
  };

  it('has forces in the cone', () => {
    expect(of(0, 10, 5).cone).toBe(0);
    expect(of(0, 10, -6).cone).toBe(1);
    expect(of(0, 10, NaN).cone).toBeNaN();
  });

  it('has the friction of sliding against the slip', () => {
    expect(of(2, 10, -5).slip).toBe(0);
    expect(of(2, 10, 5).slip).toBe(10);
    expect(of(-2, 10, 4).slip).toBe(1);
    expect(of(0, 10, 3).slip).toBe(0);
  });

  it('may have negative displacements', () => {
    const certificate = new EventCertificate(model, places);
    const row = new Float64Array(places.size);
    row[places.y + 1] = -1;
    row[places.lambda] = 1;
    row[places.lambda + 1] = -0.2;
    certificate.row(row);
    expect([certificate.worst.penetration, certificate.worst.pull]).toEqual([0, 0]);
  });
});

describe('a document with friction', () => {
  const of = (law: Record<string, number | string>, H: number[][]): unknown =>
    build(
      document(
        [
          linearSystem(
            'body',
            {
              mass: [
                [1, 0],
                [0, 1],
              ],
            },
            [0, 0],
            [0, 0],
          ),
        ],
        [
          {
            id: 'plane',
            systems: ['body'],
            relation: { type: 'LagrangianLinear', H },
            law: { type: 'NewtonImpactFriction', e: 0, ...law },
          },
        ],
      ),
    ).issues.map(({ code, pointer }) => `${code} ${pointer}`);
  const rows = [
    [0, 1],
    [1, 0],
  ];

  it('has no negative coefficients, and no restitution above 1', () => {
    expect(of({ mu: 0.5 }, rows)).toEqual([]);
    expect(of({ mu: -0.5 }, rows)).toEqual(['out-of-range /interactions/0/law/mu']);
    expect(of({ mu: 0.5, et: 1.5 }, rows)).toEqual(['out-of-range /interactions/0/law/et']);
    expect(of({ mu: 0.5, e: -0.1 }, rows)).toEqual(['out-of-range /interactions/0/law/e']);
  });

  it('has two rows for each contact', () => {
    expect(of({ mu: 0.5 }, [...rows, [1, 1]])).toEqual(['law-size /interactions/0/law']);
    expect(of({ mu: 0.5 }, [...rows, [0, 1], [1, 0]])).toEqual([]);
  });
});
