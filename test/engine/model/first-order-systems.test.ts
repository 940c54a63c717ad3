/**
 * First-order systems in their form: values by hand, Jacobians against central differences of the form
 * itself.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SystemDocument } from '@engine/document/types';
import type { FirstOrderForm } from '@engine/model/forms';
import { build, buildSound, centralDifferences, firstOrderForm, type Plugins } from '../support/built';
import { expectClose } from '../support/jacobians';
import { model } from '../support/models';
import { seeded } from '../support/random';

const CLOCK = Float64Array.of(0.7);

const single = (system: SystemDocument): ModelDocument => model([system]);

function rateOf(form: FirstOrderForm, x: number[] | Float64Array): Float64Array {
  const out = new Float64Array(form.size).fill(Number.NaN);
  form.rate(CLOCK, Float64Array.from(x), out);
  return out;
}

function checkRateJacobian(form: FirstOrderForm, seed: number): void {
  const { size: n } = form;
  const next = seeded(seed);
  for (let k = 0; k < 20; k++) {
    const x = Float64Array.from({ length: n }, () => next.uniform(-1, 1));
    const jacobian = new Float64Array(n * n).fill(Number.NaN);
    form.rateJacobian(CLOCK, x, jacobian);
    const expected = centralDifferences(
      (at, out) => {
        form.rate(CLOCK, at, out);
      },
      x,
      n,
    );
    expectClose(jacobian, expected);
  }
}

type Vector = Float64Array;
interface Parameters {
  k: number;
}

const NONLINEAR: Plugins = {
  f: (t: number, x: Vector, out: Vector, p: Parameters) => {
    out[0] = Math.sin(x[0]) * x[1] + t;
    out[1] = -p.k * x[0] ** 3 - x[1];
  },
  u: (t: number, x: Vector, out: Vector) => {
    out[0] = Math.cos(t) * x[0] * x[1];
    out[1] = x[1] ** 2;
  },
  T: (x: Vector, out: Vector) => {
    out[0] = 1 + x[0];
    out[1] = x[1] * x[0];
    out[3] = Math.exp(x[1]);
  },
};

const nonlinear: SystemDocument = {
  id: 's',
  type: 'FirstOrderNonLinear',
  n: 2,
  x0: [0.3, 'k'],
  f: { function: 'f' },
};
const controlled: SystemDocument = {
  ...nonlinear,
  controlSize: 2,
  u: { function: 'u' },
  T: { function: 'T' },
};

const withK = (system: SystemDocument): ModelDocument => ({
  ...single(system),
  parameters: [{ name: 'k', value: 2 }],
});

describe('FirstOrderNonLinear', () => {
  it('is M ẋ = f(t, x), with the parameters of the model in f', () => {
    const form = firstOrderForm(buildSound(withK(nonlinear), NONLINEAR));
    expect(form).toMatchObject({ order: 1, size: 2, mass: null, rateKind: 'nonlinear', isAutonomous: false });
    expect([...form.x0]).toEqual([0.3, 2]);
    expect([...rateOf(form, [0.5, 3])]).toEqual([Math.sin(0.5) * 3 + 0.7, -2 * 0.125 - 3]);
  });

  it('adds T u', () => {
    const form = firstOrderForm(buildSound(withK(controlled), NONLINEAR));
    const [x, y, t] = [0.5, 3, 0.7];
    const u = [Math.cos(t) * x * y, y * y];
    expectClose(
      rateOf(form, [x, y]),
      [Math.sin(x) * y + t + (1 + x) * u[0] + y * x * u[1], -2 * x ** 3 - y + Math.exp(y) * u[1]],
      1e-15,
    );
  });

  it.each<[string, SystemDocument]>([
    ['f alone', nonlinear],
    ['f, T(x) and u(t, x)', controlled],
    [
      'a constant T',
      {
        ...controlled,
        T: [
          [1, 2],
          [0, 3],
        ],
      },
    ],
    ['a constant u', { ...controlled, u: [2, -1] }],
    [
      'both constant',
      {
        ...controlled,
        u: [2, -1],
        T: [
          [1, 2],
          [0, 3],
        ],
      },
    ],
  ])('has the Jacobian of its right-hand side, with %s', (_, system) => {
    checkRateJacobian(firstOrderForm(buildSound(withK(system), NONLINEAR)), 11);
  });

  it('takes given Jacobians instead of derived ones', () => {
    const form = firstOrderForm(
      build(
        withK({
          ...controlled,
          jacobian: [
            [1, 2],
            [3, 4],
          ],
          controlJacobian: { function: 'J' },
        }),
        { ...NONLINEAR, J: (_t: number, x: Vector, out: Vector) => out.set([x[0], 0, 0, 10]) },
        () => {
          throw new Error('nothing is to be derived');
        },
      ),
    );
    const out = new Float64Array(4);
    form.rateJacobian(CLOCK, Float64Array.of(7, 8), out);
    expect([...out]).toEqual([8, 2, 3, 14]);
  });

  it('hands frozen parameters to the script', () => {
    const seen: object[] = [];
    const spying = (_t: number, _x: Vector, _out: Vector, p: object): void => void seen.push(p);
    rateOf(firstOrderForm(buildSound(withK(nonlinear), { ...NONLINEAR, f: spying })), [1, 1]);
    expect(seen).toEqual([{ k: 2 }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
  });

  it('names the function, the element and the time of a value that is not finite', () => {
    const form = firstOrderForm(
      buildSound(withK(nonlinear), {
        ...NONLINEAR,
        f: (t: number, x: Vector, out: Vector) => (out[1] = t / x[0]),
      }),
    );
    expect(() => rateOf(form, [0, 1])).toThrow('“f” of “s” gave Infinity in entry 1 at t = 0.7 s');
  });
});

describe('FirstOrderLinear', () => {
  const A = [
    [-1, 2],
    [0, -3],
  ];
  const system: SystemDocument = { id: 's', type: 'FirstOrderLinear', n: 2, x0: [1, 0], A };
  const plugins: Plugins = {
    At: (t: number, out: Vector) => out.set([-t, 1, 2, t * t]),
    bt: (t: number, out: Vector) => out.set([t, 2]),
    ut: (t: number, out: Vector) => (out[0] = 10 * t),
  };

  it.each<[string, Partial<SystemDocument>, number[], 'constant' | 'linear', boolean]>([
    ['A alone', {}, [3, -6], 'constant', true],
    ['a constant source', { b: [10, 20] }, [13, 14], 'constant', true],
    ['a constant control', { u: [3], T: [[1], [2]] }, [6, 0], 'constant', true],
    ['source and control', { b: [10, 20], u: [3], T: [[1], [2]] }, [16, 20], 'constant', true],
    ['b(t)', { b: { function: 'bt' } }, [3.7, -4], 'constant', false],
    ['u(t)', { u: { function: 'ut' }, T: [[1], [2]] }, [10, 8], 'constant', false],
    [
      'b(t) and a constant control',
      { b: { function: 'bt' }, u: [3], T: [[1], [2]] },
      [6.7, 2],
      'constant',
      false,
    ],
    ['A(t)', { A: { function: 'At' } }, [-0.7 + 2, 2 + 2 * 0.49], 'linear', false],
  ])('with %s', (_, fields, expected, rateKind, isAutonomous) => {
    const form = firstOrderForm(buildSound(single({ ...system, ...fields }), plugins));
    expect(form).toMatchObject({ rateKind, isAutonomous });
    expectClose(rateOf(form, [1, 2]), expected, 1e-14);
    checkRateJacobian(form, 3);
  });

  it('has the unit of its states', () => {
    expect(buildSound(single({ ...system, stateUnit: 'V' })).model.systems[0].unit).toBe('V');
    expect(buildSound(single(system)).model.systems[0].unit).toBe('1');
  });
});
