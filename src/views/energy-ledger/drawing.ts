/**
 * The energy of a run over time as curves of a time series: what there is, what contacts and friction have
 * taken since the start, and what forces have supplied,
 *
 *     W = T + V − T₀ − V₀ + Σ (energy lost),
 *
 * where all of it is recorded. Pure.
 */
import type { LossesResult, ReadResult } from '@contract/methods';
import type { SignalInfo } from '@engine/document/types';

/** Most contacts that have a curve of their own: those that take most; the others share one. */
const MOST_CURVES = 5;

export interface LedgerWords {
  readonly total: string;
  readonly supplied: string;
  /** what the law takes of a contact, with its name; `isAlone` where it has no friction as well */
  readonly lost: (name: string, part: 'normal' | 'tangential', isAlone: boolean) => string;
  readonly others: string;
}

export interface LedgerCurves {
  readonly infos: SignalInfo[];
  readonly current: ReadResult;
}

interface Curve {
  readonly name: string;
  readonly description: string;
  readonly y: Float64Array;
  /** s */
  readonly t: Float64Array;
}

const added = (arrays: readonly Float64Array[], length: number): Float64Array => {
  const sum = new Float64Array(length);
  for (const array of arrays) for (let k = 0; k < length; k++) sum[k] = (sum[k] ?? 0) + (array[k] ?? NaN);
  return sum;
};

/** What is lost at each contact and by each of its parts, most first. */
function lostCurves({ lost, t }: LossesResult, words: LedgerWords): Curve[] {
  const curves = lost.flatMap((one) =>
    one.parts.map((part): Curve => {
      const name = words.lost(one.name, part, one.parts.length === 1);
      return { name, description: name, t, y: one[part] };
    }),
  );
  const size = ({ y }: Curve): number => Math.abs(y.at(-1) ?? 0);
  const sorted = [...curves].sort((a, b) => size(b) - size(a));
  if (sorted.length <= MOST_CURVES + 1) return sorted;
  const others = sorted.slice(MOST_CURVES).map(({ y }) => y);
  const rest = { name: words.others, description: words.others, t, y: added(others, t.length) };
  return [...sorted.slice(0, MOST_CURVES), rest];
}

/**
 * Whether the work of forces is known: T and V are known, all steps are recorded, and so is every contact. 3D
 * bodies record what each kind of force has done themselves.
 */
export function isBalanced({ energies, every, missing, known, lost }: LossesResult): boolean {
  const names = energies.map(({ name }) => name);
  return (
    names.length === 2 &&
    names.includes('energy.kinetic') &&
    names.includes('energy.potential') &&
    every === 1 &&
    missing.length === 0 &&
    known.length === lost.length
  );
}

export function ledgerCurves(result: LossesResult, words: LedgerWords): LedgerCurves {
  const { t, energies, lost, total: sum } = result;
  const own = energies.map(({ name, curve }): Curve => ({ name, description: name, ...curve }));
  const taken = lostCurves(result, words);
  const derived: Curve[] = [];
  if (isBalanced(result) && sum !== null) {
    const total = added(
      energies.map(({ values }) => values),
      t.length,
    );
    const start = energies.reduce((sum, one) => sum + one.start, 0);
    const all = added([total, ...lost.flatMap(({ normal, tangential }) => [normal, tangential])], t.length);
    derived.push({ name: words.total, description: words.total, ...sum });
    derived.push({
      name: words.supplied,
      description: words.supplied,
      t,
      y: all.map((value) => value - start),
    });
  }
  const curves = [...own, ...derived.slice(0, 1), ...taken, ...derived.slice(1)];
  return {
    infos: curves.map(({ name, description }) => ({ name, description, unit: 'J', kind: 'energy' })),
    current: {
      runId: result.runId,
      rows: result.rows,
      rowsPerBucket: result.rowsPerBucket,
      recordedFrom: result.recordedFrom,
      recordedTo: result.recordedTo,
      signals: curves.map(({ name, t: times, y }) => ({ name, t: times, y })),
    },
  };
}
