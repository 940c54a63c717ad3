/**
 * Random oscillators whose force switches with time and state, as scripts, and a reference that knows of each
 * switch by itself: a method of order 4 with short steps in a fixed set of outcomes, ended by bisection where
 * a margin becomes negative.
 */

type Random = () => number;
type State = readonly number[];

/** A term of the force: what the script says, and pieces with the margins that end them. */
interface Term {
  readonly head: string;
  readonly text: string;
  /** outcome that holds at a state, decided by values */
  readonly choose: (t: number, x: number, v: number) => number;
  /** positive as long as the outcome holds; of several the smallest */
  readonly margin: (outcome: number, t: number, x: number, v: number) => number;
  readonly value: (outcome: number, t: number, x: number, v: number) => number;
}

export interface Switched {
  readonly system: object;
  readonly script: string;
  readonly h: number;
  readonly signals: readonly string[];
  readonly start: State;
  readonly terms: readonly Term[];
  readonly stiffness: number;
  readonly damping: number;
}

const between = (random: Random, a: number, b: number): number => a + (b - a) * random();
const digits = (value: number): number => Number(value.toPrecision(4));
const pick = (random: Random, ...texts: string[]): string => texts[Math.floor(random() * texts.length)];

/** Force from outside a gap. */
function deadband(random: Random): Term {
  const w = digits(between(random, 0.05, 0.6));
  const K = digits(between(random, 5, 80));
  return {
    head: `function dead(u: number, w: number): number { if (u > w) return u - w; else if (u < -w) return u + w; return 0; }`,
    text: pick(
      random,
      `-${K} * dead(x, ${w})`,
      `(x > ${w} ? -${K} * (x - ${w}) : x < -${w} ? -${K} * (x + ${w}) : 0)`,
      `-${K} * (Math.max(0, x - ${w}) + Math.min(0, x + ${w}))`,
      `-${K} * (x - Math.max(-${w}, Math.min(${w}, x)))`,
      `-${K} * Math.sign(x) * Math.max(0, Math.abs(x) - ${w})`,
    ),
    choose: (_t, x) => (x > w ? 1 : x < -w ? -1 : 0),
    margin: (o, _t, x) => (o > 0 ? x - w : o < 0 ? -x - w : Math.min(w - x, x + w)),
    value: (o, _t, x) => (o === 0 ? 0 : -K * (x - o * w)),
  };
}

/** Feedback that saturates. */
function saturation(random: Random): Term {
  const limit = digits(between(random, 0.5, 3));
  const K = digits(between(random, 2, 40));
  return {
    head: 'const clamp = (u: number, a: number, b: number): number => Math.min(Math.max(u, a), b);',
    text: pick(
      random,
      `clamp(-${K} * x, -${limit}, ${limit})`,
      `Math.max(-${limit}, Math.min(${limit}, -${K} * x))`,
      `(Math.abs(${K} * x) < ${limit} ? -${K} * x : -${limit} * Math.sign(x))`,
    ),
    choose: (_t, x) => (-K * x > limit ? 1 : -K * x < -limit ? -1 : 0),
    margin: (o, _t, x) =>
      o > 0 ? -K * x - limit : o < 0 ? K * x - limit : Math.min(limit + K * x, limit - K * x),
    value: (o, _t, x) => (o === 0 ? -K * x : o * limit),
  };
}

/** Damping that depends on the direction. */
function valve(random: Random): Term {
  const [a, b] = [digits(between(random, 0.1, 2)), digits(between(random, 0.1, 2))];
  return {
    head: '',
    text: pick(
      random,
      `(v > 0 ? -${a} * v : -${b} * v)`,
      `-${a} * Math.max(v, 0) - ${b} * Math.min(v, 0)`,
      `(${b} - ${a}) / 2 * Math.abs(v) - (${a} + ${b}) / 2 * v`,
    ),
    choose: (_t, _x, v) => (v > 0 ? 1 : -1),
    margin: (o, _t, _x, v) => o * v,
    value: (o, _t, _x, v) => (o > 0 ? -a * v : -b * v),
  };
}

/** A push in a window of the position: force jumps, the motion goes on. */
function push(random: Random): Term {
  const c = digits(between(random, -2, 2));
  const at = digits(between(random, -0.4, 0.4));
  return {
    head: '',
    text: pick(random, `(x > ${at} ? ${c} : 0)`, `(x - ${at} <= 0 ? 0 : ${c})`, `${c} * Number(${at} < x)`),
    choose: (_t, x) => (x > at ? 1 : 0),
    margin: (o, _t, x) => (o === 1 ? x - at : at - x),
    value: (o) => o * c,
  };
}

/** A modulated push that acts only on one side: a condition of time within one of the state. */
function gated(random: Random): Term {
  const T = digits(between(random, 0.2, 1.5));
  const duty = digits(between(random, 0.1, 0.9));
  const c = digits(between(random, 0.5, 3));
  const phase = (t: number): number => t / T - Math.floor(t / T);
  return {
    head: '',
    text: pick(
      random,
      `(t % ${T} < ${duty * T} && x < 0.1 ? ${c} : 0)`,
      `(x < 0.1 ? (t / ${T} - Math.floor(t / ${T}) < ${duty} ? ${c} : 0) : 0)`,
    ),
    choose: (t, x) => 2 * (2 * Math.floor(t / T) + (phase(t) < duty ? 0 : 1)) + (x < 0.1 ? 1 : 0),
    margin: (o, t, x) => {
      const half = Math.floor(o / 2);
      const end = (Math.floor(half / 2) + (half % 2 === 0 ? duty : 1)) * T;
      return Math.min(end - t, o % 2 === 1 ? 0.1 - x : x - 0.1);
    },
    value: (o) => (Math.floor(o / 2) % 2 === 0 && o % 2 === 1 ? c : 0),
  };
}

/** Natural sampling: a sawtooth against the state. */
function sampled(random: Random): Term {
  const T = digits(between(random, 0.3, 1));
  const c = digits(between(random, 0.5, 3));
  const saw = (n: number, t: number): number => 2 * (t / T - n) - 1;
  return {
    head: '',
    text: pick(
      random,
      `(2 * ((t / ${T}) % 1) - 1 > x ? ${c} : -${c})`,
      `(x >= 2 * (t % ${T}) / ${T} - 1 ? -${c} : ${c})`,
    ),
    choose: (t, x) => 2 * Math.floor(t / T) + (saw(Math.floor(t / T), t) > x ? 1 : 0),
    margin: (o, t, x) => {
      const n = Math.floor(o / 2);
      const side = saw(n, t) - x;
      return Math.min((n + 1) * T - t, o % 2 === 1 ? side : -side);
    },
    value: (o) => (o % 2 === 1 ? c : -c),
  };
}

/** Damping in two quadrants of the phase plane: with a force that jumps with v, v = 0 might be slid along. */
function quadrant(random: Random): Term {
  const K = digits(between(random, 0.5, 4));
  return {
    head: '',
    text: pick(
      random,
      `(x * v > 0 ? -${K} * v : 0)`,
      `((x > 0 && v > 0) || (x < 0 && v < 0) ? -${K} * v : 0)`,
    ),
    choose: (_t, x, v) => (x > 0 ? 1 : 0) + (v > 0 ? 2 : 0),
    margin: (o, _t, x, v) => Math.min(o % 2 === 1 ? x : -x, o >= 2 ? v : -v),
    value: (o, _t, _x, v) => (o === 0 || o === 3 ? -K * v : 0),
  };
}

const TERMS = [deadband, saturation, valve, push, gated, sampled, quadrant];

export function randomSwitched(random: Random): Switched {
  const count = 1 + Math.floor(random() * 3);
  const terms = [...TERMS]
    .map((term) => ({ term, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ term }) => term(random));
  const stiffness = digits(between(random, 1, 9));
  const damping = digits(between(random, 0, 0.3));
  const start = [digits(between(random, -1, 1)), digits(between(random, -1, 1))];
  const force = `-${stiffness} * x - ${damping} * v + ${terms.map(({ text }) => text).join(' + ')}`;
  const head = terms.map((term) => term.head).join('\n');
  const isLagrangian = random() < 0.5;
  const script = isLagrangian
    ? `${head}\nfunction push(t: number, q: Float64Array, vs: Float64Array): number { const x = q[0], v = vs[0]; return ${force}; }`
    : `${head}\nexport const f: Rate = (t, y, out, p) => { const [x, v] = y; out[0] = v; out[1] = ${force}; };`;
  const system = isLagrangian
    ? {
        id: 'c',
        type: 'LagrangianNonLinear',
        ndof: 1,
        mass: [[1]],
        q0: [start[0]],
        v0: [start[1]],
        fInt: { function: 'g' },
      }
    : { id: 'c', type: 'FirstOrderNonLinear', n: 2, x0: start, f: { function: 'f' } };
  const negative = '\nexport const g: InternalForce = (t, q, v, out, p) => { out[0] = -push(t, q, v); };';
  return {
    system,
    script: isLagrangian
      ? script
          .replace(': NonlinearForce', '')
          .replace(
            '(t, q, vs, out, p)',
            '(t: number, q: Float64Array, vs: Float64Array, out: Float64Array, p: Parameters)',
          ) + negative
      : script,
    h: [0.03, 0.3, 2][Math.floor(random() * 3)],
    signals: isLagrangian ? ['c.q', 'c.v'] : ['c.x[0]', 'c.x[1]'],
    start,
    terms,
    stiffness,
    damping,
  };
}

const STEP = 1 / 2048;

/** State at a time. */
export function reference({ start, terms, stiffness, damping }: Switched, end: number): State {
  let [t, x, v] = [0, start[0], start[1]];
  let outcomes = terms.map(({ choose }) => choose(t, x, v));
  const acceleration = (at: number, q: number, w: number): number =>
    terms.reduce((sum, { value }, k) => sum + value(outcomes[k], at, q, w), -stiffness * q - damping * w);
  const advance = (h: number): State => {
    const k1 = acceleration(t, x, v);
    const v2 = v + (h / 2) * k1;
    const k2 = acceleration(t + h / 2, x + (h / 2) * v, v2);
    const v3 = v + (h / 2) * k2;
    const k3 = acceleration(t + h / 2, x + (h / 2) * v2, v3);
    const v4 = v + h * k3;
    const k4 = acceleration(t + h, x + h * v3, v4);
    return [x + (h / 6) * (v + 2 * v2 + 2 * v3 + v4), v + (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4)];
  };
  const worst = (h: number): number => {
    const [q, w] = advance(h);
    return Math.min(...terms.map(({ margin }, k) => margin(outcomes[k], t + h, q, w)));
  };
  while (t < end) {
    const h = Math.min(STEP, end - t);
    if (worst(h) >= 0) {
      [x, v] = advance(h);
      t = h < STEP ? end : t + h;
      continue;
    }
    let [a, b] = [0, h];
    while (b - a > 1e-15) {
      const middle = (a + b) / 2;
      if (middle === a || middle === b) break;
      if (worst(middle) >= 0) a = middle;
      else b = middle;
    }
    // Just behind the switch, where values say what holds.
    b = Math.min(h, b + 4e-15);
    [x, v] = advance(b);
    t += b;
    outcomes = terms.map(({ choose }) => choose(t, x, v));
  }
  return [x, v];
}

/** Relative to a start of the size of one: small enough to grow by 1e8, and well above rounding. */
const DISTURBANCE = 2 ** -36;

/**
 * How much a disturbance of the start has grown, at least 1: where the motion hovers about a switch, errors
 * of a run grow so too.
 */
export function growth(model: Switched, end: number): number {
  const undisturbed = reference(model, end);
  const disturbed = [0, 1].map((entry) => {
    const start = model.start.map((value, i) => (i === entry ? value + DISTURBANCE : value));
    return reference({ ...model, start }, end);
  });
  const changes = disturbed.flatMap((state) => state.map((value, i) => Math.abs(value - undisturbed[i])));
  return Math.max(1, Math.max(...changes) / DISTURBANCE);
}
