/** Laws row by row: the same as plain laws bit for bit, parts that come and go, defects at their places. */
import { describe, expect, it } from 'vitest';
import type {
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SchemeName,
  TypedElement,
} from '@engine/document/types';
import { LinkedRows, SystemTerms } from '@engine/event-driven/certificate/linked-rows';
import { createEventMaxima, RowCheck } from '@engine/event-driven/certificate/row-check';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { createStepMaxima } from '@engine/time-stepping/certificate/dynamics-check';
import { reportDocument } from '@engine/preparation/report';
import { sample } from '../../support/prove';
import { linear, resetting, SCHEMES } from '../resets/documents';
import { particle, model, contact } from '../support/models';
import * as forms from '../support/forms';
import { type Random, seeded } from '../support/random';
import { type Run, run } from '../support/run';

const perRow = (...laws: TypedElement[]): TypedElement => ({ type: 'PerRow', laws });
const COMPLEMENTARITY: TypedElement = { type: 'Complementarity' };
const EQUALITY: TypedElement = { type: 'Equality' };
const ZENER: TypedElement = {
  type: 'PiecewiseLinear',
  points: [
    [-0.5, 0],
    [0.5, 0],
  ],
  start: [1, -2],
  end: [1, -2],
};
/** There while a condition is not negative. */
const when = (condition: string): FieldValue => ({ type: 'Condition', condition: [condition] });

interface Circuit {
  readonly A: number[][];
  readonly b: number[];
  readonly x0: number[];
  readonly C: number[][];
  readonly B: number[][];
  readonly D: number[][];
}

/** States with leaks and rows that resistances couple: D is positive definite. */
function draw(random: Random, n: number, rows: number): Circuit {
  const matrix = (m: number, k: number, size: number): number[][] =>
    Array.from({ length: m }, () => Array.from({ length: k }, () => random.uniform(-size, size)));
  const R = matrix(rows, rows, 0.7);
  const C = matrix(rows, n, 1);
  return {
    A: matrix(n, n, 2).map((row, i) => row.map((entry, j) => (i === j ? -2 : entry))),
    b: matrix(1, n, 3)[0],
    x0: matrix(1, n, 1)[0],
    C,
    B: C[0].map((_, j) => C.map((row) => row[j])),
    D: R.map((_, i) =>
      R.map((_other, j) => R.reduce((sum, row) => sum + row[i] * row[j], i === j ? 0.3 : 0)),
    ),
  };
}

const only = <T>(list: readonly T[], kept: readonly number[]): T[] => kept.map((k) => list[k]);

/** The interaction of some rows of a circuit. */
const interaction = (
  { C, B, D }: Circuit,
  law: TypedElement,
  kept: readonly number[] = [...C.keys()],
): InteractionDocument => ({
  id: 'circuit',
  systems: ['s'],
  relation: {
    type: 'FirstOrderLinearTI',
    C: only(C, kept),
    B: B.map((row) => only(row, kept)),
    D: only(D, kept).map((row) => only(row, kept)),
  },
  law,
});

const document = (
  circuit: Circuit,
  interactions: InteractionDocument[],
  scheme: SchemeName,
  simulation: Partial<ModelDocument['simulation']> = {},
): ModelDocument => ({
  ...resetting([linear('s', circuit.A, circuit.b, circuit.x0)], { scheme, ...simulation }),
  interactions,
});

const columns = (done: Run): number[][] =>
  done.session.signals.filter(({ kind }) => kind !== 'presence').map(({ name }) => [...done.column(name)]);

const worst = ({ session }: Run): number => {
  const { dynamics, complementarity, coneViolation } = session.certificate;
  return Math.max(dynamics, complementarity, coneViolation);
};

describe.each(SCHEMES)('laws row by row, %s', (scheme) => {
  it('have the bits of the same laws in one', () => {
    const random = seeded(310);
    for (let k = 0; k < sample(6, 200); k++) {
      const [equalities, inequalities] = [random.integer(0, 2), random.integer(1, 3)];
      const rows = equalities + inequalities;
      const circuit = draw(random, random.integer(1, 3), rows);
      const mixed = { type: 'MixedComplementarity', equalities, inequalities };
      const listed = [
        ...Array.from({ length: equalities }, () => EQUALITY),
        ...Array.from({ length: inequalities }, () => COMPLEMENTARITY),
      ];
      const grouped = [
        ...(equalities === 0 ? [] : [{ ...EQUALITY, rows: equalities }]),
        { ...COMPLEMENTARITY, rows: inequalities, name: 'diodes' },
      ];
      const of = (law: TypedElement): Run => run(document(circuit, [interaction(circuit, law)], scheme));
      const plain = columns(of(mixed));
      expect(columns(of(perRow(...listed)))).toEqual(plain);
      expect(columns(of(perRow(...grouped)))).toEqual(plain);
      if (equalities > 0) continue;
      expect(columns(of(COMPLEMENTARITY))).toEqual(plain);
    }
  });

  it('have the bits of a graph and of relays', () => {
    const random = seeded(311);
    for (let k = 0; k < sample(3, 100); k++) {
      const circuit = draw(random, 2, 2);
      const of = (law: TypedElement): number[][] =>
        columns(run(document(circuit, [interaction(circuit, law)], scheme)));
      expect(of(perRow(ZENER, ZENER))).toEqual(of(ZENER));
      const relay = { type: 'Relay', lower: [-1, -0.5], upper: [0.5, 2] };
      const apart = [0, 1].map((r) => ({
        type: 'Relay',
        lower: [relay.lower[r]],
        upper: [relay.upper[r]],
      }));
      expect(of(perRow(...apart))).toEqual(of(relay));
      expect(of(perRow(relay))).toEqual(of(relay));
    }
  });

  it('hold where all kinds stand beside each other', () => {
    const random = seeded(312);
    const kinds = [ZENER, COMPLEMENTARITY, EQUALITY, { type: 'Relay' }];
    for (let k = 0; k < sample(5, 200); k++) {
      const laws = only(kinds, random.sample(kinds.length, kinds.length));
      const circuit = draw(random, 2, laws.length);
      const given = document(circuit, [interaction(circuit, perRow(...laws))], scheme, {
        h: scheme === 'event-driven' ? 1e-2 : 1e-3,
      });
      const done = run(given);
      expect(worst(done)).toBeLessThan(1e-9);
      // The other order of the rows is the same circuit.
      const turned = laws.map((_, r) => laws.length - 1 - r);
      const other = run(
        document(circuit, [interaction(circuit, perRow(...only(laws, turned)), turned)], scheme, {
          h: scheme === 'event-driven' ? 1e-2 : 1e-3,
        }),
      );
      for (const j of [0, 1])
        expect(other.column(`s.x[${j}]`).at(-1)).toBeCloseTo(
          done.column(`s.x[${j}]`).at(-1) ?? Number.NaN,
          9,
        );
    }
  });

  it('come and go as the rows of a circuit that is built without them', () => {
    const random = seeded(313);
    const kinds = [COMPLEMENTARITY, EQUALITY, { type: 'Relay' }, ZENER];
    for (let k = 0; k < sample(5, 200); k++) {
      const laws = only(
        kinds,
        Array.from({ length: 3 }, () => random.integer(0, 3)),
      );
      const circuit = draw(random, 2, laws.length);
      const gone = random.integer(0, laws.length - 1);
      const change = 0.5;
      const parts = laws.map((law, r) =>
        r === gone ? { ...law, name: 'S', while: when(`${change} - t`) } : law,
      );
      const h = 0.01;
      const whole = run(document(circuit, [interaction(circuit, perRow(...parts))], scheme, { h, tEnd: 1 }));
      expect(worst(whole)).toBeLessThan(1e-9);
      const rest = [...laws.keys()].filter((r) => r !== gone);
      // Up to the change it is the circuit with all rows, afterwards one without the row.
      const before = run(document(circuit, [interaction(circuit, perRow(...laws))], scheme, { h, tEnd: 1 }));
      const at = Math.round(change / h);
      const states = [0, 1].map((j) => `s.x[${j}]`);
      for (const name of states) {
        const [own, other] = [whole, before].map((done) => [...done.column(name).subarray(0, at)]);
        if (scheme === 'time-stepping') expect(own).toEqual(other);
        // The passage of a condition is looked for within the arcs, which begin elsewhere.
        else own.forEach((value, i) => expect(Math.abs(value - other[i])).toBeLessThan(1e-12));
      }
      expect(whole.column('circuit.S.present')[0]).toBe(1);
      expect(whole.column('circuit.S.present').at(-1)).toBe(0);
      expect(whole.column(`circuit.lambda[${gone}]`).at(-1)).toBe(0);
      const times = whole.column('t');
      const near = (time: number): number => times.findIndex((t) => Math.abs(t - time) < 1e-12);
      const from = near(change + 2 * h);
      const x0 = states.map((name) => whole.column(name)[from]);
      const after = run(
        document({ ...circuit, x0 }, [interaction(circuit, perRow(...only(laws, rest)), rest)], scheme, {
          h,
          t0: times[from],
          tEnd: times[from] + 0.3,
        }),
      );
      const end = near(change + 2 * h + 0.3);
      for (const name of states) expect(after.column(name).at(-1)).toBeCloseTo(whole.column(name)[end], 9);
    }
  });
});

describe('what runs say of parts', () => {
  const circuit = draw(seeded(2), 2, 4);
  const laws: TypedElement[] = [
    { ...COMPLEMENTARITY, name: 'D1' },
    { ...EQUALITY, name: 'S1', while: when('0.5 - t') },
    { type: 'Relay', name: 'Q', rows: 2, while: when('t - 0.2') },
  ];
  const given = (more: Partial<InteractionDocument> = {}): ModelDocument =>
    document(circuit, [{ ...interaction(circuit, perRow(...laws)), ...more }], 'time-stepping');

  it('names them in signals', () => {
    const { session } = run(given());
    const presences = session.signals.filter(({ kind }) => kind === 'presence');
    expect(presences.map(({ name, element }) => [name, element])).toEqual([
      ['circuit.S1.present', 'circuit'],
      ['circuit.Q.present', 'circuit'],
    ]);
    const lambda = session.signals.find(({ name }) => name === 'circuit.lambda[0]');
    expect(lambda?.description).toMatch(/of circuit\.D1$/);
  });

  it('has their states by name, and when they are absent', () => {
    const report = reportDocument(given());
    expect(report.issues).toEqual([]);
    const { constraints } = run(given()).session;
    expect(constraints.all.map(({ name, states, present }) => [name, states.join(), present])).toEqual([
      ['circuit.D1', 'open,closed', undefined],
      ['circuit.S1', 'present,absent', undefined],
      ['circuit.Q[0]', 'lower,between,upper,absent', 'circuit.Q.present'],
      ['circuit.Q[1]', 'lower,between,upper,absent', 'circuit.Q.present'],
    ]);
  });

  it.each(SCHEMES)('a part is there where its interaction is, too: %s', (scheme) => {
    const both = given({ while: { type: 'Condition', condition: ['0.4 - t'] } });
    both.simulation.scheme = scheme;
    const done = run(both);
    expect(worst(done)).toBeLessThan(1e-9);
    const [t, part, own, lambda] = ['t', 'circuit.Q.present', 'circuit.present', 'circuit.lambda[0]'].map(
      (name) => done.column(name),
    );
    t.forEach((time, k) => {
      if ([0.2, 0.4].some((change) => Math.abs(time - change) < 0.011)) return;
      expect([own[k], part[k]]).toEqual([Number(time < 0.4), Number(time > 0.2 && time < 0.4)]);
      if (time > 0.42) expect(lambda[k]).toBe(0);
    });
  });
});

describe('the certificate of parts', () => {
  const model: NonSmoothDynamicalSystem = {
    systems: [forms.system('s', forms.linearFirstOrder([[-1]], [0]))],
    interactions: [
      {
        ...forms.interaction('circuit', [0], forms.linearRelation([[1], [1]], [[1, 1]]), {
          ...forms.complementarity(),
          size: 2,
          rows: [...forms.complementarity().rows, ...forms.relay().rows],
        }),
        law: {
          ...forms.complementarity(),
          type: 'PerRow',
          size: 2,
          rows: [...forms.complementarity().rows, ...forms.relay().rows],
          parts: [
            { name: 'D1', first: 0, size: 1 },
            { name: 'Q', first: 1, size: 1 },
          ],
        },
      },
    ],
  };

  it('names them', () => {
    const clock = Float64Array.of(0);
    const stepped = createStepMaxima(model);
    stepped.raise(1, 0.5, 1, clock, 1);
    expect(stepped.worstElement).toBe('circuit.Q');
    const places = placeState(model, 0, 0, 'event-driven');
    const maxima = createEventMaxima(model);
    const check = new RowCheck(
      model,
      places,
      new LinkedRows(model, places),
      new SystemTerms(model, places),
      maxima,
      0,
    );
    const row = new Float64Array(places.size);
    // The relay pushes more than it may.
    row[places.lambda + 1] = 2;
    check.judge(row);
    expect(maxima.worstElement).toBe('circuit.Q');
  });
});

describe('defects of laws row by row', () => {
  const circuit = draw(seeded(1), 2, 2);
  const issuesOf = (law: TypedElement): string[] =>
    reportDocument(document(circuit, [interaction(circuit, law)], 'time-stepping'))
      .issues.filter(({ severity }) => severity === 'error')
      .map(({ code, pointer, element, remedy }) => {
        expect(element).toBe('circuit');
        expect(remedy).not.toBe('');
        return `${code} ${pointer}`;
      });

  it.each<[string, TypedElement, string]>([
    ['one in another', perRow(perRow(), EQUALITY), 'unknown-type /interactions/0/law/laws/0/type'],
    [
      'a law of several rows',
      perRow({ type: 'MohrCoulomb', phi: 0.5 }),
      'unknown-type /interactions/0/law/laws/0/type',
    ],
    ['none', perRow(), 'empty-law /interactions/0/law/laws'],
    ['too few', perRow(EQUALITY), 'law-size /interactions/0/law/laws'],
    ['too many', perRow({ ...EQUALITY, rows: 3 }), 'law-size /interactions/0/law/laws'],
    [
      'a number of rows that is no multiple',
      perRow({ type: 'Relay', lower: [0, 0], rows: 3 }),
      'law-size /interactions/0/law/laws/0/rows',
    ],
    [
      'rows that are no number',
      perRow({ ...EQUALITY, rows: 0 }),
      'wrong-value /interactions/0/law/laws/0/rows',
    ],
    [
      'a name with a blank',
      perRow(EQUALITY, { ...EQUALITY, name: 'D 1' }),
      'bad-name /interactions/0/law/laws/1/name',
    ],
    [
      'a name twice',
      perRow({ ...EQUALITY, name: 'D1' }, { ...EQUALITY, name: 'D1' }),
      'duplicate-name /interactions/0/law/laws/1/name',
    ],
    [
      'a name that another has by its place',
      perRow({ ...EQUALITY, name: 'law1' }, EQUALITY),
      'duplicate-name /interactions/0/law/laws/1/type',
    ],
    [
      'a field of a part',
      perRow(EQUALITY, { type: 'Relay', lower: [2], upper: [1] }),
      'bounds-order /interactions/0/law/laws/1/upper',
    ],
    [
      'a level',
      perRow(EQUALITY, { ...EQUALITY, level: 'position' }),
      'unknown-key /interactions/0/law/laws/1/level',
    ],
    [
      'a condition of nothing',
      perRow(EQUALITY, { ...EQUALITY, while: when('nothing') }),
      'presence-condition /interactions/0/law/laws/1/while/condition/0',
    ],
    [
      'a condition that is a comparison',
      perRow(EQUALITY, { ...EQUALITY, while: when('t < 1') }),
      'presence-comparison /interactions/0/law/laws/1/while/condition/0',
    ],
    [
      'a condition of an unknown type',
      perRow(EQUALITY, { ...EQUALITY, while: { type: 'Never' } }),
      'unknown-type /interactions/0/law/laws/1/while/type',
    ],
    [
      'no condition in it',
      perRow(EQUALITY, { ...EQUALITY, while: { type: 'Condition' } }),
      'missing-field /interactions/0/law/laws/1/while/condition',
    ],
  ])('%s', (_name, law, issue) => {
    expect(issuesOf(law)).toEqual([issue]);
  });

  it('on velocities are refused', () => {
    const given = model(
      [particle('ball', 1, 0)],
      [{ ...contact('floor', ['ball'], [[1]], 0.5), law: perRow(EQUALITY) }],
    );
    expect(reportDocument(given).issues.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'law-order /interactions/0/law/type',
    ]);
  });
});
