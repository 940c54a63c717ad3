/** Settings of the scheme that is not chosen. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SimulationDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { run } from '../support/run';
import { model, particle } from '../support/models';

const withSettings = (simulation: Partial<SimulationDocument>): ModelDocument => {
  const document = model([particle('m', 0, 0)], []);
  return { ...document, simulation: { ...document.simulation, tEnd: 0.01, h: 0.01, ...simulation } };
};

describe('what is set for the other scheme', () => {
  it.each<[string, string, Partial<SimulationDocument>]>([
    [
      'an integrator',
      '/simulation/integrators/0',
      { scheme: 'event-driven', integrators: [{ type: 'D1MinusLinear' }] },
    ],
    [
      'step control',
      '/simulation/stepControl',
      { scheme: 'event-driven', stepControl: { tolerance: 1e-4, hMin: 1e-9, hMax: 0.1 } },
    ],
    [
      'a method for the motion between events',
      '/simulation/eventDriven/flight',
      { scheme: 'time-stepping', eventDriven: { flight: { type: 'GeneralisedAlpha' } } },
    ],
    [
      'the smallest bounce',
      '/simulation/eventDriven/smallestBounce',
      { scheme: 'time-stepping', eventDriven: { smallestBounce: 1e-9 } },
    ],
  ])('is warned of before a run and by it: %s', (_, pointer, simulation) => {
    const document = withSettings(simulation);
    const { issues } = reportDocument(document);
    expect(issues).toMatchObject([{ severity: 'warning', code: 'setting-of-other-scheme', pointer }]);
    const { session } = run(document);
    expect(session.warnings.join(' ')).toContain('under this scheme it has no effect');
  });

  it.each<[string, Partial<SimulationDocument>]>([
    ['event-driven', { integrators: [{ type: 'MoreauJean', theta: 0.6 }] }],
    ['event-driven', { eventDriven: { flight: { type: 'GeneralisedAlpha' } } }],
    ['time-stepping', { integrators: [{ type: 'D1MinusLinear' }] }],
    ['time-stepping', { eventDriven: { flight: { type: 'auto' } } }],
  ])('is not what a run takes, or stands in reserve: %s %o', (scheme, simulation) => {
    const document = withSettings({ scheme: scheme as SimulationDocument['scheme'], ...simulation });
    expect(reportDocument(document).issues).toEqual([]);
    expect(run(document).session.warnings).toEqual([]);
  });
});
