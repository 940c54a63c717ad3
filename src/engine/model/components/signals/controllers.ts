/**
 * Controllers of states: linear feedback at every instant, and laws of sliding modes that sample, by the
 * equations of the control blocks of the same names (`model/control`). An implicit law takes its signs at the
 * end of the period. Of one control it has a closed form: what it predicts is affine in the control u, and u
 * plus signs of affine functions of u with weights is zero at one point, a median.
 */
import { discretise, matrixOf, multiply, product, readShaped } from '../../control/discrete-model';
import * as sliding from '../../control/sliding-mode-control';
import * as superTwistingLaw from '../../control/super-twisting';
import * as twistingLaw from '../../control/twisting';
import type { FieldReader } from '../../field-reader';
import type { Circuit, SignalPart, Term } from '../circuit';
import { type ComponentType, signalIn } from '../component';
import { block, columnOfPins, give, OUTPUT_PIN, plain, times } from './block';
import { giveAll, inputsAt, ports, rowOf, sumOf } from './ports';
import { CLOCK, samplesOf } from './sampled';

const STATES = ports('x', 6);
const REFERENCES = ports('r', 2);
const CONTROLS = ports('u', 3);

export const stateFeedback: ComponentType = {
  definition: block(
    {
      type: 'FeedbackOfStates',
      title: 'Linear state feedback',
      summary:
        'Controls proportional to states, measured or estimated, and to references. K has a row for each control and a column for each state at x1, x2, …; N a column for each reference at r1, r2.',
      family: 'Control',
      words: ['state feedback', 'LQR', 'pole placement', 'gain', 'Zustandsregler', 'Zustandsrückführung'],
      equations: ['u = -K x + N r'],
      fields: [
        matrixOf('K', 'Gain', 'K', 'any', 'A row for each control, a column for each state.'),
        matrixOf('N', 'Gain of the reference', 'N', 'any', 'As many rows as K.', false),
      ],
      source: 'Åström and Murray 2008, §6.2',
      pins: columnOfPins(
        [
          ...STATES.map((name, k) => [name, `State ${k + 1}`, 'isFree'] as const),
          ...REFERENCES.map((name, k) => [name, `Reference ${k + 1}`, 'isFree'] as const),
        ],
        CONTROLS.map((name, k) => [name, `Control ${k + 1}`]),
      ),
      quantities: CONTROLS.map((name, k) => ({ name, unit: '', description: `Control ${k + 1}` })),
    },
    { texts: [{ x: 0, y: 0, text: '−K' }] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const [rows, columns] = [fields.matrixRows('K'), fields.matrixColumns('K')];
    const x = inputsAt(fields, circuit, STATES, { count: columns, key: 'K', what: 'K' });
    const r = inputsAt(fields, circuit, REFERENCES, {
      ...{ count: fields.matrixColumns('N'), key: 'N', what: 'N' },
    });
    const beyond = CONTROLS.slice(rows).find((pin) => circuit.isWired(pin));
    if (rows > CONTROLS.length || beyond !== undefined)
      fields.reject(
        'K',
        'signal-count',
        beyond === undefined
          ? `K has ${rows} rows, and the block has ${CONTROLS.length} outputs.`
          : `K has ${rows === 1 ? 'one row' : `${rows} rows`}, and a wire is at the output “${beyond}”.`,
        beyond === undefined ? 'Divide it into several blocks.' : 'Give K a row for it, or remove the wire.',
      );
    const K = readShaped(fields, 'K', rows, columns);
    const N = r === null || r.length === 0 ? null : readShaped(fields, 'N', rows, r.length);
    giveAll(
      circuit,
      CONTROLS,
      x === null || r === null || K === null
        ? []
        : Array.from({ length: Math.min(rows, CONTROLS.length) }, (_, i) => [
            ...rowOf(K, i, x).map((term) => times(-1, term)),
            ...(N === null ? [] : rowOf(N, i, r)),
          ]),
    );
  },
};

/** Fields of a control block that its drawn form has as well. */
const fieldsOf = ({ definition }: typeof sliding | typeof superTwistingLaw | typeof twistingLaw) =>
  definition.fields.filter(({ kind, key }) => kind !== 'signals' && key !== 'every' && key !== 'offset');

const clipped = (parts: readonly SignalPart[], by: number): SignalPart[] => [
  'min(max(',
  ...parts,
  `, ${plain(-by)}), ${plain(by)})`,
];

const signOf = (parts: readonly SignalPart[]): SignalPart[] => ['sign(', ...parts, ')'];

/** Reports a model that the control does not move in the sense of its sign. */
function isMoved(fields: FieldReader, key: string, gains: readonly number[]): boolean {
  if (gains.every((gain) => gain > 0)) return true;
  fields.reject(
    key,
    'surface-not-controlled',
    'Within a period the control does not move the sliding variable in its own direction: the implicit law has no solution, or several.',
    'Take a shorter period, another surface, or the explicit law.',
  );
  return false;
}

export const slidingMode: ComponentType = {
  definition: block(
    {
      type: 'SlidingMode',
      title: 'Sliding-mode controller',
      summary:
        'Drives a linear sliding variable σ = C x of the states at x1, x2, … to zero and keeps it there, with or without an equivalent part: implicitly without chattering. One control; a column in B, a row in C.',
      family: 'Sampled',
      words: [
        'sliding mode',
        'SMC',
        'relay',
        'chattering',
        'equivalent control',
        'Gleitregelung',
        'mode glissant',
      ],
      equations: sliding.definition.equations,
      fields: [...fieldsOf(sliding), ...CLOCK],
      source: sliding.definition.source,
      pins: columnOfPins(
        STATES.map((name, k) => [name, `State ${k + 1}`, 'isFree']),
        [['y', 'Control']],
      ),
    },
    { lines: ['M-20 12H0V-12H20M-16 -16L16 16'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const n = fields.matrixRows('A');
    const x = inputsAt(fields, circuit, STATES, { count: n, key: 'A', what: 'A' });
    const [period, alpha, theta] = ['period', 'alpha', 'theta'].map((key) => fields.number(key));
    const [A, B, C] = [
      readShaped(fields, 'A', n, n),
      readShaped(fields, 'B', n, 1),
      readShaped(fields, 'C', 1, n),
    ];
    if (x === null || A === null || B === null || C === null || !(period > 0)) {
      give(circuit, []);
      return;
    }
    const { phi, psi } = discretise(A, B, n, 1, period);
    const gain =
      fields.choice('equivalent') === 'yes'
        ? sliding.equivalentPart({ A, B, C, phi, psi }, n, 1, theta)
        : new Float64Array(n);
    const moved = product(C, psi, 1, n, 1)[0];
    const isImplicit = fields.choice('method') === 'implicit';
    if (gain === null) isMoved(fields, 'C', [0]);
    if (gain === null || (isImplicit && !isMoved(fields, 'C', [moved]))) {
      give(circuit, []);
      return;
    }
    const equivalent = sumOf(rowOf(gain, 0, x));
    // What σ would be at the end of the period with the equivalent part alone.
    const free = product(C, phi, 1, n, n).map((value, j) => value + moved * gain[j]);
    const part = isImplicit
      ? clipped(
          [
            sumOf(
              rowOf(
                free.map((value) => -value / moved),
                0,
                x,
              ),
            ),
          ],
          alpha,
        )
      : [`${plain(-alpha)}*`, ...signOf([sumOf(rowOf(C, 0, x))])];
    giveSampled(fields, circuit, ['(', equivalent, ') + ', ...part]);
  },
};

/** Gives what an expression is at the samples. */
function giveSampled(fields: FieldReader, circuit: Circuit, law: readonly SignalPart[]): void {
  give(circuit, [circuit.memory(law, [{ when: samplesOf(fields), to: law }])]);
}

export const twisting: ComponentType = {
  definition: block(
    {
      type: 'TwistingController',
      title: 'Twisting controller',
      summary:
        'Second-order sliding mode: drives a variable at u and its rate at v to zero by their signs, implicitly without chattering.',
      family: 'Sampled',
      words: ['twisting', 'sliding mode', 'second order', 'SMC', 'Gleitregelung zweiter Ordnung'],
      equations: twistingLaw.definition.equations,
      fields: [...fieldsOf(twistingLaw), ...CLOCK],
      source: twistingLaw.definition.source,
      pins: [signalIn('u', 'Variable', -40, -20), signalIn('v', 'Rate', -40, 20), OUTPUT_PIN],
    },
    { lines: ['M-18 0C-18 -18 14 -16 14 0S-10 12 -10 0S6 -7 6 0S0 4 0 0'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const x = ['u', 'v'].map((pin) => circuit.input(pin));
    const [gain, beta, T] = ['gain', 'beta', 'period'].map((key) => fields.number(key));
    const A = fields.has('A') ? readShaped(fields, 'A', 2, 2) : Float64Array.of(0, 1, 0, 0);
    if (!twistingLaw.checkRatio(fields, beta) || A === null || !(T > 0)) {
      give(circuit, []);
      return;
    }
    if (fields.choice('method') === 'explicit') {
      const [s, rate] = x.map((term) => signOf([{ sum: [term] }]));
      giveSampled(fields, circuit, [`${plain(-gain)}*(`, ...s, ` + ${plain(beta)}*`, ...rate, ')']);
      return;
    }
    // u + p Sgn(σ⁺ + ½ T σ̇⁺) + q Sgn σ̇⁺ ∋ 0: λ stands in the corner of K that the signs of the sides give.
    const { phi, psi } = discretise(A, Float64Array.of(0, 1), 2, 1, T);
    const [p, q] = [gain * (1 + (beta * T) / 2), gain * beta];
    const side = Float64Array.of(1, T / 2);
    const moved = [side[0] * psi[0] + side[1] * psi[1], psi[1]];
    if (!isMoved(fields, 'A', moved)) {
      give(circuit, []);
      return;
    }
    const free = new Float64Array(2);
    multiply(Float64Array.of(phi[0], phi[2], phi[1], phi[3]), side, 2, 2, free);
    // Controls at which each of the two is zero at the end of the period.
    const first = sumOf(
      rowOf(
        free.map((value) => -value / moved[0]),
        0,
        x,
      ),
    );
    const second = sumOf(
      rowOf(
        phi.subarray(2).map((value) => -value / moved[1]),
        0,
        x,
      ),
    );
    const most = plain(p + q);
    const between: SignalPart[] = ['(', first, ' < ', second, ` ? ${plain(q - p)} : ${plain(p - q)})`];
    const law: SignalPart[] = [
      ...[`min(${most}, max(min(`, first, ', ', second, '), min('],
      ...[...between, ', max(max(', first, ', ', second, `), -${most}))))`],
    ];
    giveSampled(fields, circuit, law);
  },
};

export const superTwisting: ComponentType = {
  definition: block(
    {
      type: 'SuperTwistingController',
      title: 'Super-twisting controller',
      summary:
        'Second-order sliding mode with a continuous control: drives its input, whose rate is the control and a disturbance of bounded rate, to zero; implicitly without chattering.',
      family: 'Sampled',
      words: ['super-twisting', 'supertwisting', 'sliding mode', 'STA', 'SMC', 'Gleitregelung'],
      equations: superTwistingLaw.definition.equations,
      fields: [...fieldsOf(superTwistingLaw), ...CLOCK],
      source: superTwistingLaw.definition.source,
    },
    { lines: ['M-18 0C-18 -18 14 -16 14 0S-10 12 -10 0M-20 16H20'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const sigma: SignalPart = { sum: [circuit.input('u')] };
    const [k1, k2, T] = ['k1', 'k2', 'period'].map((key) => fields.number(key));
    const when = samplesOf(fields);
    /** The sign and the root of |σ̃| that a sample takes. */
    const taken = (w: SignalPart): { sign: SignalPart[]; root: SignalPart[] } => {
      if (fields.choice('method') === 'explicit')
        return { sign: signOf([sigma]), root: ['sqrt(abs(', sigma, '))'] };
      const within = T * T * k2;
      const half = 0.5 * T * k1;
      const b: SignalPart[] = ['(', sigma, ` + ${plain(T)}*`, w, ')'];
      const rest: SignalPart[] = ['max(abs', ...b, ` - ${plain(within)}, 0)`];
      return {
        sign: clipped([...b, `/${plain(within)}`], 1),
        root: ['(', ...rest, `/(${plain(half)} + sqrt(${plain(half * half)} + `, ...rest, ')))'],
      };
    };
    const isImplicit = fields.choice('method') === 'implicit';
    const grown = (w: SignalPart): SignalPart[] => [w, ` - ${plain(T * k2)}*`, ...taken(w).sign];
    const output = (w: SignalPart): SignalPart[] => [
      ...[`${plain(-k1)}*`, ...taken(w).root, '*', ...taken(w).sign, ' + '],
      ...(isImplicit ? ['(', ...grown(w), ')'] : [w]),
    ];
    const to: SignalPart[] = [];
    const w: Term = circuit.memory(grown('0'), [{ when, to }]);
    const own: SignalPart = { sum: [w] };
    to.push(...grown(own));
    give(circuit, [circuit.memory(output('0'), [{ when, to: output(own) }])]);
  },
};
