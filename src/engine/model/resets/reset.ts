/**
 * Resets: jumps of the state of a first-order system where a guard passes zero,
 *
 *     g(t⁻, x⁻) = 0, rising or falling  ⇒  x⁺ = R(t⁻, x⁻),
 *
 * as of a hybrid automaton: integrate and fire, capacitors that a switch joins, reset control. Guard g and
 * reset map R are expressions of time, coordinates and velocities of all systems, held outputs of control
 * blocks and parameters, all just before the jump.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader, SignalExpression } from '../field-reader';

/** In which direction the guard must pass zero: 1 rising, −1 falling, 0 either. */
type ResetDirection = -1 | 0 | 1;

export interface Reset {
  readonly type: string;
  readonly id: string;
  /** id of the system whose state it sets */
  readonly of: string;
  readonly direction: ResetDirection;
  readonly guard: SignalExpression;
  /** one for each state of the system */
  readonly map: readonly SignalExpression[];
  /** least time between passages, s; null where that is not known */
  readonly every: number | null;
  /** its signal: how many resets there have been */
  readonly outputName: 'count';
  readonly outputSize: 1;
  readonly outputDescription: string;
}

/** g = constant + rate · t + Σ value · row[slot], where a guard has that form. */
export interface AffineGuard {
  readonly constant: number;
  readonly rate: number;
  readonly terms: readonly (readonly [slot: number, value: number])[];
}

/** The same as a simulation asks it. */
export interface ResetRule {
  readonly id: string;
  /** position of the system in the model, and its number of states */
  readonly system: number;
  readonly size: number;
  readonly direction: ResetDirection;
  /** least time between passages of its guard, s: within it, it does not turn back; null if not known */
  readonly every: number | null;
  /** g in words, for messages */
  readonly text: string;
  /** states that the map sets: it leaves the others where they are */
  readonly sets: readonly number[];
  /** whether the guard reads the system that the reset is of: the map may then stop it at zero */
  readonly readsOwn: boolean;
  /**
   * whether it reads a state that the map sets: the map may then not move it on beyond zero, because it could
   * not be passed again from there
   */
  readonly readsSet: boolean;
  /** slots of a row that the guard reads, each once */
  readonly slots: readonly number[];
  /** null where the guard is not affine, or follows control blocks */
  readonly affine: AffineGuard | null;
  /** g into out[0]. @param row time, q, v and held outputs of a row of the result */
  guard(row: Float64Array, out: Float64Array): void;
  /** R into the first `size` entries of `out` */
  map(row: Float64Array, out: Float64Array): void;
}

const DIRECTIONS: Readonly<Record<string, ResetDirection>> = { rising: 1, falling: -1, both: 0 };

export const definition: ElementDefinition & Required<Pick<ElementDefinition, 'output'>> = {
  category: 'system',
  type: 'Reset',
  title: 'Reset',
  words: ['jump', 'hybrid', 'restart'],
  summary:
    'The state of a first-order system jumps where a guard passes zero: a neuron that fires, a switch that joins capacitors, an impact in first-order form, Clegg’s integrator. The event-driven scheme finds the instant; time-stepping resets at the end of the step in which the guard has passed zero, which is of order 1 in the step, and does not see a guard that returns within a step.',
  order: 'signal',
  output: { name: 'count', symbol: 'k', description: 'Resets so far' },
  equations: ['g(t^-, x^-) = 0 \\Rightarrow x^+ = R(t^-, x^-)'],
  fields: [
    {
      key: 'of',
      kind: 'reference',
      to: 'firstOrderSystem',
      label: 'System that jumps',
      symbol: 'x',
      unit: '',
      required: false,
      help: 'The first-order system whose state jumps.',
    },
    {
      key: 'guard',
      kind: 'signals',
      length: 1,
      label: 'Guard',
      symbol: 'g',
      unit: '',
      required: true,
      help: 'An expression of time t, states, positions, velocities, outputs of control blocks and parameters, such as neuron.x - threshold. A start beyond zero is no passage; one at zero that goes on beyond it is.',
    },
    {
      key: 'direction',
      kind: 'choice',
      label: 'Direction',
      symbol: '',
      unit: '',
      required: false,
      default: 'rising',
      options: [
        { value: 'rising', label: 'Rising', help: 'The guard passes zero from below.' },
        { value: 'falling', label: 'Falling', help: 'The guard passes zero from above.' },
        { value: 'both', label: 'Both', help: 'The guard passes zero in either direction.' },
      ],
      help: 'How the guard has to pass zero.',
    },
    {
      key: 'map',
      kind: 'signals',
      length: 'any',
      label: 'Reset map',
      symbol: 'R',
      unit: '',
      required: true,
      help: 'The state after the reset: an expression for each component, of what stands just before it. A guard of this state that the map keeps, as of Clegg’s integrator, goes on to the side to which it moves behind the reset; a map that moves it on beyond zero ends the run.',
    },
    {
      ...{ key: 'every', kind: 'number', min: 0, exclusiveMin: true, label: 'Least time between resets' },
      ...{ symbol: 'T', unit: 's', required: false },
      help: 'The guard passes zero no more than once in this time, as the clock of a controller. Longer steps of time-stepping, in which a reset could be missed, are then refused.',
    },
  ],
  source:
    'Goebel, Sanfelice and Teel 2012, chapter 1; Lapicque 1907 for integrate and fire; Clegg 1958 for an integrator that is reset',
};

/** @returns null after a reported defect */
export function buildReset(fields: FieldReader): Reset | null {
  const reported = fields.defectCount;
  const of = fields.text('of');
  const guard = fields.signals('guard');
  const map = fields.signals('map');
  const direction = DIRECTIONS[fields.choice('direction')];
  if (of === '')
    fields.reject(
      'of',
      'reset-system',
      'It is not said which system the reset is of.',
      'Name a first-order system of the model.',
    );
  if (guard.length !== 1)
    fields.reject(
      'guard',
      'signal-count',
      `One guard is needed here; ${guard.length} are given.`,
      'Give one expression; a reset for each guard may set the same system.',
    );
  if (fields.defectCount > reported) return null;
  return {
    type: definition.type,
    id: fields.element,
    of,
    direction,
    guard: guard[0],
    map,
    every: fields.has('every') ? fields.number('every') : null,
    outputName: 'count',
    outputSize: 1,
    outputDescription: definition.output.description,
  };
}
