/** γ of relations from scripts, derived from the source of their derivatives: against values by hand. */
import type { InteractionDocument, ModelDocument } from '@engine/document/types';
import type { RelationForm } from '@engine/model/forms';
import { FunctionScripts } from '@engine/script/function-scripts';
import { createSandbox } from '@engine/script/sandbox';
import { prepare } from '@engine/preparation/prepare';
import { describe, expect, it } from 'vitest';
import { body, joint } from '../support/bodies';
import { model, particle } from '../support/models';

const SOURCE = [
  'export const gap: Constraint = (t, q, out) => { out[0] = q[0] * q[0] * q[1] - Math.sin(3 * t) * q[1]; };',
  'export const rate: ConstraintTimeDerivative = (t, q, out) => { out[0] = -3 * Math.cos(3 * t) * q[1]; };',
  'export const jacobian: ConstraintJacobian = (t, q, out) => {',
  '  out[0] = 2 * q[0] * q[1];',
  '  out[1] = q[0] * q[0] - Math.sin(3 * t);',
  '};',
  'export const still: PositionConstraint = (q, out) => { out[0] = q[0] * q[0] * q[1]; };',
  'export const stillJacobian: PositionConstraintJacobian = (q, out) => {',
  '  out[0] = 2 * q[0] * q[1];',
  '  out[1] = q[0] * q[0];',
  '};',
  'export const flat: Constraint = (t, q, out) => { out[0] = q[0] + 2 * q[1] - t ** 3; };',
  'export const flatRate: ConstraintTimeDerivative = (t, q, out) => { out[0] = -3 * t * t; };',
  'export const wave: PrescribedMotion = (t, out) => { out[0] = Math.sin(2 * t); };',
  'export const waveRate: PrescribedMotion = (t, out) => { out[0] = 2 * Math.cos(2 * t); };',
  'export const oddRate: PrescribedMotion = (t, out) => { out[0] = [2 * Math.cos(2 * t)].sort()[0]; };',
  '// What sorting does to a number cannot be followed.',
  'export const odd: ConstraintTimeDerivative = (t, q, out) => { out[0] = [t].map(Math.abs).sort()[0]; };',
];

const f = (name: string): { function: string } => ({ function: name });

type Derivatives = NonNullable<ModelDocument['simulation']['derivatives']>;

/** The relation of two particles as a run has it. */
const relationOf = (
  relation: InteractionDocument['relation'],
  derivatives: Derivatives = 'automatic',
): RelationForm =>
  asRun(
    model(
      [particle('a', 1, 0), particle('b', 1, 0)],
      [{ id: 'pair', systems: ['a', 'b'], relation, law: { type: 'NewtonImpact', e: 0.5 } }],
    ),
    derivatives,
  );

/** The driver of a body. */
const driver = (
  motion: Omit<InteractionDocument['relation'], 'type'>,
  derivatives: Derivatives = 'automatic',
): RelationForm =>
  asRun(
    model([body('crank', [0, 0, 0])], [joint('motor', ['crank'], { type: 'Driver', ...motion })]),
    derivatives,
  );

function asRun(document: ModelDocument, derivatives: Derivatives): RelationForm {
  document.scripts = [{ name: 'pair.ts', role: 'functions', source: SOURCE }];
  document.simulation = { ...document.simulation, derivatives };
  const scripts = new FunctionScripts(document);
  const options = { functionNames: scripts.functionNames };
  prepare(document, { ...options, functions: scripts.functions, derivatives: scripts.request });
  const { prepared, issues } = prepare(document, { ...options, ...scripts.evaluate(createSandbox()) });
  if (prepared === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return prepared.model.interactions[0].relation;
}

const [T, Q, V] = [0.4, Float64Array.of(1.3, -0.7), Float64Array.of(0.9, 2.1)];

const curvature = (relation: RelationForm): number => {
  const out = new Float64Array(1);
  relation.curvature!(Float64Array.of(T), Q, V, out);
  return out[0];
};

describe('the curvature of a relation', () => {
  const [x, y] = Q;
  const [u, w] = V;
  const still = 2 * y * u * u + 4 * x * u * w;

  it('contains all second derivatives where it moves', () => {
    const relation = relationOf({
      type: 'LagrangianRheonomous',
      h: f('gap'),
      hDot: f('rate'),
      jacobian: f('jacobian'),
    });
    const moving = 9 * Math.sin(3 * T) * y - 6 * Math.cos(3 * T) * w;
    expect(curvature(relation)).toBeCloseTo(still + moving, 13);
  });

  it('is that of the coordinates where it does not', () => {
    const relation = relationOf({
      type: 'LagrangianScleronomous',
      h: f('still'),
      jacobian: f('stillJacobian'),
    });
    expect(curvature(relation)).toBeCloseTo(still, 13);
  });

  it('is that of the time where the Jacobian is constant', () => {
    const relation = relationOf({
      type: 'LagrangianRheonomous',
      h: f('flat'),
      hDot: f('flatRate'),
      jacobian: [[1, 2]],
    });
    expect(curvature(relation)).toBeCloseTo(-6 * T, 14);
  });

  it.each([
    ['the time derivative is itself derived', { h: f('gap'), jacobian: f('jacobian') }],
    ['the Jacobian is itself derived', { h: f('gap'), hDot: f('rate') }],
    ['the source cannot be differentiated', { h: f('gap'), hDot: f('odd'), jacobian: f('jacobian') }],
  ])('is left to differences where %s', (_what, fields) => {
    expect(relationOf({ type: 'LagrangianRheonomous', ...fields }).curvature).toBeUndefined();
  });

  it('is left to differences where these are chosen', () => {
    const fields = { h: f('gap'), hDot: f('rate'), jacobian: f('jacobian') };
    const relation = relationOf({ type: 'LagrangianRheonomous', ...fields }, 'finite-differences');
    expect(relation.curvature).toBeUndefined();
  });
});

describe('the curvature of a driver', () => {
  const curvatureOf = (relation: RelationForm): number => {
    const out = new Float64Array(1);
    relation.curvature!(Float64Array.of(T), new Float64Array(3), new Float64Array(3), out);
    return out[0];
  };

  it('is that of its motion where the rate is given', () => {
    const relation = driver({ motion: f('wave'), motionRate: f('waveRate') });
    expect(curvatureOf(relation)).toBeCloseTo(4 * Math.sin(2 * T), 14);
  });

  it.each<[string, Omit<InteractionDocument['relation'], 'type'>, Derivatives?]>([
    ['the rate is itself derived', { motion: f('wave') }],
    ['the source of the rate cannot be differentiated', { motion: f('wave'), motionRate: f('oddRate') }],
    ['differences are chosen', { motion: f('wave'), motionRate: f('waveRate') }, 'finite-differences'],
  ])('is left to differences where %s', (_what, motion, derivatives) => {
    expect(driver(motion, derivatives).curvature).toBeUndefined();
  });
});
