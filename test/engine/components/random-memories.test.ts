/**
 * Relays with hysteresis and latches that switch at the same instants, and that follow each other: drawn with
 * thresholds of few values on common signals, against their rules evaluated at close times.
 */
import { expect, it } from 'vitest';
import { run } from '../support/run';
import { type Random, seeded } from '../support/random';
import { sample } from '../../support/prove';
import { drawn, type Part } from './drawn';

const NONE = undefined as unknown as string;
const T_END = 2;
const CLOSE = 1e-4;
const THRESHOLDS = [0.2, 0.45, 0.7];

/** What reads a sine, and the output of another with a weight. */
interface Memory {
  readonly type: 'HysteresisRelay' | 'Latch';
  readonly low: number;
  readonly high: number;
  /** −1: of nothing but the sine */
  readonly follows: number;
  readonly weight: number;
}

const randomMemories = (random: Random): Memory[] =>
  Array.from({ length: random.integer(2, 4) }, (_, k) => ({
    type: random.chance(0.6) ? 'HysteresisRelay' : 'Latch',
    low: -THRESHOLDS[random.integer(0, 2)],
    high: THRESHOLDS[random.integer(0, 2)],
    follows: k > 0 && random.chance(0.5) ? random.integer(0, k - 1) : -1,
    weight: random.chance(0.5) ? 1.5 : -1.5,
  }));

/** The sine starts between all thresholds. */
const omega = 7.3;
const sine = (t: number): number => Math.sin(omega * t);

function drawingOf(memories: readonly Memory[]): Part[] {
  const parts: Part[] = [['W', 'SineSignal', ['w'], { amplitude: 1, frequency: omega / (2 * Math.PI) }]];
  memories.forEach(({ type, low, high, follows, weight }, k) => {
    let input = 'w';
    if (follows >= 0) {
      parts.push([`G${k}`, 'Gain', [`m${follows}`, `g${k}`], { gain: weight }]);
      parts.push([`S${k}`, 'Sum', ['w', NONE, `g${k}`, `u${k}`]]);
      input = `u${k}`;
    }
    if (type === 'HysteresisRelay') parts.push([`M${k}`, type, [input, `m${k}`], { off: low, on: high }]);
    else {
      parts.push(
        [`H${k}`, 'Signal', [`h${k}`], { value: high }],
        [`L${k}`, 'Signal', [`l${k}`], { value: low }],
      );
      parts.push([`A${k}`, 'Comparison', [input, `h${k}`, `s${k}`]]);
      parts.push([`B${k}`, 'Comparison', [`l${k}`, input, `r${k}`]]);
      parts.push([`M${k}`, type, [`s${k}`, `r${k}`, `m${k}`]]);
    }
    parts.push([`I${k}`, 'Integrator', [`m${k}`, `x${k}`]]);
  });
  return parts;
}

/** Integrals of the outputs, and how often they have switched. */
function evaluated(memories: readonly Memory[]): { integrals: number[]; switches: number } {
  const q = memories.map(() => 0);
  const integrals = memories.map(() => 0);
  let switches = 0;
  const steps = Math.round(T_END / CLOSE);
  for (let k = 0; k < steps; k++) {
    const t = (k + 0.5) * CLOSE;
    for (let isMoved = true; isMoved;) {
      isMoved = false;
      // Of one instant all read what stood before.
      const before = [...q];
      memories.forEach(({ low, high, follows, weight }, i) => {
        const u = sine(t) + (follows < 0 ? 0 : weight * before[follows]);
        const next = u > high ? 1 : u < low ? 0 : before[i];
        if (next === before[i]) return;
        q[i] = next;
        switches++;
        isMoved = true;
      });
    }
    q.forEach((value, i) => (integrals[i] += value * CLOSE));
  }
  return { integrals, switches };
}

it('memories that switch together, and one after the other', { timeout: 300_000 }, () => {
  const random = seeded(20);
  const count = sample(40, 2000);
  for (let n = 0; n < count; n++) {
    const memories = randomMemories(random);
    const { integrals, switches } = evaluated(memories);
    for (const scheme of ['event-driven', 'time-stepping'] as const) {
      const h = scheme === 'event-driven' ? 0.05 : 1e-3;
      const { column, session } = run(drawn(drawingOf(memories), { h, tEnd: T_END }), { scheme });
      const within = (switches + 1) * (scheme === 'event-driven' ? CLOSE : h);
      integrals.forEach((value, k) => {
        const found = column(`x${k}.value`).at(-1) ?? Number.NaN;
        expect(Math.abs(found - value), `${n}, ${scheme}, ${k}: ${JSON.stringify(memories)}`).toBeLessThan(
          within,
        );
      });
      const { dynamics, complementarity } = session.certificate;
      expect(Math.max(dynamics, complementarity), `${n}, ${scheme}`).toBeLessThan(1e-7);
    }
  }
});
