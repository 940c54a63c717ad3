/**
 * Starts from which several motions begin: a relay at its jump that drives its input away from there. With
 * −y ∈ N_[l,u](λ) and y, or ẏ where y is zero and does not hang on λ, equal to d + w λ, a negative w gives
 * λ = l and λ = u where also the value −d/w between them is a solution (Filippov 1988, §10; for λ in y see
 * Cottle, Pang and Stone 1992, §3.3). A certificate cannot know which was meant.
 */
import type { DocumentIssue } from '../document/types';
import type { NonSmoothDynamicalSystem } from '../model/nsds';

/** Part of the largest terms of y that counts as zero. */
const ZERO = 1e-12;

interface Places {
  /** JSON pointer to an element */
  readonly pointers: ReadonlyMap<string, string>;
  /** component of a row of an interaction, and where it stands; null where nothing is drawn */
  readonly componentOf: (
    interaction: string,
    row: number,
  ) => { readonly id: string; readonly pointer: string } | null;
}

/** @param stays whether the scheme takes the value between, and stays at the jump */
export function checkStarts(
  { systems, interactions }: NonSmoothDynamicalSystem,
  t0: number,
  stays: boolean,
  { pointers, componentOf }: Places,
  issues: DocumentIssue[],
): void {
  const clock = Float64Array.of(t0);
  for (const { id, relation, law, systems: linked } of interactions) {
    const { C, D, B, size, isAffine, isTimeDependent } = relation;
    if (relation.order !== 1 || !isAffine || isTimeDependent || B === null || C === null) continue;
    // Of large relations nothing is expanded here.
    if (relation.entries !== undefined || !law.rows.some(isRelay)) continue;
    const forms = linked.map((system) => systems[system].form);
    const isLone = interactions.every(
      (other) => other.relation === relation || !other.systems.some((system) => linked.includes(system)),
    );
    const rates = forms.map((form) => {
      if (form.order !== 1 || !form.isAutonomous || form.rateKind === 'nonlinear' || form.mass !== null)
        return null;
      const rate = new Float64Array(form.size);
      form.rate(clock, form.x0, rate);
      return rate;
    });
    if (!isLone || rates.includes(null)) continue;
    const z = forms.flatMap((form) => (form.order === 1 ? [...form.x0] : []));
    const rate = rates.flatMap((own) => [...(own ?? [])]);
    const y = new Float64Array(size);
    relation.output(clock, Float64Array.from(z), new Float64Array(size), y);
    law.rows.forEach((row, k) => {
      if (!isRelay(row)) return;
      const ofC = z.map((_, j) => C[k * z.length + j]);
      const direct = Array.from({ length: size }, (_, i) => D?.[k * size + i] ?? 0);
      const driven = Array.from({ length: size }, (_, i) =>
        ofC.reduce((sum, entry, j) => sum + entry * B[j * size + i], 0),
      );
      const scale = ofC.reduce((most, entry, j) => Math.max(most, Math.abs(entry * z[j])), 0);
      const isDirect = direct.some((entry) => entry !== 0);
      if (!isDirect && Math.abs(y[k]) > ZERO * scale) return;
      const w = isDirect ? direct : driven;
      // Beside others it takes more to tell.
      if (!(w[k] < 0) || w.some((entry, i) => i !== k && entry !== 0)) return;
      const d = isDirect ? y[k] : ofC.reduce((sum, entry, j) => sum + entry * rate[j], 0);
      const between = -d / w[k];
      if (!(between > row.lower && between < row.upper)) return;
      const drawn = componentOf(id, k);
      const name = drawn?.id ?? (size === 1 ? id : `${id}, row ${k}`);
      const taken =
        stays && !isDirect
          ? 'This run stays at the jump, which the least disturbance would end.'
          : 'The first row of the run shows which was taken.';
      issues.push({
        severity: 'warning',
        code: 'several-starts',
        pointer: drawn?.pointer ?? pointers.get(id) ?? '/interactions',
        element: drawn?.id ?? id,
        message: `Several motions begin at t = ${t0} s: “${name}” is at its jump and drives its input away from there, to either side. ${taken}`,
        remedy: 'Begin a little to the side that is meant, or give the relay a hysteresis.',
      });
    });
  }
}

const isRelay = (row: {
  readonly kind: string;
  readonly lower?: number;
  readonly upper?: number;
}): row is { readonly kind: 'box'; readonly lower: number; readonly upper: number } =>
  row.kind === 'box' && Number.isFinite(row.lower) && Number.isFinite(row.upper);
