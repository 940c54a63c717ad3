/**
 * Random masses on walls that scripts move, with corners: velocities that jump, alone and several of them
 * within a moment, at the start, at the end, and where a contact opens or begins to slide of itself.
 */
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import type { Random } from '../../support/random';

const END = 2;
export const G = 9.81;

/** A cubic that holds from a time on: c₀ + c₁ s + c₂ s² + c₃ s³ with s = t − from. */
export interface Piece {
  readonly from: number;
  readonly c: readonly [number, number, number, number];
}

interface Mass {
  readonly m: number;
  /** spring to the ground, N/m */
  readonly k: number;
  /** spring to the next mass, N/m */
  readonly toNext: number;
  readonly e: number;
  readonly y0: number;
  readonly v0: number;
  readonly wall: readonly Piece[];
}

/** Of one mass, which then has a second coordinate, along its wall, that friction acts on. */
interface Belt {
  readonly mu: number;
  readonly k: number;
  readonly x0: number;
  readonly u0: number;
  readonly belt: readonly Piece[];
}

export interface Drawn {
  readonly masses: readonly Mass[];
  readonly belt: Belt | null;
  readonly document: ModelDocument;
}

/** y, ẏ, ÿ, y⃛ of a piece. */
export function jet({ from, c }: Piece, t: number): [number, number, number, number] {
  const s = t - from;
  return [
    c[0] + s * (c[1] + s * (c[2] + s * c[3])),
    c[1] + s * (2 * c[2] + 3 * s * c[3]),
    2 * c[2] + 6 * s * c[3],
    6 * c[3],
  ];
}

/** Times of corners: a few places, some with several corners that are next to nothing apart. */
function cornersOf(random: Random): number[] {
  const times: number[] = [];
  const offset = (): number => 10 ** -random.uniform(3, 13);
  const count = random.integer(2, 4);
  for (let k = 0; k < count; k++) {
    let time = (END * (k + random.uniform(0.2, 0.9))) / count;
    if (random.chance(0.08)) time = 0;
    if (random.chance(0.08)) time = random.chance(0.5) ? END - offset() : END;
    if (random.chance(0.3)) time = Math.round(time * 100) / 100;
    times.push(time);
    for (let more = random.chance(0.4) ? random.integer(1, 2) : 0; more > 0; more--)
      times.push(times[times.length - 1] + offset());
  }
  return [...new Set(times)].sort((a, b) => a - b);
}

/**
 * Pieces that are continuous.
 * @param corners s
 * @param bend of a piece, which may depend on where it begins; speeds are up to 1
 */
function piecesOf(
  random: Random,
  corners: readonly number[],
  bend: (value: number, speed: number, span: number) => readonly [number, number],
): Piece[] {
  const pieces: Piece[] = [];
  const starts = [0, ...corners.filter((time) => time > 0)];
  starts.forEach((from, k) => {
    const before = pieces.at(-1);
    const [value, speedBefore] = before === undefined ? [random.uniform(-0.1, 0.1), 0] : jet(before, from);
    const isSmooth = before !== undefined && random.chance(0.15);
    // Not too far away.
    const speed = isSmooth ? speedBefore : random.uniform(-1, 1) - value;
    const span = (starts[k + 1] ?? END) - from;
    pieces.push({ from, c: [value, speed, ...bend(value, speed, span)] });
  });
  return pieces;
}

const bodyOf = (pieces: readonly Piece[]): string[] => {
  const text = ({ from, c }: Piece): string =>
    `{ const s = t - ${from}; return ${c[0]} + s * (${c[1]} + s * (${c[2]} + s * ${c[3]})); }`;
  return pieces.map((piece, k) =>
    k + 1 < pieces.length ? `  if (t < ${pieces[k + 1].from}) ${text(piece)}` : `  ${text(piece)}`,
  );
};

export function drawn(random: Random): Drawn {
  const isOnBelt = random.chance(0.35);
  const n = isOnBelt ? 1 : random.integer(1, 3);
  const corners = cornersOf(random);
  const near = (): number =>
    random.chance(0.4) ? 0 : (random.chance(0.5) ? 1 : -1) * 10 ** -random.uniform(3, 13);
  const mu = random.uniform(0.2, 0.8);
  const masses = Array.from({ length: n }, (_, i): Mass => {
    const m = random.uniform(0.5, 3);
    const k = random.chance(0.5) ? random.uniform(5, 60) : 0;
    const wall = piecesOf(random, random.chance(0.7) ? corners : cornersOf(random), (value, speed, span) => {
      const bend = random.uniform(-4, 3);
      const cubic = random.uniform(-2, 2);
      if (isOnBelt || !random.chance(0.6) || span < 1e-2) return [bend, isOnBelt ? 0 : cubic];
      // The force of the contact, m (ÿ + g) + k y, is at zero as good as at the next corner.
      const s = span + near();
      const rest = m * (2 * bend + G) + k * (value + s * (speed + s * bend));
      return [bend, -rest / (6 * m * s + k * s ** 3)];
    });
    const [y, v] = jet(wall[0], 0);
    const isUp = random.chance(0.3);
    return {
      m,
      k,
      toNext: i + 1 < n && random.chance(0.7) ? random.uniform(5, 40) : 0,
      e: random.chance(0.6) ? 0 : random.uniform(0.1, 0.7),
      y0: isUp ? y + random.uniform(0.05, 0.3) : y,
      v0: isUp ? random.uniform(-1, 1) : v,
      wall,
    };
  });
  let belt: Belt | null = null;
  if (isOnBelt) {
    const [{ m, wall }] = masses;
    const k = random.chance(0.3) ? random.uniform(5, 40) : 0;
    let from = 0;
    const pieces = piecesOf(random, random.chance(0.6) ? corners : cornersOf(random), (_, __, span) => {
      const bend = random.uniform(-0.8, 0.8);
      const below = wall.filter((piece) => piece.from <= from).at(-1) ?? wall[0];
      from += span;
      if (!random.chance(0.6) || span < 1e-2 || k > 0) return [bend, random.uniform(-2, 2)];
      // What holds the mass on the belt, m ẍ, is at μ times the normal force as good as at the next corner.
      const bound = (random.chance(0.5) ? 1 : -1) * mu * (G + 2 * below.c[2]);
      return [bend, (bound - 2 * bend) / (6 * (span + near()))];
    });
    const [x, u] = jet(pieces[0], 0);
    const isSticking = random.chance(0.5);
    belt = { mu, k, x0: m > 0 ? x : 0, u0: isSticking ? u : u + random.uniform(-1, 1), belt: pieces };
  }
  return { masses, belt, document: documentOf(masses, belt) };
}

function documentOf(masses: readonly Mass[], belt: Belt | null): ModelDocument {
  const n = masses.length + (belt === null ? 0 : 1);
  const square = (entry: (i: number, j: number) => number): number[][] =>
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => entry(i, j)));
  const all = belt === null ? masses : [masses[0], { ...masses[0], k: belt.k }];
  const linked = (i: number, j: number): number =>
    belt === null && Math.abs(i - j) === 1 ? masses[Math.min(i, j)].toNext : 0;
  const stiffness = square((i, j) =>
    i === j ? all[i].k + linked(i, i + 1) + (i > 0 ? linked(i - 1, i) : 0) : -linked(i, j),
  );
  const source = masses.flatMap(({ wall }, i) => [
    `const wall${i} = (t: number): number => {`,
    ...bodyOf(wall),
    '};',
  ]);
  if (belt !== null) source.push('const belt = (t: number): number => {', ...bodyOf(belt.belt), '};');
  masses.forEach((_, i) => {
    const slip = belt === null ? '' : ' out[1] = q[1] - belt(t);';
    source.push(
      `export const gap${i}: Constraint = (t, q, out) => { out[0] = q[${i}] - wall${i}(t);${slip} };`,
    );
  });
  const text = {
    formatVersion: 3,
    title: 'masses on walls with corners',
    systems: [
      {
        id: 'masses',
        type: 'LagrangianLinearTI',
        ndof: n,
        mass: square((i, j) => (i === j ? all[i].m : 0)),
        stiffness,
        fExt: all.map(({ m }, i) => (belt !== null && i === 1 ? 0 : -m * G)),
        q0: belt === null ? masses.map(({ y0 }) => y0) : [masses[0].y0, belt.x0],
        v0: belt === null ? masses.map(({ v0 }) => v0) : [masses[0].v0, belt.u0],
      },
    ],
    interactions: masses.map(({ e }, i) => ({
      id: `wall${i}`,
      systems: ['masses'],
      relation: {
        type: 'LagrangianRheonomous',
        ...(belt !== null && { size: 2 }),
        h: { function: `gap${i}` },
        jacobian:
          belt === null
            ? [Array.from({ length: n }, (__, j) => (j === i ? 1 : 0))]
            : [
                [1, 0],
                [0, 1],
              ],
      },
      law: belt === null ? { type: 'NewtonImpact', e } : { type: 'NewtonImpactFriction', e, mu: belt.mu },
    })),
    simulation: {
      scheme: 'event-driven',
      t0: 0,
      tEnd: END,
      h: 0.01,
      integrators: [{ type: 'MoreauJean' }],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    },
    scripts: [{ name: 'walls.ts', role: 'functions', source }],
  };
  const { document, issues } = readDocument(JSON.stringify(text));
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return document;
}
