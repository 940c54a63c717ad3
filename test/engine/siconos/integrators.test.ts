/** Schemes of a model in its script for Siconos: one that Siconos has, and a note where it is another. */
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

  it('are refused where Siconos has none', () => {
    expect(siconosScript(ball([{ type: 'SchatzmanPaoli' }]))).toMatchObject({
      ok: false,
      issues: [{ code: 'no-counterpart', remedy: 'Choose MoreauJean.' }],
    });
  });
});
