/** What the fake host says of contacts: their states, what they take, the certificate, a one-step problem. */
import type { MethodName, MethodParams, MethodResult } from '@contract/methods';

type Asked = 'run.lanes' | 'run.losses' | 'run.certificate' | 'run.problem';
type Answers = { [M in Asked & MethodName]: (params: MethodParams<M>) => MethodResult<M> };

const curveOf = (...y: number[]) => ({ t: Float64Array.of(0, 1, 2), y: Float64Array.from(y) });

export const constraintAnswers: Answers = {
  'run.lanes': ({ runId }) => ({
    runId,
    rows: 3,
    recordedFrom: 0,
    recordedTo: 2,
    known: ['contact'],
    missing: [],
    lanes: [
      {
        name: 'contact',
        element: 'contact',
        stateNames: ['open', 'closed'],
        t: Float64Array.of(0, 0.5),
        states: Uint8Array.of(1, 2),
        end: 2,
        impactTimes: Float64Array.of(0.5),
        seconds: Float64Array.of(0.5, 1.5),
        changes: 1,
        impacts: 1,
        rowsPerStretch: 1,
      },
    ],
  }),
  'run.problem': ({ time }) => ({
    problem: {
      time,
      h: 1e-3,
      formulation: 'affine',
      rows: [
        { name: 'contact[0]', element: 'contact' },
        { name: 'contact[1]', element: 'contact' },
      ],
      allRows: 3,
      rowStart: Int32Array.of(0, 2, 4),
      columns: Int32Array.of(0, 1, 0, 1),
      values: Float64Array.of(2, -1, -1, 0.002),
      q: Float64Array.of(-1, 0.5),
      z: Float64Array.of(0.5, 0),
      w: Float64Array.of(0, 0),
      bounds: { lower: Float64Array.of(0, 0), upper: Float64Array.of(Infinity, Infinity) },
      isSymmetric: true,
      spectrum: [0.001, 2.4],
    },
  }),
  'run.certificate': ({ runId }) => ({
    runId,
    from: 0,
    t: Float64Array.of(1, 2),
    dynamics: Float64Array.of(1e-15, 2e-14),
    complementarity: Float64Array.of(0, 1e-16),
    coneViolation: Float64Array.of(0, 0),
    energyDrift: Float64Array.of(1e-9, 2e-9),
  }),
  'run.losses': ({ runId }) => ({
    runId,
    rows: 3,
    recordedFrom: 0,
    recordedTo: 2,
    known: ['contact'],
    missing: [],
    every: 1,
    t: Float64Array.of(0, 1, 2),
    energies: [
      { name: 'energy.kinetic', values: Float64Array.of(2, 1, 0), start: 2, curve: curveOf(2, 1, 0) },
      { name: 'energy.potential', values: Float64Array.of(0, 0, 0), start: 0, curve: curveOf(0, 0, 0) },
    ],
    total: curveOf(2, 1, 0),
    rowsPerBucket: 1,
    lost: [
      {
        name: 'contact',
        element: 'contact',
        parts: ['normal', 'tangential'],
        normal: Float64Array.of(0, 0.5, 1),
        tangential: Float64Array.of(0, 0.25, 0.5),
        largest: [{ t: 0.5, normal: 0.5, tangential: 0.25 }],
      },
    ],
  }),
};
