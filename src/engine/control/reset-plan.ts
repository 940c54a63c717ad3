/** Resets, compiled: guards and maps as expressions of a row of the result. */
import { affineForm } from '../document/affine-form';
import {
  compileExpression,
  ExpressionError,
  type ExpressionProgram,
  onlySlotOf,
  isComparison,
  jumpIn,
  runExpression,
} from '../document/expressions';
import { checkConstant, type NumberContext } from '../document/parameters';
import type { SignalExpression } from '../model/field-reader';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { AffineGuard, Reset, ResetRule } from '../model/resets/reset';
import { plural } from '../plural';
import type { SignalRows } from './control-plan';

/** Where a row has what a guard may read: t, q and v stand before the outputs of interactions. */
interface ResetRows extends SignalRows {
  /** first output of an interaction, first held output of a block and first behind them */
  readonly y: number;
  readonly held: number;
  readonly presence: number;
  /** first state of each system, by id */
  readonly systemPlaces: ReadonlyMap<string, { readonly q: number }>;
}

/** One reset with what its expressions read. */
class Compiled {
  readonly #places: Map<string, number>;
  /** what has been compiled so far reads */
  readonly slots: number[] = [];
  readonly #first: number;
  #values = new Float64Array(0);

  constructor(
    private readonly reset: Reset,
    private readonly rows: ResetRows,
    private readonly context: NumberContext,
    private readonly awaitsMore: boolean,
  ) {
    const names = Object.keys(context.parameters);
    this.#places = new Map(names.map((name, k) => [name, k]));
    for (const name of context.brokenParameters) this.#places.set(name, 0);
    this.#first = Math.max(1, names.length);
  }

  #resolve(path: string): number {
    const known = this.#places.get(path);
    if (known !== undefined) return known;
    const { rows } = this;
    const slot = rows.slotOf.get(path);
    if (slot === undefined) {
      if (this.awaitsMore) return 0;
      const close = [...rows.slotOf.keys()].filter((name) => name.startsWith(path.split(/[.[]/)[0]));
      const similar = close.length > 0 ? `; similar are ${close.slice(0, 8).join(', ')}` : '';
      throw new ExpressionError(`“${path}” is neither a signal nor a parameter${similar}`);
    }
    const isState = slot < rows.y || (slot >= rows.held && slot < rows.presence);
    if (!isState)
      throw new ExpressionError(
        `“${path}” follows from the laws of interactions or is an observable, which a reset does not wait for`,
      );
    const place = this.#first + this.slots.length;
    this.slots.push(slot);
    this.#places.set(path, place);
    return place;
  }

  /** @returns null after a reported defect */
  program({ text, pointer }: SignalExpression): ExpressionProgram | null {
    try {
      const { tables } = this.context;
      const program = compileExpression(text, (path) => this.#resolve(path), { tables });
      checkConstant(text, pointer, this.context, this.reset.id);
      return program;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.context.issues.push({
        severity: 'error',
        code: 'reset-expression',
        pointer,
        element: this.reset.id,
        message: `“${text}”: ${error.message}.`,
        remedy: 'Name the time t, states, positions or velocities, outputs of control blocks, or parameters.',
      });
      return null;
    }
  }

  /** Whether an expression is nothing but one slot. */
  isSlot(program: ExpressionProgram, slot: number): boolean {
    const place = onlySlotOf(program);
    return place !== null && place >= this.#first && this.slots[place - this.#first] === slot;
  }

  /** All expressions are compiled. */
  finish(): void {
    this.#values = new Float64Array(this.#first + this.slots.length);
    Object.values(this.context.parameters).forEach((value, k) => (this.#values[k] = value));
  }

  /** Reads a row. */
  read(row: Float64Array): Float64Array {
    const values = this.#values;
    for (let i = 0; i < this.slots.length; i++) values[this.#first + i] = row[this.slots[i]];
    return values;
  }

  /** Whether a place has what is not the time alone, which makes jumps at known times only. */
  varies(place: number): boolean {
    return place >= this.#first && this.slots[place - this.#first] !== 0;
  }

  affine(program: ExpressionProgram): AffineGuard | null {
    const { rows } = this;
    if (this.slots.some((slot) => slot >= rows.y)) return null;
    const form = affineForm(program, this.#values, (place) => place >= this.#first);
    if (form === null) return null;
    let rate = 0;
    const terms: [number, number][] = [];
    for (const [place, value] of form.terms) {
      const slot = this.slots[place - this.#first];
      if (slot === 0) rate = value;
      else terms.push([slot, value]);
    }
    return { constant: form.constant, rate, terms };
  }
}

/**
 * @param awaitsMore whether a script will add elements, so that a name that is not there yet is no defect
 * @returns defects go to `context.issues`
 */
export function planResets(
  { systems, resets = [] }: NonSmoothDynamicalSystem,
  pointers: ReadonlyMap<string, string>,
  rows: ResetRows,
  context: NumberContext,
  awaitsMore: boolean,
): ResetRule[] {
  return resets.flatMap((reset): ResetRule[] => {
    const { id, of, direction, every, guard: given } = reset;
    const system = systems.findIndex((one) => one.id === of);
    const report = (key: string, code: string, message: string, remedy: string): [] => {
      const pointer = `${pointers.get(id) ?? '/systems'}/${key}`;
      context.issues.push({ severity: 'error', code, pointer, element: id, message, remedy });
      return [];
    };
    if (system < 0 && awaitsMore) return [];
    if (system < 0 || systems[system].form.order !== 1) {
      const known = systems.filter(({ form }) => form.order === 1).map((one) => one.id);
      return report(
        'of',
        'reset-system',
        system < 0
          ? `The reset “${id}” is of “${of}”, which is no system with coordinates of this model.`
          : `The reset “${id}” is of “${of}” (${systems[system].type}), whose velocities jump by impacts only.`,
        known.length === 0
          ? 'Add a first-order system.'
          : `First-order systems of this model: ${known.slice(0, 12).join(', ')}.`,
      );
    }
    const { size } = systems[system].form;
    if (reset.map.length !== size)
      return report(
        'map',
        'signal-count',
        `The reset map of “${id}” has ${plural(reset.map.length, 'expression')}; “${of}” has ${plural(size, 'state')}.`,
        'Give an expression for each state; a state that stays names itself.',
      );
    const compiled = new Compiled(reset, rows, context, awaitsMore);
    const guardProgram = compiled.program(given);
    const { q: first = 0 } = rows.systemPlaces.get(of) ?? {};
    const slots = compiled.slots.slice();
    const programs = reset.map.map((expression) => compiled.program(expression));
    if (guardProgram === null || programs.includes(null)) return [];
    const sets = programs.flatMap((program, i) =>
      program !== null && compiled.isSlot(program, first + i) ? [] : [i],
    );
    const readsOwn = slots.some((slot) => slot >= first && slot < first + size);
    const readsSet = sets.some((i) => slots.includes(first + i));
    const jump = jumpIn(guardProgram, (place) => isComparison(guardProgram) || compiled.varies(place));
    if (jump !== null)
      return report(
        'guard',
        'guard-jumps',
        `The guard of “${id}” jumps by “${jump}”; a passage through zero is found only where it is continuous.`,
        'Write the difference whose sign says it, such as n.x - threshold for n.x > threshold.',
      );
    compiled.finish();
    return [
      {
        id,
        system,
        size,
        direction,
        every,
        text: given.text,
        sets,
        readsOwn,
        readsSet,
        slots,
        affine: compiled.affine(guardProgram),
        guard: (row, out) => {
          runExpression(guardProgram, compiled.read(row));
          out[0] = guardProgram.stack[0];
        },
        map: (row, out) => {
          const values = compiled.read(row);
          programs.forEach((program, i) => {
            if (program === null) return;
            runExpression(program, values);
            out[i] = program.stack[0];
          });
        },
      },
    ];
  });
}
