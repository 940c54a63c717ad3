/**
 * Projection of positions at the end of steps: nearest positions in each metric, drift over many steps, rows
 * of the projected positions, the certificate against planted errors, and refusals.
 */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument, SystemDocument } from '@engine/document/types';
import type { AssignedIntegrator } from '@engine/integrators/registry';
import type { RelationForm } from '@engine/model/forms';
import { examine } from '@engine/inspection/examine';
import { createSandbox } from '@engine/script/sandbox';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import { sample } from '../../support/prove';
import { type Projection, ball, column, fourBar, sliderCrank } from '../../peer/projected-models';
import * as forms from '../support/forms';
import { settingsFor, start } from '../support/live';
import { seeded } from '../support/random';
import { refusal, run, runFailure } from '../support/run';

const advanced = (
  systems: readonly number[],
  choices: Record<string, string>,
  numbers: Record<string, number> = {},
): AssignedIntegrator => ({
  type: 'MoreauJean',
  numbers: { theta: 0.5, forecast: 0.5, ...numbers },
  choices,
  systems,
});

const asked = (projection: Projection['projection'], h: number, steps: number): Projection => ({
  projection,
  metric: 'mass',
  forecast: 0.5,
  h,
  steps,
});

const joint = (): ReturnType<typeof forms.equality> => ({
  ...forms.equality(),
  level: 'velocity',
  multiplier: 'impulse',
});

/** y = c − |q|² / 2c in the plane: a circle of radius √2 c, or the inside of it. */
const circle = (c: number): RelationForm => ({
  ...forms.lagrangianRelation([[0, 0]]),
  C: null,
  isAffine: false,
  output: (_clock, q, _lambda, out) => {
    out[0] = c - (q[0] * q[0] + q[1] * q[1]) / (2 * c);
  },
  outputJacobians: (_clock, q, _lambda, C) => {
    C[0] = -q[0] / c;
    C[1] = -q[1] / c;
  },
});

/** y = |q₂ − q₁| − d of two points in the plane. */
const apart = (d: number): RelationForm => ({
  ...forms.lagrangianRelation([[0, 0, 0, 0]]),
  C: null,
  isAffine: false,
  output: (_clock, q, _lambda, out) => {
    out[0] = Math.hypot(q[2] - q[0], q[3] - q[1]) - d;
  },
  outputJacobians: (_clock, q, _lambda, C) => {
    const [x, y] = [q[2] - q[0], q[3] - q[1]];
    const r = Math.hypot(x, y);
    C.set([-x / r, -y / r, x / r, y / r]);
  },
});

const pendulum = (law: ReturnType<typeof forms.equality>, kind: string): TimeStepping =>
  start(
    {
      systems: [
        forms.system(
          'bob',
          forms.linearLagrangian(
            [1, 0],
            [0, 0.3],
            [
              [2, 0],
              [0, 2],
            ],
            { force: [0, -19.62] },
          ),
        ),
      ],
      interactions: [forms.interaction('rod', [0], circle(Math.SQRT1_2), law)],
    },
    settingsFor([advanced([0], { projection: kind, relationPoint: 'end' })], 5e-3),
  );

const gapOf = ({ state, context: { q } }: TimeStepping): number =>
  Math.SQRT1_2 - (state[q] * state[q] + state[q + 1] * state[q + 1]) / (2 * Math.SQRT1_2);

const worstOf = ({ certificate: { report } }: TimeStepping): number =>
  Math.max(report.dynamics, report.complementarity, report.coneViolation);

/** Random masses in a row, springs between some of them, and contacts that overlap at the start. */
function overlapping(
  seed: number,
  choices: Record<string, string>,
): { simulation: TimeStepping; weights: number[]; gaps: () => number[]; at: () => number[] } {
  const random = seeded(seed);
  const n = 2 + Math.floor(random.uniform(0, 5));
  const masses = Array.from({ length: n }, () => 10 ** random.uniform(-1, 1));
  const q0 = [0];
  while (q0.length < n) q0.push(q0[q0.length - 1] + 1 - random.uniform(0, 0.05));
  const systems = masses.map((m, i) => forms.system(`m${i}`, forms.linearLagrangian([q0[i]], [0], [[m]])));
  const interactions = masses
    .slice(1)
    .map((_, i) =>
      forms.interaction(
        `c${i}`,
        [i, i + 1],
        forms.lagrangianRelation([[-1, 1]], [-1]),
        forms.impact(random.uniform(0, 1)),
      ),
    );
  const simulation = start(
    { systems, interactions },
    settingsFor(
      [
        advanced(
          masses.map((_, i) => i),
          choices,
        ),
      ],
      1e-3,
    ),
  );
  const at = (): number[] => masses.map((_, i) => simulation.state[simulation.context.q + i]);
  return {
    simulation,
    weights: choices.metric === 'euclidean' ? masses.map(() => 1) : masses,
    gaps: () =>
      at()
        .slice(1)
        .map((q, i) => q - at()[i] - 1),
    at,
  };
}

describe('projected positions', () => {
  it('are the nearest ones in the metric', () => {
    const count = sample(200, 10_000);
    for (let seed = 0; seed < count; seed++)
      for (const metric of ['mass', 'euclidean']) {
        const { simulation, weights, gaps, at } = overlapping(seed, { projection: 'yes', metric });
        const before = at();
        simulation.advance();
        const after = at();
        // At rest and without forces the step leads nowhere: all that moves is projected. Masses that touch
        // afterwards go on as one, to where their weighted mean is: the projection of sorted numbers by pools
        // of adjacent violators (Ayer et al. 1955), of q_i − i.
        const pools: { sum: number; weight: number; size: number }[] = [];
        before.forEach((q, i) => {
          pools.push({ sum: weights[i] * (q - i), weight: weights[i], size: 1 });
          for (let last = pools.length - 1; last > 0; last--) {
            const [one, next] = [pools[last - 1], pools[last]];
            if (one.sum / one.weight <= next.sum / next.weight) break;
            pools.splice(last - 1, 2, {
              sum: one.sum + next.sum,
              weight: one.weight + next.weight,
              size: one.size + next.size,
            });
          }
        });
        const expected = pools.flatMap(({ sum, weight, size }) => new Array<number>(size).fill(sum / weight));
        after.forEach((q, i) => {
          expect(Math.abs(q - i - expected[i])).toBeLessThan(1e-9);
        });
        expect(Math.min(...gaps())).toBeGreaterThan(-1e-10);
        expect(worstOf(simulation)).toBeLessThan(1e-13);
      }
  });

  it.each(['yes', 'combined'])('keep a pendulum on its circle over 10⁵ steps (%s)', (kind) => {
    const steps = sample(5_000, 100_000);
    const free = pendulum(joint(), 'no');
    const simulation = pendulum(joint(), kind);
    let worst = 0;
    for (let k = 0; k < steps; k++) {
      simulation.advance();
      worst = Math.max(worst, Math.abs(gapOf(simulation)));
    }
    for (let k = 0; k < 5_000; k++) free.advance();
    expect(worst).toBeLessThanOrEqual(1e-10);
    expect(Math.abs(gapOf(free))).toBeGreaterThan(1e-6);
    expect(worstOf(simulation)).toBeLessThan(1e-11);
  });

  it.each(['yes', 'combined'])('keep a stone in a bowl (%s)', (kind) => {
    const steps = sample(3_000, 100_000);
    const simulation = pendulum(forms.impact(0.2), kind);
    let worst = 0;
    for (let k = 0; k < steps; k++) {
      simulation.advance();
      // Direct projection knows contacts that have closed in the step only from the next one on.
      if (kind === 'combined' || simulation.oneStep.active[0] === 1)
        worst = Math.min(worst, gapOf(simulation));
    }
    expect(worst).toBeGreaterThanOrEqual(-1e-10);
    expect(simulation.events).toBeGreaterThan(1);
    expect(worstOf(simulation)).toBeLessThan(1e-11);
  });

  it('have velocities that satisfy the joints where they are, combined with rows at the end', () => {
    const simulation = pendulum(joint(), 'combined');
    const { state, context } = simulation;
    for (let k = 0; k < 1000; k++) {
      simulation.advance();
      const { q, v } = context;
      const along = state[q] * state[v] + state[q + 1] * state[v + 1];
      expect(Math.abs(along)).toBeLessThan(1e-12 * Math.hypot(state[v], state[v + 1]) + 1e-14);
    }
  });

  it('go on with the same bits from a state in between', () => {
    for (const kind of ['yes', 'combined']) {
      const model = (): TimeStepping => pendulum(forms.impact(0.4), kind);
      const straight = model();
      let other = model();
      for (let k = 0; k < 400; k++) {
        straight.advance();
        other.advance();
        if (k % 37 !== 5) continue;
        const system = forms.system(
          'bob',
          forms.linearLagrangian(
            [1, 0],
            [0, 0.3],
            [
              [2, 0],
              [0, 2],
            ],
            { force: [0, -19.62] },
          ),
        );
        other = start(
          {
            systems: [system],
            interactions: [forms.interaction('rod', [0], circle(Math.SQRT1_2), forms.impact(0.4))],
          },
          settingsFor([advanced([0], { projection: kind, relationPoint: 'end' })], 5e-3),
          structuredClone(other.exportState()),
        );
        expect(Array.from(other.state)).toEqual(Array.from(straight.state));
      }
      expect(straight.events).toBeGreaterThan(2);
      expect(other.certificate.report).toEqual(straight.certificate.report);
    }
  });

  it.each(['yes', 'combined'] as const)('of linkages with play are certified (%s)', (kind) => {
    for (const model of [sliderCrank(asked(kind, 2e-4, 2000)), fourBar(asked(kind, 2e-4, 1500))]) {
      const { session, column: read } = run(model.document, { sandbox: createSandbox });
      const { certificate } = session;
      expect(certificate.dynamics).toBeLessThan(1e-12);
      expect(certificate.complementarity).toBeLessThan(1e-10);
      expect(certificate.coneViolation).toBeLessThan(1e-12);
      const gap = Math.min(...read('loose.gap'));
      // A step of 0.2 ms at some metres per second.
      expect(gap).toBeGreaterThan(kind === 'combined' ? -1e-11 : -2e-3);
      expect(session.events).toBeGreaterThan(3);
    }
  });

  it('let bodies spring back as high as they fell, and not draw them down', () => {
    for (const h of [5e-3, 2e-3]) {
      const { document } = ball({ ...asked('combined', h, Math.round(8 / h)), h }, 1);
      const { session, column: read } = run(document);
      const [q, v] = [read('b0.q'), read('b0.v')];
      const energy = q.map((height, k) => 9.81 * height + 0.5 * v[k] ** 2);
      // What an impact within a step shifts, to either side.
      const spread = Math.max(...energy.map((e) => Math.abs(e - energy[0])));
      expect(spread).toBeLessThan(0.5 * h * 4.5 * 9.81);
      expect(Math.min(...read('floor.gap'))).toBeGreaterThan(-1.1e-10);
      expect(session.certificate.coneViolation).toBeLessThan(1e-14);
    }
  });

  it('touch what has pushed them along curved gaps, where a pass goes too far', () => {
    const discs = sample(10, 300);
    for (let seed = 1; seed <= discs; seed++) {
      const random = seeded(seed);
      const e = random.uniform(0, 1) < 0.5 ? 0 : random.uniform(0, 0.9);
      const aside = random.uniform(-0.03, 0.03);
      const disc = (id: string, m: number, q: number[]): ReturnType<typeof forms.system> =>
        forms.system(
          id,
          forms.linearLagrangian(
            q,
            [0, 0],
            [
              [m, 0],
              [0, m],
            ],
            { force: [0, -9.81 * m] },
          ),
        );
      const simulation = start(
        {
          systems: [disc('below', 10 ** random.uniform(-1, 1), [0, 0.02]), disc('above', 1, [aside, 0.07])],
          interactions: [
            forms.interaction('floor', [0], forms.lagrangianRelation([[0, 1]], [-0.02]), forms.impact(e)),
            forms.interaction('pair', [0, 1], apart(0.04), forms.impact(e)),
          ],
        },
        settingsFor([advanced([0, 1], { projection: 'yes' })], 10 ** random.uniform(-3.5, -2.5)),
      );
      for (let k = 0; k < 150; k++) simulation.advance();
      expect(worstOf(simulation), `seed ${seed}`).toBeLessThan(1e-8);
    }
  });

  it('leave contacts of systems that are not projected as they would be alone', () => {
    const mass = (id: string): ModelDocument['systems'][number] => ({
      id,
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [[1]],
      fExt: [-9.81],
      q0: [1],
      v0: [0],
    });
    const floor = (id: string): ModelDocument['interactions'][number] => ({
      id: `${id}Floor`,
      systems: [id],
      relation: { type: 'LagrangianLinear', H: [[1]] },
      law: { type: 'NewtonImpact', e: 0.6 },
    });
    const of = (ids: string[], integrators: ModelDocument['simulation']['integrators']): ModelDocument => {
      const { document } = column(asked('no', 5e-3, 400), 0);
      return {
        ...document,
        systems: ids.map(mass),
        interactions: ids.map(floor),
        simulation: { ...document.simulation, integrators },
      };
    };
    const combined = { type: 'MoreauJean', projection: 'combined', systems: ['a'] };
    const both = run(of(['a', 'b'], [combined, { type: 'MoreauJean' }]));
    const alone = run(of(['b'], [{ type: 'MoreauJean' }]));
    expect(Array.from(both.column('b.q'))).toEqual(Array.from(alone.column('b.q')));
    expect(both.session.certificate.complementarity).toBeLessThan(1e-14);
    expect(Math.min(...both.column('aFloor.gap'))).toBeGreaterThan(-1.1e-10);
    const halves = { type: 'MoreauHalfStep', systems: ['b'] };
    expect(refusalOf(of(['a', 'b'], [combined, halves]))).toMatchObject({
      code: 'projection-beside-half-steps',
      where: 'b',
    });
  });

  it('shorten the step of step control where it is needed', () => {
    const { document } = column(asked('combined', 5e-3, 200), 0.3);
    const controlled: ModelDocument = {
      ...document,
      simulation: { ...document.simulation, stepControl: { tolerance: 1e-4, hMin: 1e-7, hMax: 1e-2 } },
    };
    const { session, column: read } = run(controlled);
    expect(Math.min(...read('c0.gap'))).toBeGreaterThan(-1e-11);
    expect(session.certificate.dynamics).toBeLessThan(1e-12);
  });
});

describe('the certificate of projected positions', () => {
  const planted = (kind: string, spoil: (simulation: TimeStepping) => void): number => {
    const simulation = pendulum(forms.impact(0), kind);
    const { projection } = simulation;
    if (projection === null) throw new Error('nothing is projected');
    const project = projection.project.bind(projection);
    projection.project = (active, lambda, reference) => {
      const status = project(active, lambda, reference);
      spoil(simulation);
      return status;
    };
    for (let k = 0; k < 400; k++) simulation.advance();
    return worstOf(simulation);
  };

  it.each<[string, string, (simulation: TimeStepping) => void]>([
    ['moves along the contact', 'yes', ({ state, context: { q } }) => (state[q] += 1e-6)],
    [
      'leaves an overlap',
      'combined',
      ({ state, context: { q }, oneStep }) => {
        if (oneStep.active[0] === 1) for (const i of [q, q + 1]) state[i] *= 1 + 1e-6;
      },
    ],
    [
      'pulls',
      'yes',
      (simulation) => {
        const {
          state,
          context: { q },
          projection,
        } = simulation;
        if (projection === null) return;
        // By Λ = −10⁻⁶, as N ᵗC Λ.
        for (const i of [0, 1]) state[q + i] += (1e-6 * state[q + i]) / Math.SQRT1_2 / 2;
        projection.multiplier[0] -= 1e-6;
      },
    ],
    [
      'lifts off',
      'yes',
      (simulation) => {
        const {
          state,
          context: { q },
          projection,
          oneStep,
        } = simulation;
        if (projection === null || oneStep.active[0] === 0) return;
        for (const i of [0, 1]) state[q + i] -= (1e-6 * state[q + i]) / Math.SQRT1_2 / 2;
        projection.multiplier[0] += 1e-6;
      },
    ],
  ])('finds a projection that %s', (_name, kind, spoil) => {
    expect(planted(kind, () => undefined)).toBeLessThan(1e-12);
    expect(planted(kind, spoil)).toBeGreaterThan(1e-8);
  });
});

describe('a projection that cannot be', () => {
  const base = column(asked('yes', 5e-3, 20), 0).document;
  const change = (integrator: object, interactions = base.interactions): ModelDocument => ({
    ...base,
    interactions,
    simulation: {
      ...base.simulation,
      integrators: [{ type: 'MoreauJean', projection: 'yes', ...integrator }],
    },
  });

  it('is refused for a joint on positions, by its name', () => {
    const [first, ...others] = base.interactions;
    const document = change({}, [{ ...first, law: { type: 'Equality', level: 'position' } }, ...others]);
    expect(issueOf(document)).toMatchObject({
      severity: 'error',
      code: 'projection-of-positions',
      pointer: '/simulation/integrators/0/projection',
      element: 'c0',
    });
  });

  it('is refused beside a stop on positions, which it would move away from', () => {
    const stop: ModelDocument['interactions'][number] = {
      id: 'stop',
      systems: ['b9'],
      relation: { type: 'LagrangianLinear', H: [[1]] },
      law: { type: 'Complementarity' },
    };
    const issue = issueOf(change({}, [...base.interactions, stop]));
    expect(issue).toMatchObject({ code: 'projection-of-positions', element: 'stop' });
  });

  it('says which of its settings have no effect, before a run and in it', () => {
    const document = change({ projection: 'no', metric: 'mass', projectionTolerance: 1e-9 });
    const { report } = examine(document, undefined);
    expect(run(document).session.warnings).toEqual(
      report.issues.map(({ message, remedy }) => `${message} ${remedy}`),
    );
    expect(report.issues.map(({ severity, code, pointer }) => [severity, code, pointer])).toEqual([
      ['warning', 'setting-without-effect', '/simulation/integrators/0/metric'],
      ['warning', 'setting-without-effect', '/simulation/integrators/0/projectionTolerance'],
    ]);
  });

  it('is refused where linked systems differ in it', () => {
    const document: ModelDocument = {
      ...base,
      simulation: {
        ...base.simulation,
        integrators: [{ type: 'MoreauJean', projection: 'yes', systems: ['b0'] }, { type: 'MoreauJean' }],
      },
    };
    const issue = issueOf(document);
    expect(issue).toMatchObject({ code: 'projections-differ', element: 'b1' });
    expect(issue?.message).toContain('one is projected and the other is not');
  });

  it('is refused for a metric of 3D bodies', () => {
    expect(refusal(change({ metric: 'velocity' })).code).toBe('invalid-document');
    const { report } = examine(change({ metric: 'velocity' }), undefined);
    expect(report.issues.find(({ code }) => code === 'metric-of-bodies')).toMatchObject({
      severity: 'error',
      pointer: '/simulation/integrators/0/metric',
    });
  });

  it('is refused with a tolerance that is none', () => {
    const { report } = examine(change({ projectionTolerance: 0 }), undefined);
    expect(report.issues.map(({ pointer }) => pointer)).toContain(
      '/simulation/integrators/0/projectionTolerance',
    );
  });

  it('is a warning of validation and of the run where there is nothing to project', () => {
    const document = change({}, []);
    const { report } = examine(document, undefined);
    expect(report.issues).toMatchObject([
      {
        severity: 'warning',
        code: 'projection-without-effect',
        pointer: '/simulation/integrators/0/projection',
      },
    ]);
    expect(run(document).session.warnings.join(' ')).toContain('it has no effect');
  });

  it('is a warning for each integrator that has nothing to project, and not for one that has', () => {
    const free: SystemDocument = { ...base.systems[0], id: 'free' };
    const document: ModelDocument = {
      ...base,
      systems: [...base.systems, free],
      simulation: {
        ...base.simulation,
        integrators: [
          { type: 'MoreauJean', projection: 'yes' },
          { type: 'MoreauJean', projection: 'yes', systems: ['free'] },
        ],
      },
    };
    const { report } = examine(document, undefined);
    expect(report.issues).toMatchObject([
      { code: 'projection-without-effect', pointer: '/simulation/integrators/1/projection' },
    ]);
    expect(run(document).session.warnings).toHaveLength(1);
  });

  it('ends the run where its iterations do not suffice, naming the contact and what helps', () => {
    const { document } = sliderCrank(asked('yes', 2e-4, 2000));
    const [integrator] = document.simulation.integrators;
    const { error } = runFailure(
      {
        ...document,
        simulation: {
          ...document.simulation,
          integrators: [{ ...integrator, projectionIterations: 1, projectionTolerance: 1e-14 }],
        },
      },
      { sandbox: createSandbox },
    );
    expect(error.code).toBe('projection-not-converged');
    expect(error.where).toBeDefined();
    expect(error.message).toContain('1e-14 is asked for');
    expect(error.remedy).toContain('Reduce the time step');
  });
});

/** The first issue of a projection that is reported before the run. */
const issueOf = (document: ModelDocument): DocumentIssue | undefined =>
  examine(document, undefined).report.issues.find(({ code }) => code.startsWith('projection'));

/** The error that a run is refused or ends with. */
function refusalOf(document: ModelDocument): ReturnType<typeof refusal> {
  return refusal(document, { sandbox: createSandbox });
}
