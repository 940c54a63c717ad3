/**
 * Random chains of blocks that sample, behind sources that jump at samples and between them, against their
 * difference equations: from event to event with any distance of rows, in steps with every one that is not
 * longer than the period, and both by the same rule for what jumps at the very instant.
 */
import { expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

const SAMPLES = 24;

interface Chain {
  readonly period: number;
  readonly delay: number;
  readonly jump: number;
  readonly size: number;
  readonly blocks: readonly Block[];
}

interface Block {
  readonly type: 'Sampler' | 'SampleDelay' | 'DigitalPID' | 'SlewLimit';
  readonly fields: Readonly<Record<string, number>>;
}

const SCHEMES = ['event-driven', 'time-stepping'] as const;
const PARTS = [1, 1 / 2, 1 / 3, 0.7];

function randomBlock(random: Random): Block {
  const pick = random.integer(0, 3);
  if (pick === 0) return { type: 'Sampler', fields: {} };
  if (pick === 1) return { type: 'SampleDelay', fields: { samples: random.integer(1, 3), start: 0.4 } };
  if (pick === 2) return { type: 'SlewLimit', fields: { rate: random.uniform(0.1, 3), start: -0.2 } };
  const limits = random.chance(0.5) ? { lower: -0.8, upper: random.uniform(0, 1) } : {};
  const gains = { Kp: random.uniform(0.2, 2), Ki: random.uniform(0, 3), Kd: random.uniform(0, 0.1) };
  return { type: 'DigitalPID', fields: { ...gains, start: 0.1, ...limits } };
}

function randomChain(random: Random): Chain {
  const period = random.chance(0.5) ? 1e-3 : random.uniform(0.01, 0.3);
  const delay = random.chance(0.5) ? 0 : random.uniform(0, 1) * period;
  const at = random.integer(2, 12) + (random.chance(0.7) ? 0 : random.uniform(0.1, 0.9));
  return {
    ...{ period, delay, jump: delay + at * period, size: random.uniform(0.5, 2) },
    blocks: Array.from({ length: random.integer(1, 3) }, () => randomBlock(random)),
  };
}

const drawingOf = ({ period, delay, jump, size, blocks }: Chain): Part[] => [
  ['W', 'SineSignal', ['w'], { amplitude: 0.7, frequency: 0.1 / period }],
  ['R', 'StepSignal', ['r'], { after: size, time: jump }],
  ['S', 'Sum', ['r', undefined as unknown as string, 'w', 'n0']],
  ...blocks.map(({ type, fields }, k): Part => {
    const gain = 1 / period;
    const scaled = {
      ...fields,
      ...(fields.rate !== undefined && { rate: fields.rate * gain }),
      ...(fields.Ki !== undefined && { Ki: fields.Ki * gain }),
      ...(fields.Kd !== undefined && { Kd: fields.Kd * period }),
    };
    return [`B${k}`, type, [`n${k}`, `n${k + 1}`], { ...scaled, period, delay }];
  }),
];

/** What a block gives at each of its samples, of its inputs there; that of the start is the first. */
function outputs({ type, fields }: Block, u: readonly number[]): number[] {
  if (type === 'Sampler') return [...u];
  const { samples, start, rate, Kp, Ki, Kd, lower = -Infinity, upper = Infinity } = fields;
  if (type === 'SampleDelay') return u.map((_, k) => (k < samples ? start : u[k - samples]));
  let y = start;
  if (type === 'SlewLimit')
    return u.map((value, k) => (k === 0 ? y : (y += Math.min(Math.max(value - y, -rate), rate))));
  return u.map((e, k) => {
    const rest = Kp * e + y + Kd * (e - (k === 0 ? 0 : u[k - 1]));
    const growth = Math.min(Math.max(0, upper - rest), Math.max(Math.min(0, lower - rest), Ki * e));
    y += growth;
    return Math.min(Math.max(rest + growth, lower), upper);
  });
}

/** Outputs of the last block, at the start and at each sample behind it. */
function expected({ period, delay, jump, size, blocks }: Chain): number[] {
  const source = (t: number): number =>
    0.7 * Math.sin((0.2 * Math.PI * t) / period) + (t > jump + 1e-6 * period ? size : 0);
  // With a delay the start is a sample of its own.
  const times = Array.from({ length: SAMPLES + 1 }, (_, k) => delay + k * period);
  if (delay > 0) times.unshift(0);
  let values = times.map(source);
  for (const [b, block] of blocks.entries()) {
    // At the start all follow each other; behind it each sees what the one before has held.
    const own = b === 0 ? values : [values[0], ...values.slice(0, -1)];
    values = outputs(block, own);
  }
  return values;
}

it('chains are their difference equations in both schemes', { timeout: 600_000 }, () => {
  const random = seeded(97);
  for (let n = 0; n < sample(12, 600); n++) {
    const chain = randomChain(random);
    const { period, delay, blocks } = chain;
    const values = expected(chain);
    for (const scheme of SCHEMES)
      for (const part of scheme === 'event-driven' ? [...PARTS, 3] : PARTS) {
        const what = `${scheme}, h = ${part} T, chain ${n}: ${JSON.stringify(chain)}`;
        const document = drawn(drawingOf(chain), { h: part * period, tEnd: (SAMPLES - 0.5) * period });
        const { column, session } = run(document, { scheme, sandbox: createSandbox });
        const { dynamics, complementarity } = session.certificate;
        expect(Math.max(dynamics, complementarity), what).toBeLessThan(1e-8);
        const y = column(`B${blocks.length - 1}.y`);
        column('t').forEach((t, i) => {
          const phase = (t - delay) / period;
          if (Math.abs(phase - Math.round(phase)) < 1e-6 && scheme === 'event-driven') return;
          const k = Math.floor(phase + 1e-6) + (delay > 0 ? 1 : 0);
          expect(Math.abs(y[i] - values[k]), `${what}, t = ${t}`).toBeLessThan(1e-6);
        });
      }
  }
});

it('a step longer than the period is refused', () => {
  const parts: Part[] = [
    ['W', 'RampSignal', ['w'], { rate: 1 }],
    ['H', 'Sampler', ['w', 'y'], { period: 1e-3 }],
  ];
  const document = drawn(parts, { h: 1.3e-3, tEnd: 0.01 });
  expect(() => run(document, { scheme: 'time-stepping', sandbox: createSandbox })).toThrow(/longer than the/);
});
