/** What steps with contact forces must satisfy and a slip must break: a check throws where it does not. */
import { identity, zeros } from '../support/dense';
import * as forms from '../support/forms';
import {
  BESIDE_IMPACTS,
  type BesideImpacts,
  LEVELS,
  type Level,
  type Linear,
  angleAt,
  bob,
  built,
  galerkin,
  joint,
  randomModel,
  statesOf,
  stepByTheBook,
  worstOf,
} from '../support/galerkin-steps';
import { settingsFor, start } from '../support/live';

function demand(value: number, bound: number, what: string): void {
  if (!(value <= bound)) throw new Error(`${what}: ${value}`);
}

/** A linear system steps as the book says, and raises no alarm. */
function follow(
  linear: Linear,
  q: number[],
  v: number[],
  level: Level,
  steps: number,
  besideImpacts: BesideImpacts = 'kept',
): void {
  const integrator = galerkin([0], level, { besideImpacts }, 0);
  const simulation = start(built(linear, q, v), settingsFor([integrator], 2e-3));
  for (let k = 0; k < steps; k++) {
    const before = statesOf(simulation);
    const expected = stepByTheBook(linear, before.q, before.v, 2e-3, level, besideImpacts);
    simulation.advance();
    const after = statesOf(simulation);
    for (const [i, x] of after.q.entries()) demand(Math.abs(x - expected.q[i]), 1e-11, 'position');
    for (const [i, x] of after.v.entries()) demand(Math.abs(x - expected.v[i]), 1e-9, 'velocity');
  }
  demand(worstOf(simulation), 1e-9, 'certificate');
}

function book(): void {
  for (const level of LEVELS)
    for (let seed = 0; seed < 12; seed++) {
      const { linear, q, v } = randomModel(seed);
      follow(linear, q, v, level, 150);
    }
}

/** A mass that slides along a floor strikes a wall. */
function corner(): void {
  const linear: Linear = {
    ...{ M: identity(2), K: zeros(2, 2), C: zeros(2, 2), force: [1, -10] },
    H: [
      [0, 1],
      [-1, 0],
    ],
    ...{ b: [0, 0.1], e: [0.5, 0.5] },
  };
  for (const level of LEVELS)
    for (const besideImpacts of BESIDE_IMPACTS) follow(linear, [0, 0], [1, 0], level, 80, besideImpacts);
}

/** Distance of a bob on a joint or inside a circle from where it should be after 0.48 s, m. */
function distance(law: 'joint' | 'contact', level: Level, h: number): number {
  const simulation = bob(law === 'joint' ? joint() : forms.impact(0), h, level, {}, undefined, -0.3);
  for (let k = 0; k < Math.round(0.48 / h); k++) simulation.advance();
  const theta = angleAt(0.48);
  const [x, y] = statesOf(simulation).q;
  demand(worstOf(simulation), 1e-11, 'certificate');
  return Math.hypot(x - Math.cos(theta), y - Math.sin(theta));
}

const falls = (law: 'joint' | 'contact', level: Level): void => {
  const [coarse, fine] = [2e-3, 1e-3].map((h) => distance(law, level, h));
  demand(fine / coarse, 0.27, 'what half the step leaves of the error');
};

/** Half the step leaves a quarter of the error along a curve, forces from velocities. */
function velocities(): void {
  falls('joint', 'velocity');
}

/** The same of forces from accelerations. */
function accelerations(): void {
  falls('joint', 'acceleration');
}

/** The same of a contact, which has to be kept. */
function keptContact(): void {
  falls('contact', 'acceleration');
}

/** A bob that strikes its circle and slides raises no alarm. */
function judged(): void {
  for (const level of LEVELS) {
    const simulation = bob(forms.impact(0.4), 5e-3, level);
    for (let k = 0; k < 300; k++) simulation.advance();
    demand(worstOf(simulation), 1e-11, 'certificate');
    demand(-simulation.events, -3, 'impacts');
  }
}

/** Friction slows a mass down by μ g, and the certificate has nothing to say. */
function sliding(): void {
  const rows = forms.lagrangianRelation([
    [0, 1],
    [1, 0],
  ]);
  const form = forms.linearLagrangian([0, 0], [1, 0], identity(2), { force: [0, -10] });
  const simulation = start(
    {
      systems: [forms.system('mass', form)],
      interactions: [forms.interaction('plane', [0], rows, forms.frictionImpact(0.3))],
    },
    settingsFor([galerkin([0], 'acceleration')], 1e-3),
  );
  for (let k = 0; k < 200; k++) simulation.advance();
  demand(Math.abs(statesOf(simulation).v[0] - 0.4), 1e-10, 'speed');
  demand(worstOf(simulation), 1e-10, 'certificate');
}

export const checks = { book, corner, velocities, accelerations, keptContact, judged, sliding };
