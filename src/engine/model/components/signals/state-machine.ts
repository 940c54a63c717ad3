/**
 * A state machine: named states, each with values of two outputs, and transitions that are taken where their
 * guards hold. What it remembers are the number of its state, its outputs, and when it came there
 * (`memories.ts`); each transition is one jump of these.
 *
 * A guard counts only in the state that its transition leads from: what is positive is the smaller of the
 * guard and of ½ − |q − from|. Of transitions whose guards hold at one instant the first of the list is
 * taken, so a jump asks those before it, with room for rounding.
 */
import type { FieldReader, SignalExpression } from '../../field-reader';
import type { Circuit, Guard, Jump, SignalPart, Term } from '../circuit';
import type { ComponentType } from '../component';
import { block, columnOfPins, plain } from './block';

interface Transition {
  readonly from: number;
  readonly to: number;
  readonly guard: SignalExpression;
}

const INPUTS = ['u1', 'u2', 'u3', 'u4'];

const SYNTAX = 'Write “from > to” for each, with commas between, such as “idle > charge, charge > idle”.';

export const stateMachine: ComponentType = {
  definition: block(
    {
      type: 'StateMachine',
      title: 'State machine',
      summary:
        'Named states with an output each, and transitions with guards of signals and of the time: a thermostat with a lockout, a charger, a soft start, a protection that trips. Of guards that hold at one instant, the transition that stands first is taken.',
      family: 'Logic',
      words: [
        ...['state', 'machine', 'automaton', 'FSM', 'Stateflow', 'statechart', 'transition', 'sequence'],
        ...['mode', 'lockout', 'timer', 'Zustandsautomat', 'Ablaufsteuerung', 'Zustandsmaschine', 'automate'],
      ],
      equations: [
        'q \\to b \\;\\text{where}\\; q = a \\wedge g_{a \\to b}(u, t, t - t_q)',
        'y = y_q, \\quad z = z_q',
      ],
      fields: [
        {
          ...{ key: 'states', kind: 'text', maxLength: 2000, label: 'States', symbol: '', unit: '' },
          ...{ required: true, help: 'Their names, with commas between; it begins in the first: “off, on”.' },
        },
        {
          ...{ key: 'output', kind: 'vector', length: 'any', label: 'Outputs', symbol: 'y_q', unit: '' },
          ...{ required: true, help: 'Value of the first output in each state.' },
        },
        {
          ...{
            key: 'second',
            kind: 'vector',
            length: 'any',
            label: 'Second outputs',
            symbol: 'z_q',
            unit: '',
          },
          ...{
            required: false,
            help: 'Value of the second output in each state; zero where it is left out.',
          },
        },
        {
          ...{ key: 'transitions', kind: 'text', maxLength: 5000, label: 'Transitions', symbol: '' },
          ...{ unit: '', required: true },
          help: 'From which state to which, with commas between: “off > on, on > off”. Where several guards hold at one instant, the first of these transitions is taken.',
        },
        {
          ...{ key: 'guards', kind: 'signals', length: 'any', label: 'Guards', symbol: 'g', unit: '' },
          ...{ required: true },
          help: 'One for each transition, in their order: comparisons of the inputs u1 to u4, of signals such as C1.v, of the time t, of “since”, the time in the present state, and of parameters, joined by “and”, “or”, “not”. An input that is on or off stands by itself: “u2 and since > 0.5”. A transition is taken where its guard comes to hold, or holds already where its state is entered.',
        },
      ],
      source: 'Goebel, Sanfelice and Teel 2012, §1.4',
      pins: columnOfPins(
        INPUTS.map((name, k) => [name, `Input ${k + 1}`, 'isFree']),
        [
          ['y', 'Output'],
          ['z', 'Second output'],
          ['q', 'Number of the state'],
        ],
      ),
      quantities: [
        { name: 'y', unit: '', description: 'Output' },
        { name: 'z', unit: '', description: 'Second output' },
        { name: 'q', unit: '', description: 'Number of the state, from 0' },
      ],
    },
    {
      lines: [
        'M-20 -8a8 8 0 1 0 16 0a8 8 0 1 0 -16 0M4 10a8 8 0 1 0 16 0a8 8 0 1 0 -16 0M-4 -8H12V2M8 -3L12 2L16 -3',
      ],
    },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const read = readMachine(fields, circuit);
    const give = (pin: string, terms: readonly Term[]): void => {
      circuit.record(pin, [circuit.output(pin, terms)]);
    };
    if (read === null) {
      for (const pin of ['y', 'z', 'q']) give(pin, []);
      return;
    }
    const { transitions, outputs } = read;
    const onEntry: { when: SignalPart[]; to: SignalPart[]; fromStart: true }[] = [];
    const entered = circuit.memory(['t'], onEntry);
    const jumps: Jump[] = [];
    const q = circuit.memory(0, jumps);
    const scope: Guard['names'] = {
      ...Object.fromEntries(
        INPUTS.filter((pin) => circuit.isWired(pin)).map((pin) => [pin, circuit.gate(pin)]),
      ),
      since: ['(t - ', { sum: [entered] }, ')'],
    };
    const guardOf = ({ guard }: Transition, isTolerant: boolean): SignalPart => ({
      guard: { expression: guard, element: fields.element, names: scope, isTolerant },
    });
    /** What a number of each state becomes by a transition: that of the state which is entered. */
    const valueIn = (k: number, valueOf: (state: number) => number): SignalPart[] => {
      const own = transitions[k];
      const before = transitions.slice(0, k).filter(({ from }) => from === own.from);
      return [
        ...before.flatMap((other): SignalPart[] => [
          '(',
          guardOf(other, true),
          ` > 0 ? ${plain(valueOf(other.to))} : `,
        ]),
        plain(valueOf(own.to)),
        ')'.repeat(before.length),
      ];
    };
    const whenOf = (k: number): SignalPart[] => [
      'min(',
      guardOf(transitions[k], false),
      ', 0.5 - abs(',
      { sum: [q] },
      ` - ${transitions[k].from}))`,
    ];
    const whens = transitions.map((_, k) => whenOf(k));
    const jumpsTo = (valueOf: (state: number) => number): Jump[] =>
      whens.map((when, k) => ({ when, to: valueIn(k, valueOf), fromStart: true }));
    jumps.push(...jumpsTo((state) => state));
    onEntry.push(...whens.map((when) => ({ when, to: ['t'], fromStart: true as const })));
    for (const [pin, values] of Object.entries(outputs))
      give(
        pin,
        values === null
          ? []
          : [
              circuit.memory(
                values[0],
                jumpsTo((state) => values[state]),
              ),
            ],
      );
    give('q', [q]);
  },
};

interface Machine {
  readonly transitions: readonly Transition[];
  readonly outputs: { readonly y: Float64Array; readonly z: Float64Array | null };
}

/** Null after a reported defect. */
function readMachine(fields: FieldReader, circuit: Circuit): Machine | null {
  const reported = fields.defectCount;
  const names = listOf(fields.text('states'));
  if (names.length === 0)
    fields.reject('states', 'no-states', 'It has no state.', 'Name its states, such as “off, on”.');
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice !== undefined)
    fields.reject('states', 'state-twice', `The state “${twice}” stands twice.`, 'Rename one.');
  if (fields.defectCount > reported) return null;
  const guards = fields.signals('guards');
  const ways = listOf(fields.text('transitions'));
  const stateOf = (name: string): number => {
    const place = names.indexOf(name);
    if (place < 0)
      fields.reject(
        'transitions',
        'unknown-state',
        `“${name}” is no state of it.`,
        `Name one of its states: ${names.join(', ')}.`,
      );
    return place;
  };
  const pairs = ways.map((way): [from: number, to: number] => {
    const ends = way.split(/>|→/).map((end) => end.trim().replace(/-+$/, '').trim());
    if (ends.length !== 2) {
      fields.reject('transitions', 'transition', `“${way}” is no transition.`, SYNTAX);
      return [0, 0];
    }
    const [from, to] = [stateOf(ends[0]), stateOf(ends[1])];
    if (from === to && from >= 0)
      fields.reject(
        'transitions',
        'transition-to-itself',
        `“${way}” leads from a state to itself, where its guard would hold again at once.`,
        'Give it a state between, or leave it out.',
      );
    return [from, to];
  });
  if (guards.length !== pairs.length)
    fields.reject(
      'guards',
      'signal-count',
      `There are ${guards.length} guards and ${pairs.length} transitions.`,
      'Give a guard for each transition, in their order.',
    );
  for (const key of ['output', 'second']) {
    const length = fields.vectorLength(key);
    if (length === names.length || (key === 'second' && !fields.has(key))) continue;
    fields.reject(
      key,
      'wrong-length',
      `It has ${length} values, and there are ${names.length} states.`,
      'Give a value for each state, in their order.',
    );
  }
  const open = INPUTS.find(
    (pin) =>
      !circuit.isWired(pin) &&
      guards.some(({ text }) => new RegExp(`(?<![\\w.])${pin}(?![\\w.(])`).test(text)),
  );
  if (open !== undefined)
    fields.reject(
      'guards',
      'no-source',
      `A guard reads the input “${open}”, and nothing gives that signal.`,
      `Draw a wire to its pin “${open}”, or correct the guard.`,
    );
  if (fields.defectCount > reported) return null;
  const values = (key: string): Float64Array => fields.vector(key, names.length);
  return {
    transitions: pairs.map(([from, to], k) => ({ from, to, guard: guards[k] })),
    outputs: { y: values('output'), z: fields.has('second') ? values('second') : null },
  };
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
