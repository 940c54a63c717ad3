/** Lines of an exported netlist: sources of time, and what follows curves of straight pieces. */
import type { ComponentDocument } from '../document/types';
import { curveFormula, fluxOf, fluxPoints, pointWords, type TablePoint } from './points';

/** What writes the lines of an element. */
interface ElementWriter {
  /** the element of a component */
  own(component: ComponentDocument): string;
  /** one more of it */
  further(id: string, letter: string): string;
  node(component: ComponentDocument, pin: string): string;
  /** a node that only it has */
  inner(id: string): string;
  value(component: ComponentDocument, key: string): string;
  number(component: ComponentDocument, key: string): number;
  numbers(component: ComponentDocument, key: string): number[];
  points(component: ComponentDocument, table: string): readonly TablePoint[];
  line(...words: readonly string[]): void;
  warn(text: string): void;
}

type WriteElement = (component: ComponentDocument, writer: ElementWriter) => void;

export const sine: WriteElement = (component, writer) => {
  const nodes = [writer.node(component, 'p'), writer.node(component, 'n')];
  const [offset, amplitude, frequency] = ['offset', 'amplitude', 'frequency'].map((key) =>
    writer.value(component, key),
  );
  const degrees = (writer.number(component, 'phase') * 180) / Math.PI;
  writer.line(writer.own(component), ...nodes, `SIN(${offset} ${amplitude} ${frequency} 0 0 ${degrees})`);
};

export const pulse: WriteElement = (component, writer) => {
  const nodes = [writer.node(component, 'p'), writer.node(component, 'n')];
  const keys = ['low', 'high', 'delay', 'rise', 'fall', 'width', 'period'];
  const edge = writer.number(component, 'period') * 1e-6;
  const values = keys.map((key) => {
    // ngspice takes a step of the run for an edge of no duration.
    if ((key === 'rise' || key === 'fall') && writer.number(component, key) === 0) {
      writer.warn(`Jumps of “${component.id}” take ${edge} s, a millionth of its period: ngspice has none.`);
      return String(edge);
    }
    return writer.value(component, key);
  });
  writer.line(writer.own(component), ...nodes, `PULSE(${values.join(' ')})`);
};

/** The points of a table from the start of the run on. */
export const tabulated: WriteElement = (component, writer) => {
  const nodes = [writer.node(component, 'p'), writer.node(component, 'n')];
  const points = writer.points(component, component['table'] as string);
  const { words, edge } = pointWords(points, writer.number(component, 'factor'));
  if (edge > 0) writer.warn(`Jumps of “${component.id}” take ${edge} s: ngspice has none.`);
  writer.line(writer.own(component), ...nodes, `PWL(${words})`);
};

export const byPieces: WriteElement = (component, writer) => {
  const [a, b] = [writer.node(component, 'a'), writer.node(component, 'b')];
  const [voltages, currents] = ['voltages', 'currents'].map((key) => writer.numbers(component, key));
  const curve = curveFormula(
    `v(${a},${b})`,
    voltages.map((v, k) => [v, currents[k]] as const),
  );
  writer.line(writer.own(component), a, b, `I=${curve}`);
};

/** The flux is the voltage of a capacitor of 1 F that the voltage of the inductor charges. */
export const saturating: WriteElement = (component, writer) => {
  const [a, b] = [writer.node(component, 'a'), writer.node(component, 'b')];
  const points = fluxPoints(writer.numbers(component, 'inductances'), writer.numbers(component, 'knees'));
  const flux = writer.inner(`${component.id}_phi`);
  const start = fluxOf(points, writer.number(component, 'i0'));
  writer.line(writer.further(`B_${component.id}_phi`, 'B'), '0', flux, `I=v(${a},${b})`);
  writer.line(writer.further(`C_${component.id}_phi`, 'C'), flux, '0', '1', `IC=${start}`);
  writer.line(writer.own(component), a, b, `I=${curveFormula(`v(${flux})`, points)}`);
};
