/** Runs mechanisms from event to event in both programs. */
import type { Toolchain } from '@cli/bench/siconos/toolchain';
import type { Mechanism } from './mechanisms';
import { runRecorded } from './run-engine';
import { runProgram } from './run-program';

/** What programs of mechanisms include. */
export const MECHANISMS = ['mechanisms.hpp'];

interface MechanismEvent {
  /** s */
  time: number;
  /** N s or N m s, by contact */
  impulses: number[];
  /** right limits */
  q: number[];
  v: number[];
}

export interface MechanismRun {
  /** events after the start; several at one time are one */
  events: MechanismEvent[];
  /** at the points of the time discretisation but the first */
  t: number[];
  /** [row][coordinate] */
  q: number[][];
  v: number[][];
  /** [row][contact], N or N m */
  forces: number[][];
  /** what the program said when it stopped before the end */
  failure: string | null;
}

export function runMechanismInSiconos({ input }: Mechanism, toolchain: Toolchain): MechanismRun {
  const run = JSON.parse(runProgram('mechanisms.cpp', input, toolchain, MECHANISMS)) as MechanismRun;
  // Contacts that are closed at the start are an event of theirs, and none of ours.
  return { ...run, events: run.events.filter(({ time }) => time > 0) };
}

/** Recorded signals of an element: its values in a row, components in order. */
function rowsOf(signals: Map<string, Float64Array>, base: string, size: number): (row: number) => number[] {
  const columns = Array.from({ length: size }, (_, i) => {
    const name = size === 1 ? base : `${base}[${i}]`;
    const values = signals.get(name);
    if (values === undefined) throw new Error(`no signal ${name} among ${[...signals.keys()].join(', ')}`);
    return values;
  });
  return (row) => columns.map((values) => values[row]);
}

export function runMechanismHere({ document, steps }: Mechanism): MechanismRun {
  const { signals, events } = runRecorded(document);
  const [{ id, ndof }] = document.systems;
  const t = rowsOf(signals, 't', 1);
  const q = rowsOf(signals, `${id}.q`, Number(ndof));
  const v = rowsOf(signals, `${id}.v`, Number(ndof));
  const contacts = document.interactions.map((contact) => contact.id);
  const force = contacts.map((contact) => rowsOf(signals, `${contact}.lambda`, 1));
  const run: MechanismRun = { events: [], t: [], q: [], v: [], forces: [], failure: null };

  // The last row of each time: of an event, the values after it.
  const last = new Map<number, number>();
  const times = signals.get('t') ?? new Float64Array();
  times.forEach((time, row) => last.set(time, row));
  for (const { time, row: contact, impulse } of events) {
    const row = last.get(time);
    if (row === undefined) throw new Error(`no row at the event of ${time} s`);
    if (run.events.at(-1)?.time !== time)
      run.events.push({ time, impulses: contacts.map(() => 0), q: q(row), v: v(row) });
    const event = run.events[run.events.length - 1];
    event.impulses[contact] += impulse;
  }
  const h = Number(document.simulation.h);
  for (let k = 1; k <= steps; k++) {
    const row = last.get(k * h);
    if (row === undefined) throw new Error(`no row at ${k * h} s`);
    run.t.push(t(row)[0]);
    run.q.push(q(row));
    run.v.push(v(row));
    run.forces.push(force.map((values) => values(row)[0]));
  }
  return run;
}
