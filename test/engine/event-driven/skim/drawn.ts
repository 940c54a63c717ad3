/** Random chains of masses on springs, between walls that rest, move by sines, or by scripts with corners. */
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import type { Random } from '../../support/random';

const WALLS = [
  (a: number, w: number): string => `${a} * Math.sin(${w} * t)`,
  // Corners, and parts that rest.
  (a: number, w: number): string => `${a} * Math.max(0, Math.sin(${w} * t))`,
  // Two arcs of circles and a rest, as of a cam.
  (a: number, w: number): string =>
    `(() => { const s = ${w} / 6 * t; const u = s - Math.floor(s); if (u < 0.3) return 0; if (u < 0.6) return ${a} * (1 - Math.cos(10 * Math.PI / 3 * (u - 0.3))) / 2; return ${a} * Math.sqrt(1 - Math.pow((u - 0.6) / 0.45, 2)); })()`,
  (a: number, w: number): string => `${a} * Math.abs(Math.sin(${w / 2} * t))`,
];

export const simulationTo = (tEnd: number): object => ({
  scheme: 'event-driven',
  t0: 0,
  tEnd,
  h: 0.01,
  integrators: [{ type: 'MoreauJean' }],
  problem: { type: 'auto' },
  solver: { type: 'auto' },
});

export interface Drawn {
  readonly document: ModelDocument;
  readonly period: number;
}

/** A chain of masses on springs, with walls at its ends and stops between neighbours. */
export function drawn(random: Random): Drawn {
  const n = random.integer(1, 3);
  const w = random.uniform(3, 12);
  const wall = WALLS[random.integer(0, WALLS.length - 1)];
  const isMoving = random.chance(0.7);
  const stiffness = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (i === j ? random.uniform(20, 200) : 0)),
  );
  for (let i = 0; i + 1 < n; i++) stiffness[i][i + 1] = stiffness[i + 1][i] = -random.uniform(0, 15);
  const a = random.uniform(0.02, 0.15);
  const force = `${random.uniform(0, 20)} * Math.sin(${w} * t) - ${random.uniform(0, 10)}`;
  const systems = [
    {
      id: 'masses',
      type: 'LagrangianLinearTI',
      ndof: n,
      mass: Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (_, j) => (i === j ? random.uniform(0.5, 3) : 0)),
      ),
      stiffness,
      ...(random.chance(0.5) && {
        damping: Array.from({ length: n }, (_, i) =>
          Array.from({ length: n }, (_, j) => (i === j ? random.uniform(0, 0.5) : 0)),
        ),
      }),
      q0: Array.from({ length: n }, (_, i) => 0.3 + 0.6 * i + random.uniform(-0.05, 0.05)),
      v0: Array.from({ length: n }, () => random.uniform(-1, 1)),
      ...(random.chance(0.6) && {
        fExt: Array.from({ length: n }, (_, i) =>
          i === 0 ? force.replaceAll('Math.', '') : `${random.uniform(-3, 3)}`,
        ),
      }),
    },
  ];
  const e = (): number => random.uniform(0.5, 0.98);
  const row = (i: number, j: number): number[][] => [
    Array.from({ length: n }, (_, k) => (k === i ? -1 : k === j ? 1 : 0)),
  ];
  const interactions: unknown[] = [];
  if (isMoving)
    interactions.push({
      id: 'wall',
      systems: ['masses'],
      relation: { type: 'LagrangianRheonomous', h: { function: 'gap' }, jacobian: row(-1, 0) },
      law: { type: 'NewtonImpact', e: e() },
    });
  else
    interactions.push({
      id: 'floor',
      systems: ['masses'],
      relation: { type: 'LagrangianLinear', H: row(-1, 0), b: [0] },
      law: { type: 'NewtonImpact', e: e() },
    });
  for (let i = 0; i + 1 < n; i++)
    interactions.push({
      id: `stop${i}`,
      systems: ['masses'],
      relation: { type: 'LagrangianLinear', H: row(i, i + 1), b: [-0.4] },
      law: { type: 'NewtonImpact', e: e() },
    });
  const document = {
    formatVersion: 3,
    title: 'random',
    systems,
    interactions,
    simulation: simulationTo(6),
    scripts: isMoving
      ? [
          {
            name: 'wall.ts',
            role: 'functions',
            source: [
              'export const gap: Constraint = (t, q, out) => {',
              `  out[0] = q[0] - (${wall(a, w)});`,
              '};',
            ],
          },
        ]
      : [],
  };
  const { document: read, issues } = readDocument(JSON.stringify(document));
  if (read === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return { document: read, period: (12 * Math.PI) / w };
}
