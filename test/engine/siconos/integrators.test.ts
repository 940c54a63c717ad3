/** Schemes and fields of a model in its script for Siconos, and a note or a refusal where it has others. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { siconosScript } from '@engine/siconos/script';
import { contact, model, particle } from '../support/models';

/** A ball over a floor with integrators of its own. */
function ball(integrators: readonly TypedElement[]): ModelDocument {
  const document = model(
    [particle('ball', 1, 0, { fExt: [-9.81] })],
    [contact('floor', ['ball'], [[1]], 0.5)],
  );
  return { ...document, simulation: { ...document.simulation, integrators: [...integrators] } };
}

function written(document: ModelDocument): { text: string; warnings: readonly string[] } {
  const script = siconosScript(document);
  if (!script.ok) throw new Error(script.issues.map(({ message }) => message).join(' '));
  return script;
}

describe('integrators in scripts for Siconos', () => {
  it('are Moreau–Jean by default, without a note', () => {
    const { text, warnings } = written(ball([]));
    expect(text).toContain('integrator = sk.MoreauJeanOSI(0.5)');
    expect(warnings).toEqual([]);
  });

  it('are Moreau–Jean in place of half steps, with a note and no advice on settings that half steps lack', () => {
    const { text, warnings } = written(ball([{ type: 'MoreauHalfStep' }]));
    expect(text).toContain('integrator = sk.MoreauJeanOSI(0.5)');
    expect(warnings).toEqual([expect.stringMatching(/^Siconos has no half steps: .*MoreauJeanOSI/)]);
  });

  it('are not generalised-α of a flight, which a note names', () => {
    const document = ball([]);
    document.simulation.scheme = 'event-driven';
    document.simulation.eventDriven = { flight: { type: 'GeneralisedAlpha', spectralRadius: 0.5 } };
    expect(written(document).warnings).toEqual([
      expect.stringMatching(/from event to event/),
      expect.stringMatching(/^Generalised-α is not written: NewMarkAlphaOSI .*order 1/),
    ]);
    document.simulation.eventDriven.flight = { type: 'auto' };
    expect(written(document).warnings).toHaveLength(1);
  });

  it('take relations of linear systems at the predicted position, or at the end by iterations', () => {
    const at = (relationPoint: string): ModelDocument => {
      const document = ball([{ type: 'MoreauJean', relationPoint }]);
      document.interactions[0].relation = {
        type: 'LagrangianScleronomous',
        h: { function: 'height' },
      };
      const source = ['export const height = (q, out) => { out[0] = q[0] * q[0] - 1; };'];
      return { ...document, scripts: [{ name: 'height.ts', role: 'functions', source }] };
    };
    const predicted = written(at('predicted'));
    expect(predicted.text).toContain('ball = sk.LagrangianLinearTIDS(');
    expect(predicted.text).toContain('simulation.setNewtonTolerance(1e-12)');
    expect(predicted.warnings).toEqual([]);
    const end = written(at('end'));
    expect(end.text).toContain('ball = sk.LagrangianDS(');
    expect(end.text).toContain('simulation.setNewtonTolerance(0.0)');
    expect(end.warnings).toEqual([]);
    expect(written(at('start')).warnings).toEqual([expect.stringMatching(/relations at the predicted/)]);
    const combined = at('end');
    combined.simulation.integrators[0].projection = 'combined';
    combined.interactions[0].law.e = 0;
    expect(siconosScript(combined)).toMatchObject({
      ok: false,
      issues: [{ pointer: '/simulation', remedy: expect.stringContaining('predicted position') as string }],
    });
    const damped = at('end');
    damped.systems[0].damping = [[1]];
    expect(siconosScript(damped)).toMatchObject({
      ok: false,
      issues: [{ pointer: '/systems/0', remedy: expect.stringContaining('LagrangianNonLinear') as string }],
    });
  });

  it('project positions as Siconos does, combined without restitution only', () => {
    expect(written(ball([{ type: 'MoreauJean', projection: 'yes' }])).text).toContain(
      'sk.TimeSteppingDirectProjection(',
    );
    const two = ball([{ type: 'MoreauJean', projection: 'yes' }]);
    two.interactions.push({ ...two.interactions[0], id: 'other' });
    expect(written(two).warnings.join(' ')).toContain('others may take part');
    const combined = ball([{ type: 'MoreauJean', projection: 'combined' }]);
    expect(siconosScript(combined)).toMatchObject({
      ok: false,
      issues: [{ pointer: '/simulation', remedy: expect.stringContaining('direct') as string }],
    });
    combined.interactions[0].law.e = 0;
    expect(written(combined).text).toContain('sk.TimeSteppingCombinedProjection(');
  });

  it('are refused where Siconos has none', () => {
    expect(siconosScript(ball([{ type: 'SchatzmanPaoli' }]))).toMatchObject({
      ok: false,
      issues: [{ code: 'no-counterpart', remedy: 'Choose MoreauJean.' }],
    });
  });
});

it('joints of coordinates are written on velocities, and refused on positions', () => {
  const document = ball([]);
  Object.assign(document.interactions[0].law, { type: 'Equality', level: 'velocity' });
  delete document.interactions[0].law.e;
  expect(siconosScript(document).ok).toBe(true);
  document.interactions[0].law.level = 'position';
  expect(siconosScript(document)).toMatchObject({
    ok: false,
    issues: [
      {
        code: 'no-counterpart',
        pointer: '/interactions/0',
        element: 'floor',
        message: expect.stringContaining('joints hold their velocities') as string,
      },
    ],
  });
});
