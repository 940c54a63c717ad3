/** Random sources of time as scripts, each with its integral in closed form. */

type Random = () => number;

export interface Source {
  /** statements before the function */
  readonly head: string;
  /** an expression of t */
  readonly text: string;
  /** ∫₀ᵗ */
  readonly integral: (t: number) => number;
  /** largest |value| */
  readonly size: number;
}

const between = (random: Random, a: number, b: number): number => a + (b - a) * random();
const digits = (value: number): number => Number(value.toPrecision(4));
/** Length of the part of [0, t] that lies within [a, b]. */
const within = (t: number, a: number, b: number): number => Math.max(0, Math.min(t, b) - a);

/** 1e-9 … 1 s */
const width = (random: Random): number => digits(10 ** between(random, -9, 0));

const pulse = (random: Random): Source => {
  const start = digits(between(random, 0.5, 8));
  const w = width(random);
  const size = digits(1 / w);
  const forms = [
    `(t > ${start} && t < ${start} + ${w} ? ${size} : 0)`,
    `(Math.abs(t - ${start} - ${w} / 2) < ${w} / 2 ? ${size} : 0)`,
    // A floor counts everywhere, so that narrow ones of this kind would count without end.
    w > 0.05
      ? `(Math.floor((t - ${start}) / ${w}) === 0 ? ${size} : 0)`
      : `(${start} + ${w} > t && t > ${start} ? ${size} : 0)`,
    `(t <= ${start} || t >= ${start} + ${w} ? 0 : ${size})`,
    `window(t, ${start}, ${start} + ${w}, ${size})`,
    `${size} * Math.max(0, Math.sign(${w} / 2 - Math.abs(t - (${start} + ${w} / 2))))`,
  ];
  const head =
    'function window(u: number, a: number, b: number, c: number): number { if (u < a) return 0; if (u > b) { return 0; } return c; }';
  const text = forms[Math.floor(random() * forms.length)];
  return { head, text, integral: (t) => size * within(t, start, start + w), size };
};

const sawtooth = (random: Random): Source => {
  const T = digits(between(random, 0.05, 3));
  const c = digits(between(random, -4, 4));
  const forms = [`${c} * (t % ${T})`, `${c} * (t - ${T} * Math.floor(t / ${T}))`, `saw(t, ${c}, ${T})`];
  const text = forms[Math.floor(random() * forms.length)];
  const integral = (t: number): number => {
    const n = Math.floor(t / T);
    return (c / 2) * (n * T * T + (t - n * T) ** 2);
  };
  const head =
    'const saw = (t: number, c: number, T: number): number => { let s = t; s %= T; return c * s; };';
  return { head, text, integral, size: Math.abs(c) * T };
};

/** Pulses of any duty, of both ways to count periods. */
const modulated = (random: Random): Source => {
  const T = digits(between(random, 0.05, 2));
  const duty = digits(random() < 0.5 ? between(random, 0.05, 0.95) : 10 ** between(random, -6, -2));
  const c = digits(between(random, 1, 3) / duty);
  const forms = [
    `(t % ${T} < ${duty} * ${T} ? ${c} : 0)`,
    `(t / ${T} - Math.floor(t / ${T}) >= ${duty} ? 0 : ${c})`,
    `(Math.trunc(t / ${T}) + ${duty} > t / ${T} ? ${c} : 0)`,
    `(((t / ${T}) % 1) < ${duty} && ${c} || 0)`,
  ];
  const integral = (t: number): number => {
    const n = Math.floor(t / T);
    return c * (n * duty * T + Math.min(t - n * T, duty * T));
  };
  return { head: '', text: forms[Math.floor(random() * forms.length)], integral, size: c };
};

/** sgn sin ωt, and sin ωt above a threshold. */
const waves = (random: Random): Source => {
  const w = digits(between(random, 1, 40));
  const c = digits(between(random, 0.5, 2));
  const half = Math.PI / w;
  if (random() < 0.5) {
    const integral = (t: number): number => {
      const n = Math.floor(t / half);
      const rest = t - n * half;
      return c * (n % 2 === 0 ? rest : half - rest);
    };
    return { head: '', text: `${c} * Math.sign(Math.sin(${w} * t))`, integral, size: c };
  }
  const level = digits(between(random, 0.3, 0.9999));
  const [a, b] = [Math.asin(level) / w, (Math.PI - Math.asin(level)) / w];
  const integral = (t: number): number => {
    const n = Math.floor(t / (2 * half));
    return c * (n * (b - a) + within(t - 2 * half * n, a, b));
  };
  return { head: '', text: `(Math.sin(${w} * t) > ${level} ? ${c} : 0)`, integral, size: c };
};

/** A table of values between which lines run, with a spike. */
const table = (random: Random): Source => {
  const at = digits(between(random, 2, 6));
  const w = width(random);
  const times = [0, 1, at, at + w / 2, at + w, 9, 20];
  const values = [1, -1, 0.5, digits(1 / w), 0.5, 2, 2];
  const head = `const times = ${JSON.stringify(times)};\nconst values = ${JSON.stringify(values)};
function look(t: number): number {
  let k = 0;
  while (k < times.length - 2 && times[k + 1] < t) k++;
  const s = (t - times[k]) / (times[k + 1] - times[k]);
  return values[k] + s * (values[k + 1] - values[k]);
}
function search(t: number): number {
  let k = times.findIndex((u) => u >= t);
  if (k < 1) k = 1;
  return values[k - 1] + ((values[k] - values[k - 1]) * (t - times[k - 1])) / (times[k] - times[k - 1]);
}
function bisect(t: number): number {
  let [a, b] = [0, times.length - 1];
  while (b - a > 1) {
    const middle = (a + b) >> 1;
    if (t >= times[middle]) a = middle;
    else b = middle;
  }
  return values[a] + ((values[b] - values[a]) * (t - times[a])) / (times[b] - times[a]);
}`;
  const integral = (t: number): number => {
    let sum = 0;
    for (let k = 0; k + 1 < times.length && times[k] < t; k++) {
      const end = Math.min(t, times[k + 1]);
      const slope = (values[k + 1] - values[k]) / (times[k + 1] - times[k]);
      sum += (end - times[k]) * (values[k] + (slope * (end - times[k])) / 2);
    }
    return sum;
  };
  const name = ['look', 'search', 'bisect'][Math.floor(random() * 3)];
  return { head, text: `${name}(t)`, integral, size: 1 / w };
};

/** Values at regular times, read by a computed index. */
const samples = (random: Random): Source => {
  const dt = digits(between(random, 0.1, 1));
  const list = Array.from({ length: 7 }, () => digits(between(random, -2, 2)));
  const head = `const list = ${JSON.stringify(list)};`;
  const integral = (t: number): number => {
    let sum = 0;
    for (let k = 0; k * dt < t; k++) sum += list[k % 7] * Math.min(dt, t - k * dt);
    return sum;
  };
  const forms = [
    `list[Math.floor(t / ${dt}) % 7]`,
    `list[~~(t / ${dt}) % 7]`,
    `list[((t / ${dt}) | 0) % list.length]`,
  ];
  return { head, text: forms[Math.floor(random() * forms.length)], integral, size: 2 };
};

/** A ramp between two levels, and stairs. */
const ramp = (random: Random): Source => {
  const start = digits(between(random, 1, 5));
  const w = width(random);
  const c = digits(between(random, -3, 3));
  const forms = [
    `${c} * Math.min(1, Math.max(0, (t - ${start}) / ${w}))`,
    `${c} * clamp((t - ${start}) / ${w}, 0, 1)`,
    `(${c} / 2) * (1 + (Math.abs((t - ${start}) / ${w}) - Math.abs((t - ${start}) / ${w} - 1)))`,
  ];
  const head = 'const clamp = (u: number, a: number, b: number): number => (u < a ? a : u > b ? b : u);';
  const integral = (t: number): number => {
    const inside = within(t, start, start + w);
    return c * ((inside * inside) / (2 * w) + Math.max(0, t - start - w));
  };
  return { head, text: forms[Math.floor(random() * forms.length)], integral, size: Math.abs(c) };
};

const stairs = (random: Random): Source => {
  const T = digits(between(random, 0.2, 2));
  const c = digits(between(random, -1, 1));
  const name = ['floor', 'ceil', 'round', 'trunc'][Math.floor(random() * 4)];
  // ceil u = floor u + 1 almost everywhere, round u = floor (u + ½).
  const integral = (t: number): number => {
    const from = name === 'round' ? 0.5 : 0;
    const sum = (u: number): number => {
      const n = Math.floor(u);
      return (n * (n - 1)) / 2 + n * (u - n);
    };
    return c * T * (sum(t / T + from) - sum(from) + (name === 'ceil' ? t / T : 0));
  };
  return { head: '', text: `${c} * Math.${name}(t / ${T})`, integral, size: Math.abs(c) * 10 };
};

const KINDS = [pulse, sawtooth, modulated, waves, table, samples, ramp, stairs];

/** One to three of them. */
export function randomSource(random: Random): Source {
  const count = 1 + Math.floor(random() * 3);
  const kinds = [...KINDS].sort(() => random() - 0.5).slice(0, count);
  const parts = kinds.map((kind) => kind(random));
  return {
    head: parts.map(({ head }) => head).join('\n'),
    text: parts.map(({ text }) => text).join(' + '),
    integral: (t) => parts.reduce((sum, { integral }) => sum + integral(t), 0),
    size: Math.max(...parts.map(({ size }) => size)),
  };
}
