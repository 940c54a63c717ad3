/** What runs of the fake host record: plausible curves of a cam-follower. */
import type { ReadResult, RunInfo } from '@contract/methods';
import type { SignalInfo } from '@engine/document/types';

export const SIGNALS: SignalInfo[] = [
  { name: 't', unit: 's', kind: 'time', description: 'Time' },
  {
    name: 'follower.q',
    unit: 'm',
    kind: 'position',
    element: 'follower',
    description: 'Position of follower',
  },
  {
    name: 'follower.v',
    unit: 'm/s',
    kind: 'velocity',
    element: 'follower',
    description: 'Velocity of follower',
  },
  { name: 'cam.gap', unit: 'm', kind: 'gap', element: 'cam', description: 'Gap of cam' },
  { name: 'lift', unit: 'm', kind: 'observable', description: 'Lift of the cam' },
];

/** A run with all it has recorded. */
export interface Run {
  info: RunInfo;
  columns: Float64Array[];
}

/** Explicit bouncing of a spring-loaded mass on a moving surface: plausible curves, no reference values. */
export function simulate(rpm: number, e: number, steps: number, h: number): Float64Array[] {
  const columns = SIGNALS.map(() => new Float64Array(steps + 1));
  const w = (2 * Math.PI * rpm) / 60;
  let q = 0.4;
  let v = 0.4;
  for (let k = 0; k <= steps; k++) {
    const t = k * h;
    const c = 0.2 * Math.sin(w * t);
    [t, q, v, q - c, c].forEach((value, i) => ((columns[i] as Float64Array)[k] = value));
    v += h * (-1430.8 / 1.221) * q;
    q += h * v;
    const cDot = 0.2 * w * Math.cos(w * t);
    if (q < 0.2 * Math.sin(w * (t + h)) && v < cDot) v = (1 + e) * cDot - e * v;
  }
  return columns;
}

/** The rows of a window, thinned. */
export function read(run: Run, names: string[], from: number, to: number, buckets: number): ReadResult {
  const t = run.columns[0];
  const rows: number[] = [];
  for (let k = 0; k < run.info.statistics.rows; k++) if (t[k] >= from && t[k] <= to) rows.push(k);
  const stride = Math.max(1, Math.ceil(rows.length / (2 * buckets)));
  const kept = rows.filter((_, i) => i % stride === 0);
  return {
    runId: run.info.runId,
    rows: rows.length,
    rowsPerBucket: stride === 1 ? 1 : rows.length / buckets,
    recordedFrom: 0,
    recordedTo: run.info.statistics.simulatedTime,
    signals: names.map((name) => {
      const column = run.columns[SIGNALS.findIndex((signal) => signal.name === name)];
      return { name, t: Float64Array.from(kept, (k) => t[k]), y: Float64Array.from(kept, (k) => column[k]) };
    }),
  };
}
