/**
 * Observers that sample, by the laws of the control blocks of the same names. What drives the plant is read
 * just before a sample, where it is what has been held over the period behind it: so an estimate and a
 * controller that uses it may sample together.
 */
import * as luenberger from '../../control/luenberger-observer';
import * as sliding from '../../control/reduced-order-observer';
import type { FieldReader } from '../../field-reader';
import type { Circuit, SignalPart, Term } from '../circuit';
import type { ComponentType } from '../component';
import { block, columnOfPins } from './block';
import { giveAll, inputsAt, ports, rowOf, sumOf, withSignals } from './ports';
import { CLOCK, samplesOf } from './sampled';

const MEASURED = ports('y', 3);
const CONTROLS = ports('u', 3);
const ESTIMATES = ports('x', 6);

type Core = typeof luenberger | typeof sliding;

const observer = (
  { definition, build }: Core,
  parts: { type: string; words: readonly string[]; equations: readonly string[] },
  isCorrected: boolean,
): ComponentType => ({
  definition: block(
    {
      type: parts.type,
      title: definition.title,
      summary: `${definition.summary} C has a row for each measured signal, B a column for each control; their wires are at y1, y2, … and u1, u2, ….`,
      family: 'Sampled',
      words: parts.words,
      equations: parts.equations,
      fields: [
        ...definition.fields.filter(
          ({ kind, key }) => kind !== 'signals' && key !== 'every' && key !== 'offset',
        ),
        ...CLOCK,
      ],
      source: definition.source,
      pins: columnOfPins(
        [
          ...MEASURED.map((name, k) => [name, `Measured ${k + 1}`, 'isFree'] as const),
          ...CONTROLS.map((name, k) => [name, `Control ${k + 1}`, 'isFree'] as const),
        ],
        ESTIMATES.map((name, k) => [name, `Estimate of state ${k + 1}`]),
      ),
      quantities: ESTIMATES.map((name, k) => ({ name, unit: '', description: `Estimate of state ${k + 1}` })),
    },
    { texts: [{ x: 0, y: 0, text: 'x̂' }] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    giveAll(circuit, ESTIMATES, estimates(fields, circuit, build, isCorrected) ?? []);
  },
});

/** Null after a reported defect. */
function estimates(
  fields: FieldReader,
  circuit: Circuit,
  build: Core['build'],
  isCorrected: boolean,
): Term[][] | null {
  const y = inputsAt(fields, circuit, MEASURED, {
    ...{ count: fields.matrixRows('C'), key: 'C', what: 'C, with a row for each measured signal,' },
  });
  const u = inputsAt(fields, circuit, CONTROLS, {
    ...{ count: fields.matrixColumns('B'), key: 'B', what: 'B, with a column for each control,' },
  });
  const period = fields.number('period');
  if (y === null || u === null || !(period > 0)) return null;
  const own = withSignals(fields, { measured: y.length, control: u.length });
  const read = luenberger.readObserver(own, period, isCorrected);
  const law = read === null ? null : build(own, period);
  if (read === null || law === null) return null;
  const { n, p, c, x0, phi, psiB, psiL } = read;
  if (n > ESTIMATES.length) {
    fields.reject(
      'A',
      'too-many-states',
      `The plant has ${n} states, and the block gives up to ${ESTIMATES.length} estimates.`,
      'Leave out states that nothing reads, or write a control block of the same name as text.',
    );
    return null;
  }
  const when = samplesOf(fields);
  const jumps = Array.from({ length: n }, (): SignalPart[] => []);
  // The first estimate is what the law gives of a start, which is affine in what is measured.
  const first = startOf(law, { n, p, inputs: y.length + u.length });
  const states = jumps.map((to, i) =>
    circuit.memory(
      isCorrected ? [`${String(first.constant[i])} + `, sumOf(rowOf(first.byMeasured, i, y))] : x0[i],
      [{ when, to }],
    ),
  );
  const before = isCorrected
    ? y
    : y.map((term) => circuit.memory([sumOf([term])], [{ when, to: [sumOf([term])] }]));
  jumps.forEach((to, i) => {
    const predicted = (k: number): Term[] => [...rowOf(phi, k, states), ...rowOf(psiB, k, u)];
    // What is measured beside what the model has there: of the last sample, or of this one.
    const innovation = y.flatMap((_, r): Term[] => {
      const gain = psiL[i * p + r];
      const scaled = (terms: readonly Term[], by: number): Term[] =>
        by === 0 ? [] : terms.map((term) => ({ ...term, factor: by * term.factor }));
      const model = states.flatMap((state, k) =>
        scaled(isCorrected ? predicted(k) : [state], -gain * c[r * n + k]),
      );
      return [...scaled([before[r]], gain), ...model];
    });
    to.push(sumOf([...predicted(i), ...innovation]));
  });
  return states.map((state) => [state]);
}

/** x̂_0 = constant + Σ byMeasured y of a law at its first sample. */
function startOf(
  law: NonNullable<ReturnType<Core['build']>>,
  { n, p, inputs }: { readonly n: number; readonly p: number; readonly inputs: number },
): { constant: Float64Array; byMeasured: Float64Array } {
  const given = new Float64Array(inputs);
  const constant = new Float64Array(n);
  law.output(law.start, given, constant);
  const byMeasured = new Float64Array(n * p);
  const out = new Float64Array(n);
  for (let r = 0; r < p; r++) {
    given.fill(0);
    given[r] = 1;
    law.output(law.start, given, out);
    for (let i = 0; i < n; i++) byMeasured[i * p + r] = out[i] - constant[i];
  }
  return { constant, byMeasured };
}

export const luenbergerObserver = observer(
  luenberger,
  {
    type: 'ObserverBlock',
    words: ['observer', 'Luenberger', 'estimator', 'state estimate', 'Beobachter', 'Kalman', 'observateur'],
    equations: ['\\hat x_{k} = \\Phi \\hat x_{k-1} + \\Psi_B u_{k-1} + \\Psi_L (y_{k-1} - C \\hat x_{k-1})'],
  },
  false,
);

export const slidingObserver = observer(
  sliding,
  {
    type: 'SlidingObserver',
    words: ['observer', 'sliding observer', 'reduced order', 'estimator', 'Beobachter'],
    equations: [
      '\\bar x_k = \\Phi \\hat x_{k-1} + \\Psi_B u_{k-1}',
      '\\hat x_k = \\bar x_k + \\Psi_L (y_k - C \\bar x_k), \\quad C \\hat x_0 = y_0',
    ],
  },
  true,
);
