/** Conditions of presence, compiled: expressions of time, parameters and signals of a row of the result. */
import { affineForm } from '../document/affine-form';
import {
  compileExpression,
  ExpressionError,
  type ExpressionProgram,
  isComparison,
  runExpression,
} from '../document/expressions';
import { foldConstants } from '../document/fold-constants';
import { pieceForms } from '../document/piece-forms';
import { timedSign } from '../document/piecewise';
import { checkConstant, type NumberContext } from '../document/parameters';
import { conditionedRows, type Interaction } from '../model/nsds';
import type { PresenceRule } from '../model/settings/presences';
import type { AffineGuard } from '../model/resets/reset';
import type { SignalRows } from './control-plan';

/** Where a row has time, q and v, which stand before the first output, and what blocks hold. */
interface PresenceRows extends SignalRows {
  readonly y: number;
  readonly lambda: number;
  readonly held: number;
  readonly presence: number;
}

/** What has no condition of its own, and is decided by that of another. */
const OPPOSITE = {
  hysteresis: 0,
  isAtStart: true,
  latch: null,
  lawSignal: null,
  affine: null,
  timed: null,
  evaluate: (_: Float64Array, out: Float64Array): void => {
    out[0] = 1;
  },
} as const;

/** An expression without a minus in front of all of it, and the sign that this was. */
function unsigned(text: string): [base: string, sign: number] {
  if (!text.startsWith('-(') || !text.endsWith(')')) return [text, 1];
  let depth = 0;
  for (let i = 1; i < text.length - 1; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')') depth--;
    if (depth === 0) return [text, 1];
  }
  return [text.slice(2, -1), -1];
}

/**
 * @param awaitsMore whether a script will add elements, so that a name that is not there yet is no defect
 * @returns defects go to `context.issues`
 */
export function planPresence(
  interactions: readonly Interaction[],
  places: PresenceRows,
  context: NumberContext,
  awaitsMore: boolean,
): PresenceRule[] {
  const parameters = Object.entries(context.parameters);
  const conditioned = conditionedRows({ interactions });
  const seen = new Map<string, { readonly index: number; readonly sign: number }>();
  return conditioned.flatMap(({ presence, ...rows }, index): PresenceRule[] => {
    const { name, interaction } = rows;
    const { id } = interactions[interaction];
    if ('unless' in presence) {
      const unless = conditioned.findIndex((other) => other.name === `${id}.${presence.unless}`);
      return [{ ...rows, ...OPPOSITE, id, unless }];
    }
    const { condition, hysteresis, isAtStart, carries } = presence;
    const latch =
      carries === null ? null : { carries, y: places.y + rows.first, lambda: places.lambda + rows.first };
    const known = new Map<string, number>(parameters.map(([name], k) => [name, k]));
    for (const parameter of context.brokenParameters) known.set(parameter, 0);
    const first = Math.max(1, parameters.length);
    const slots: number[] = [];
    let lawSignal: string | null = null;
    const resolve = (path: string): number => {
      const found = known.get(path);
      if (found !== undefined) return found;
      const slot = places.slotOf.get(path);
      if (slot === undefined) {
        if (awaitsMore) return 0;
        const close = [...places.slotOf.keys()].filter((name) => name.startsWith(path.split(/[.[]/)[0]));
        const similar = close.length > 0 ? `; similar are ${close.slice(0, 8).join(', ')}` : '';
        throw new ExpressionError(`“${path}” is neither a signal nor a parameter${similar}`);
      }
      if (slot >= places.observables && slot < places.parameters)
        throw new ExpressionError(`“${path}” is an observable, which is not known at the start of a step`);
      const isState = slot < places.y || (slot >= places.held && slot < places.presence);
      if (!isState) lawSignal = path;
      const place = first + slots.length;
      slots.push(slot);
      known.set(path, place);
      return place;
    };
    let program: ExpressionProgram;
    try {
      program = compileExpression(condition.text, resolve, { tables: context.tables });
      checkConstant(condition.text, condition.pointer, context, id);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      context.issues.push({
        severity: 'error',
        code: 'presence-condition',
        pointer: condition.pointer,
        element: id,
        message: `“${condition.text}”: ${error.message}.`,
        remedy: 'Name the time t, a signal of the model or a parameter.',
      });
      return [];
    }
    if (isComparison(program)) {
      context.issues.push({
        severity: 'error',
        code: 'presence-comparison',
        pointer: condition.pointer,
        element: id,
        message: `“${condition.text}” is 1 or 0, and neither is negative: “${name}” would always be there.`,
        remedy: 'Write the difference whose sign says it, such as release - t for t < release.',
      });
      return [];
    }
    const values = new Float64Array(first + slots.length);
    parameters.forEach(([, value], k) => (values[k] = value));
    const folded = foldConstants(program, values, (place) => place >= first);
    const evaluate = (row: Float64Array, out: Float64Array): void => {
      for (let i = 0; i < slots.length; i++) values[first + i] = row[slots[i]];
      runExpression(folded, values);
      out[0] = folded.stack[0];
    };
    const form = slots.every((slot) => slot < places.y)
      ? affineForm(program, values, (place) => place >= first)
      : null;
    const terms = [...(form?.terms ?? [])].map(([place, value]) => [slots[place - first], value] as const);
    const affine: AffineGuard | null =
      form === null
        ? null
        : {
            constant: form.constant,
            rate: terms.find(([slot]) => slot === 0)?.[1] ?? 0,
            terms: terms.filter(([slot]) => slot !== 0),
          };
    const isTimed = slots.length === 1 && slots[0] === 0;
    const timed = isTimed ? timedSign(program, values, first) : null;
    const time = slots.indexOf(0);
    const pieces =
      lawSignal !== null || slots.some((slot) => slot >= places.y) || timed !== null || affine !== null
        ? null
        : pieceForms(
            program,
            values,
            time < 0 ? -1 : first + time,
            (place) => place >= first && slots[place - first] !== 0,
          );
    const inRow = pieces && {
      ...pieces,
      atoms: pieces.atoms.map((atom) => ({
        ...atom,
        terms: atom.terms.map(([place, factor]) => [slots[place - first], factor] as const),
      })),
    };
    const [base, sign] = unsigned(condition.text);
    const other = hysteresis === 0 ? seen.get(base) : undefined;
    const twin = other === undefined ? null : { index: other.index, sign: sign * other.sign };
    if (hysteresis === 0 && other === undefined) seen.set(base, { index, sign });
    return [
      {
        ...rows,
        ...{ id, hysteresis, isAtStart, latch, unless: -1, lawSignal },
        ...{ affine, timed, pieces: inRow, twin, evaluate },
      },
    ];
  });
}
