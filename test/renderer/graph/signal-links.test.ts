/** Lines of the graph that no interaction makes: what control blocks read, and what they drive. */
import { describe, expect, it } from 'vitest';
import type { DocumentReport, ModelDocument } from '@engine/document/types';
import { emptyDocument } from '@renderer/document/factory';
import { signalLinks } from '@renderer/document/signal-links';
import { flowElements } from '@renderer/graph/canvas/flow';
import { buildScene, drawnElements } from '@renderer/graph/canvas/scene';

const REPORT: DocumentReport = { issues: [], parameters: {}, values: {} } as unknown as DocumentReport;

/** A mass on a floor, measured and pushed by a PID through a saturation. */
const model = (): ModelDocument => ({
  ...emptyDocument(null, 3, 'Loop'),
  parameters: [{ name: 'k', value: 2 }],
  systems: [
    {
      id: 'mass',
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [['k']],
      fExt: { signals: ['limit.y - 0.5*k'] },
      q0: ['1.5*k'],
      v0: [0],
    },
    { id: 'pid', type: 'PID', measured: ['mass.q + 1.5'], reference: ['sin(t)*k'], every: 0.01 },
    { id: 'limit', type: 'Saturation', x: ['pid.u', 'floor.gap'], every: 0.01 },
  ],
  interactions: [
    {
      id: 'floor',
      systems: ['mass'],
      relation: { type: 'LagrangianLinear', H: [[1]] },
      law: { type: 'NewtonImpact', e: 0 },
    },
  ],
});

describe('what reads signals', () => {
  it('is found by the names in its expressions, and nothing else is', () => {
    expect(signalLinks(model())).toEqual([
      { from: 'limit', to: 'mass', signals: ['limit.y'] },
      { from: 'mass', to: 'pid', signals: ['mass.q'] },
      { from: 'pid', to: 'limit', signals: ['pid.u'] },
      { from: 'floor', to: 'limit', signals: ['floor.gap'] },
    ]);
  });

  it('is drawn as an arrow to it, which can be told from a link', () => {
    const { edges } = flowElements({ document: model(), report: REPORT, catalogue: null });
    const arrows = edges.filter(({ data }) => data?.isSignal === true);
    expect(arrows.map(({ source, target, label }) => [source, target, label])).toEqual([
      ['limit', 'mass', 'limit.y'],
      ['mass', 'pid', 'mass.q'],
      ['pid', 'limit', 'pid.u'],
      ['floor', 'limit', 'floor.gap'],
    ]);
    expect(arrows.every((edge) => edge.class === 'signal' && edge.markerEnd !== undefined)).toBe(true);
    expect(edges.filter(({ data }) => data?.isSignal !== true)).toHaveLength(1);
  });

  it('is one arrow where a group hides who reads', () => {
    const document = model();
    const layout = {
      nodes: {},
      groups: [{ id: 'g', name: 'Control', members: ['pid', 'limit'], collapsed: true }],
    };
    const drawn = drawnElements(document, REPORT);
    const places = Object.fromEntries(
      ['mass', 'pid', 'limit', 'floor'].map((id, i) => [id, { x: 300 * i, y: 0 }]),
    );
    const { signals } = buildScene(drawn, REPORT, places, layout);
    expect(signals.map(({ source, target, signals: names }) => [source, target, names])).toEqual([
      [expect.stringContaining('g'), 'mass', ['limit.y']],
      ['mass', expect.stringContaining('g'), ['mass.q']],
      ['floor', expect.stringContaining('g'), ['floor.gap']],
    ]);
  });
});
