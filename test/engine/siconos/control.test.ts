/** Sampled controls in scripts for Siconos: what its control toolbox lacks is refused where it stands. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SystemDocument } from '@engine/document/types';
import { siconosScript } from '@engine/siconos/script';
import { controlled } from '../control/documents';
import { contact } from '../support/models';

const MATRICES = {
  A: [
    [0, 1],
    [-2, -0.3],
  ],
  B: [[0], [1]],
};
const STATES = ['plant.x[0]', 'plant.x[1]'];
const pid = { id: 'block', type: 'PID', measured: [STATES[0]], reference: ['0.5'], kp: 1, every: 0.05 };
const observer = {
  id: 'observer',
  type: 'LuenbergerObserver',
  measured: [STATES[0]],
  control: ['block.u'],
  ...MATRICES,
  C: [[1, 0]],
  L: [[3], [4]],
  every: 0.05,
};
const sliding = { id: 'block', type: 'SlidingModeControl', x: STATES, ...MATRICES, C: [[1, 1]], every: 0.05 };

const model = (blocks: SystemDocument[], plant: Partial<SystemDocument> = {}): ModelDocument => {
  const document = controlled({ A: MATRICES.A, T: MATRICES.B, u: ['block.u'], x0: [1, 0] }, blocks, {
    h: 0.025,
  });
  Object.assign(document.systems[0], plant);
  return document;
};

/** [what, document, place, remedy] */
const refused: [string, ModelDocument, string, RegExp][] = [
  [
    'a block that Siconos lacks',
    model([pid, { id: 'late', type: 'Delay', x: ['block.u'], samples: 2, every: 0.05 }]),
    '/systems/2',
    /PID/,
  ],
  ['bounds of a PID', model([{ ...pid, upper: 3 }]), '/systems/1', /bounds/],
  ['a reference in time', model([{ ...pid, reference: ['sin(t)'] }]), '/systems/1', /number/],
  ['a period between steps', model([{ ...pid, every: 0.03 }]), '/systems/1', /divides/],
  ['no sample at the start', model([{ ...pid, offset: 0.01 }]), '/systems/1', /start of the run/],
  ['a measured sum', model([{ ...pid, measured: ['plant.x[0] + plant.x[1]'] }]), '/systems/1', /sensor/],
  [
    'another model of the plant',
    model([{ ...sliding, B: [[0], [2]] }]),
    '/systems/1',
    /A and B of the plant/,
  ],
  ['a part of the state', model([{ ...sliding, x: [STATES[1], STATES[0]] }]), '/systems/1', /order/],
  [
    'twisting, implicit',
    model([{ id: 'block', type: 'Twisting', x: STATES, gain: 1, every: 0.05 }]),
    '/systems/1',
    /explicit/,
  ],
  [
    'twisting of a scaled control',
    model([{ id: 'block', type: 'Twisting', x: STATES, gain: 1, method: 'explicit', every: 0.05 }], {
      T: [[0], [2]],
    }),
    '/systems/1',
    /scale/,
  ],
  [
    'order 2 of two states',
    model([
      {
        id: 'block',
        type: 'SlidingModeOT2',
        x: STATES,
        ...MATRICES,
        C: [[1, 1]],
        alpha: 2,
        every: 0.05,
      },
    ]),
    '/systems/1',
    /SlidingModeControl/,
  ],
  ['a controller of nothing', model([pid, { ...pid, id: 'spare' }]), '/systems/2', /field u/],
  [
    'a control that is changed on its way',
    model([pid], { u: { signals: ['2*block.u'] } }),
    '/systems/0/u',
    /outputs/,
  ],
  ['a plant that changes in time', model([pid], { b: { function: 'wind' } }), '/systems/0', /numbers/],
  ['an observer of a pushed plant', model([pid, observer], { b: [0, 1] }), '/systems/2', /Remove b/],
  ['an observer slower than the control', model([pid, { ...observer, every: 0.1 }]), '/systems/2', /often/],
  ['an observer of another control', model([pid, { ...observer, control: [] }]), '/systems/2', /controls/],
  [
    'a sensor that passes controls through',
    model([
      pid,
      { id: 'gauge', type: 'LinearSensor', x: STATES, C: [[1, 0]], D: [[1]], u: ['block.u'], every: 0.05 },
    ]),
    '/systems/2',
    /Remove D/,
  ],
  [
    'a mechanism',
    model([pid], { type: 'LagrangianLinearTI', ndof: 1, mass: [[1]] }),
    '/systems/0',
    /Linearise/,
  ],
  [
    'an interaction',
    { ...model([pid]), interactions: [contact('floor', ['plant'], [[1, 0]], 0)] },
    '/interactions/0',
    /interaction/,
  ],
  [
    'another integrator',
    { ...model([pid]), simulation: { ...model([pid]).simulation, integrators: [{ type: 'EulerMoreau' }] } },
    '/simulation',
    /ZeroOrderHold/,
  ],
];

describe('sampled controls in scripts for Siconos', () => {
  it('are those of its control toolbox', () => {
    const script = siconosScript(model([pid, observer]));
    if (!script.ok) throw new Error(script.issues.map(({ message }) => message).join(' '));
    expect(script.text).toContain('simulation = ControlZOHSimulation(t0, t_end + h, h)');
    expect(script.text).toContain('block = controllers.PID(block_sensor, np.array([[0], [1]], dtype=float))');
    expect(script.text).toContain('observer = observers.LuenbergerObserver(observer_sensor, ');
    expect(script.warnings).toEqual([]);
  });

  it.each(refused)('refuse %s', (_what, document, pointer, remedy) => {
    const script = siconosScript(document);
    if (script.ok) throw new Error('written');
    const issue = script.issues.find((one) => one.pointer === pointer);
    expect(issue, JSON.stringify(script.issues)).toBeDefined();
    expect(issue?.code).toBe('no-counterpart');
    expect(issue?.remedy).toMatch(remedy);
  });
});
