/**
 * All Jacobians of a model: which agree with derived ones, which differ and where, and how the rest are
 * obtained.
 */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, ModelDocument, TypedElement } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { type DerivativeReview, reviewDerivatives } from '@engine/inspection/derivative-review';
import { model, particle, withFunctions } from './support/models';

const review = (document: ModelDocument, allowed = true): DerivativeReview =>
  reviewDerivatives(document, undefined, { sandbox: createSandbox, begin: () => allowed });

/** A particle above a gap h = t q². */
function gapped(fields: Partial<TypedElement>, ...lines: string[]): ModelDocument {
  const contact: InteractionDocument = {
    id: 'contact',
    systems: ['ball'],
    relation: { type: 'LagrangianRheonomous', h: { function: 'gap' }, ...fields },
    law: { type: 'NewtonImpact', e: 0.5 },
  };
  return withFunctions(
    model([particle('ball', 3, 0)], [contact], { h: 1e-3, tEnd: 2 }),
    'export const gap: Constraint = (t, q, out, p) => { out[0] = q[0] * q[0] - t; };',
    ...lines,
  );
}

const GIVEN = { jacobian: { function: 'slope' } };

describe('the review of derivatives', () => {
  it('says of a right Jacobian how well it agrees, and of the others that they are derived', () => {
    const { given, derived } = review(
      gapped(GIVEN, 'export const slope = (t, q, out) => { out[0] = 2 * q[0]; };'),
    );
    expect(given).toHaveLength(1);
    expect(given[0]).toMatchObject({
      element: 'contact',
      function: 'gap',
      jacobian: 'slope',
      by: 'q',
      status: 'agrees',
      place: { name: 'functions.ts', line: 2, column: 14 },
    });
    expect(given[0].error).toBeLessThan(1e-12);
    expect(given[0].points).toBeGreaterThan(3);
    expect(derived).toContainEqual(
      expect.objectContaining({ element: 'contact', function: 'gap', by: 't', how: 'automatic' }),
    );
  });

  it('names the entries that differ, with both values and the state', () => {
    const [jacobian] = review(
      gapped(GIVEN, 'export const slope = (t, q, out) => { out[0] = -2 * q[0]; };'),
    ).given;
    expect(jacobian).toMatchObject({ status: 'differs', differing: 1 });
    const [entry] = jacobian.differences;
    expect(entry).toMatchObject({ row: 0, column: 0 });
    expect(entry.given).toBeCloseTo(-entry.derived, 12);
    expect(entry.at).toMatch(/^at /);
  });

  it('says what cannot be derived and why, until differences are chosen', () => {
    const document = gapped({}, 'let last = 0;', 'export const other = () => { last++; };');
    document.scripts[0].source[0] =
      'export const gap = (t, q, out) => { last = last + 1; out[0] = q[0] - last; }; let last = 0;';
    document.scripts[0].source[1] = '';
    const refused = review(document).derived;
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ how: 'refused', place: { name: 'functions.ts', line: 1 } });
    expect(refused[0].reason).not.toBe('');
    document.simulation.derivatives = 'finite-differences';
    expect(review(document).derived.every(({ how }) => how === 'finite-differences')).toBe(true);
  });

  it('leaves unchecked what may not be executed, or fails everywhere', () => {
    const document = gapped(GIVEN, 'export const slope = () => { throw new Error("no"); };');
    expect(review(document).given[0].status).toBe('unchecked');
    expect(review(document, false).given[0].status).toBe('unchecked');
  });
});
