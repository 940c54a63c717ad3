/**
 * The runs that faults are looked for in: the examples of the gallery by both schemes, as far as they are
 * judged well without a fault.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle, FOLDER } from './bundle';
import type { GalleryRun, Judged } from './judge';
import type { Stretch } from './judge.worker';
import { JudgeThread } from './thread';

const EXAMPLES = fileURLToPath(new URL('../../../resources/examples/', import.meta.url));

/** Most steps of a run: enough for impacts, switches and stretches of rest in most examples. */
const STEPS = 500;
/** Of those that are many 3D bodies. */
const FEWER: Readonly<Record<string, number>> = {
  'granular-column': 40,
  'rotating-drum': 20,
  // Event-driven it ends at an accumulation of switches behind these.
  'twisting-controller-sampled': 200,
};
/** Of those that come to their events, or to the end of a sequence of bounces, late. */
const MORE: Readonly<Record<string, number>> = {
  'bouncing-ball': 8000,
  'brick-shaken': 1500,
  'glued-box': 1500,
};

const integrators = (...list: object[]): Readonly<Record<string, unknown>> => ({ integrators: list });

/**
 * Runs with settings that no example has by itself: other integrators, gyroscopic terms, solvers, laws of
 * impacts.
 */
const VARIANTS: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  [
    'four-bar-web-cutter',
    'by half steps',
    { scheme: 'time-stepping', ...integrators({ type: 'MoreauHalfStep' }) },
  ],
  [
    'pendulum-joint',
    'by half steps',
    { scheme: 'time-stepping', ...integrators({ type: 'MoreauHalfStep' }) },
  ],
  ['two-link-manipulator', 'by half steps', integrators({ type: 'MoreauHalfStep' })],
  ['bouncing-ball', 'by half steps', integrators({ type: 'MoreauHalfStep' })],
  ['dzhanibekov', 'implicit', integrators({ type: 'MoreauHalfStep', gyroscopic: 'implicit' })],
  ['heavy-top', 'explicit', integrators({ type: 'MoreauHalfStep', gyroscopic: 'explicit' })],
  ['heavy-top', 'by the θ-method', integrators({ type: 'MoreauJean' })],
  ['dzhanibekov', 'by the θ-method, implicit', integrators({ type: 'MoreauJean', gyroscopic: 'implicit' })],
  ['bouncing-box', 'by the θ-method', integrators({ type: 'MoreauJean' })],
  ['rolling-ball', 'by the θ-method', integrators({ type: 'MoreauJean' })],
  ['bouncing-box', 'by Poisson', { impacts: { type: 'Poisson' } }],
  ['three-balls', 'by Poisson', { impacts: { type: 'Poisson' } }],
  ['three-balls', 'by Newton', { impacts: { type: 'Newton' } }],
  ['ball-chain', 'one after the other', { impacts: { type: 'Sequential' } }],
  ['diode-bridge', 'by Lemke', { solver: { type: 'Lemke' } }],
  ['newtons-cradle', 'by Fischer and Burmeister', { solver: { type: 'NewtonFischerBurmeister' } }],
  ['bouncing-box', 'by NSGS', { solver: { type: 'NSGS' } }],
  ['brick-on-slope', 'by a Newton method', { solver: { type: 'SemiSmoothNewton' } }],
  ['spring-friction', 'integrated', { eventDriven: { flight: { type: 'DormandPrince' } } }],
  ['cam-follower-event-driven-660', 'integrated', { eventDriven: { flight: { type: 'DormandPrince' } } }],
  ['three-balls', 'stiff', { eventDriven: { flight: { type: 'RadauIIA' } } }],
  ['relay-oscillator', 'θ = ½', integrators({ type: 'EulerMoreau', theta: 0.5, thetaR: 0.5 })],
  ['diode-bridge', 'θ = ½', integrators({ type: 'EulerMoreau', theta: 0.5, thetaR: 0.5 })],
  ['gene-network', 'θ = ½', integrators({ type: 'EulerMoreau', theta: 0.5, thetaR: 0.5 })],
];

/** Runs with other elements or scripts, for code that no example executes. */
const CHANGED: readonly (readonly [of: string, how: string, find: string, replace: string])[] = [
  [
    'slider-crank-clearance',
    'with friction',
    '"clearance": "clearance"\n      },\n      "law": {\n        "type": "NewtonImpact",',
    '"clearance": "clearance", "radius": 0.01, "rows": "gapAndSlip"\n      },\n      "law": {\n        "type": "NewtonImpactFriction", "mu": 0.1,',
  ],
  [
    'cam-follower-relative-660',
    'differenced',
    '"  out[0] = slope(angle(t, p)) * ((2 * Math.PI * p.rpm) / 60);"',
    '"  try { out[0] = slope(angle(t, p)) * ((2 * Math.PI * p.rpm) / 60); } finally {}"',
  ],
];

/** s of a run without a fault, at most. */
const PATIENCE = 120;

export interface BaseRun {
  readonly run: GalleryRun;
  readonly judged: Judged;
  /** what of the bundle it executes and what not; null where it is not counted */
  readonly stretches: readonly Stretch[] | null;
}

/** @param names of runs; null for all */
export function galleryRuns(names: readonly string[] | null): GalleryRun[] {
  const files = readdirSync(EXAMPLES)
    .filter((name) => name.endsWith('.moreau.json'))
    .filter(
      (name) => names === null || names.some((one) => one.split(',')[0] === name.replace('.moreau.json', '')),
    );
  return files.flatMap((file): GalleryRun[] => {
    const name = file.replace('.moreau.json', '');
    const text = readFileSync(EXAMPLES + file, 'utf8');
    const steps = FEWER[name] ?? MORE[name] ?? STEPS;
    const { simulation } = JSON.parse(text) as { simulation: { scheme?: string } };
    const other = simulation.scheme === 'event-driven' ? 'time-stepping' : 'event-driven';
    const changed = CHANGED.filter(([of]) => of === name);
    const variants = VARIANTS.filter(([of]) => of === name);
    const runs: GalleryRun[] = [
      { name, text, steps },
      { name: `${name}, ${other}`, text, steps, scheme: other },
      ...variants.map(([, how, settings]) => ({ name: `${name}, ${how}`, text, steps, settings })),
      ...changed.map(([, how, find, replace]): GalleryRun => ({
        name: `${name}, ${how}`,
        text: text.replace(find, replace),
        steps,
        scheme: 'event-driven',
      })),
    ];
    return runs.filter((run) => names?.includes(run.name) ?? true);
  });
}

/**
 * Computes all runs with the engine as it is, the quickest first. What is found is kept until the engine or
 * the gallery changes.
 * @param names of the runs; null for all
 * @returns its bundle, what names it and the gallery, and the runs that come to their end
 */
export async function baseRuns(
  names: readonly string[] | null,
): Promise<{ text: string; file: string; key: string; runs: BaseRun[] }> {
  const { file, text } = await bundle('base', []);
  const all = galleryRuns(names);
  const key = createHash('sha1').update(text).update(JSON.stringify(all)).digest('hex');
  const kept = `${FOLDER}/base-${key}.json`;
  if (existsSync(kept)) return { file, text, key, runs: JSON.parse(readFileSync(kept, 'utf8')) as BaseRun[] };
  const runs: BaseRun[] = [];
  const refused: string[] = [];
  const thread = new JudgeThread(file);
  const counting = new JudgeThread(file, true);
  for (const run of all) {
    const { judged } = await thread.judge(run, true, PATIENCE);
    if (judged.outcome !== 'done') {
      refused.push(`${run.name}: ${judged.message}`);
      continue;
    }
    // Of few runs each is looked at.
    const counted = names === null ? await counting.judge(run, false, PATIENCE) : null;
    await counting.end();
    runs.push({ run, judged, stretches: counted?.stretches ?? null });
  }
  await thread.end();
  await counting.end();
  runs.sort((a, b) => a.judged.seconds - b.judged.seconds);
  writeFileSync(kept, JSON.stringify(runs));
  writeFileSync(`${FOLDER}/refused.txt`, refused.join('\n'));
  return { file, text, key, runs };
}

/** Whether a run executes what stands at a place of the bundle. */
export function executes({ stretches }: BaseRun, place: number): boolean {
  if (stretches === null) return true;
  // Of the stretches that hold the place the innermost counts; they are nested, and those of one function
  // begin with its whole.
  let count = 0;
  let length = Infinity;
  for (const { startOffset, endOffset, count: times } of stretches) {
    if (place < startOffset || place >= endOffset || endOffset - startOffset > length) continue;
    count = times;
    length = endOffset - startOffset;
  }
  return count > 0;
}
