/** Circuits of the gallery, drawn of components: the motion of their matrices, which are written by hand. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { example } from '../support/models';
import { run } from '../support/run';

interface Twin {
  readonly name: string;
  /** signals of the drawing by those of the example */
  readonly signals: Readonly<Record<string, string>>;
  /** whether it runs in steps only */
  readonly isStepped?: true;
  /** s: where rounding grows, as in chaos, before it has */
  readonly tEnd?: number;
  /** of steps, where the example integrates what a source of the drawing gives exactly */
  readonly tolerance?: number;
  /** whether it jumps at once, of which the drawing has a row more from event to event */
  readonly jumpsAtStart?: true;
}

const TWINS: readonly Twin[] = [
  {
    name: 'diode-bridge',
    signals: { 'C1.v': 'circuit.x[0]', 'L1.i': 'circuit.x[1]', 'R1.v': 'load' },
  },
  {
    name: 'diode-bridge-filter',
    signals: { 'C1.v': 'circuit.x[0]', 'L1.i': 'circuit.x[1]', 'C2.v': 'circuit.x[2]' },
  },
  {
    name: 'four-diode-power-supply',
    signals: { 'L1.i': 'iSource', 'C1.v': 'vLoad', 'D1.i': 'iD1', 'D4.i': 'iD3' },
    tolerance: 1e-4,
    isStepped: true,
  },
  {
    name: 'rlcd-circuit',
    signals: { 'C1.v': 'circuit.x[0]', 'L1.i': 'circuit.x[1]', 'D1.i': 'diode.lambda' },
  },
  {
    name: 'rlcd-circuit-within',
    signals: { 'C1.v': 'circuit.x[0]', 'L1.i': 'circuit.x[1]', 'D1.i': 'diode.lambda' },
  },
  {
    name: 'colpitts-oscillator',
    signals: { 'C1.v': 'oscillator.x[0]', 'L1.i': 'oscillator.x[2]' },
    tEnd: 4e-5,
  },
  {
    name: 'chua-circuit',
    signals: { 'C1.v': 'circuit.x[0]', 'C2.v': 'circuit.x[1]', 'L1.i': 'circuit.x[2]' },
    tEnd: 4,
  },
  {
    name: 'switched-capacitors',
    signals: { 'C1.v': 'flying.x', 'C2.v': 'output.x', charge: 'charge', energy: 'energy' },
    jumpsAtStart: true,
  },
  {
    name: 'buck-converter',
    signals: { 'L1.i': 'converter.x[0]', 'C1.v': 'converter.x[1]', duty: 'transistor.lambda' },
  },
  {
    name: 'buck-bifurcation',
    signals: {
      ...{ 'L1.i': 'filter.x[0]', 'C1.v': 'filter.x[1]' },
      ...{ 'control.value': 'control', 'sawtooth.value': 'sawtooth' },
    },
    tEnd: 4e-3,
  },
];

/** The drawing with the parameters, settings and times of the example. */
function twinOf({ name }: Twin): { twin: ModelDocument; original: ModelDocument } {
  const original = example(name);
  const { parameters } = original;
  // Sections are named after what is written by hand.
  const simulation = { ...original.simulation, sections: [] };
  return { original, twin: { ...example(`${name}-drawn`), parameters, simulation } };
}

const sandbox = (): ReturnType<typeof createSandbox> => createSandbox();

describe('a circuit of components moves as its matrices', () => {
  for (const scheme of ['time-stepping', 'event-driven'] as const)
    it.each(
      TWINS.filter((one) => scheme === 'time-stepping' || one.isStepped !== true).map(
        (one) => [one.name, one] as const,
      ),
    )(`%s, ${scheme}`, (_, one) => {
      const { twin, original } = twinOf(one);
      const [a, b] = [twin, original].map((document) => run(document, { sandbox, scheme, tEnd: one.tEnd }));
      for (const [signal, other] of Object.entries(one.signals)) {
        const [mine, theirs] = [a.column(signal), b.column(other)];
        const size = theirs.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        const further = one.jumpsAtStart === true && scheme === 'event-driven' ? 1 : 0;
        expect(mine).toHaveLength(theirs.length + further);
        const worst = theirs
          .subarray(further)
          .reduce((most, value, k) => Math.max(most, Math.abs(value - mine[k + 2 * further])), 0);
        const tolerance = scheme === 'time-stepping' ? (one.tolerance ?? 1e-12) : 1e-12;
        expect(worst / size, signal).toBeLessThan(tolerance);
      }
    });
});
