/**
 * What states, rows and sources of compiled elements are called in the drawing: `C1.v` and not
 * `circuit.x[4]`, `S1` and not `junctions.S1`. All that is said of a compiled model goes through here.
 */
import { MOTIONS } from '../model/components/mechanical/domains';
import type { CompiledComponents } from './result';

export interface DrawnName {
  readonly name: string;
  /** SI unit; empty where there is none, or it is not known */
  readonly unit: string;
}

const ROW_PARTS = { y: 'output', lambda: 'multiplier', impulse: 'impulse' };

/** By the names of signals and of rows. */
export function drawnNames(labels: CompiledComponents['labels']): ReadonlyMap<string, DrawnName> {
  const names = new Map<string, DrawnName>();
  for (const [id, { rows, component, units = [], of = 'rows' }] of Object.entries(labels)) {
    if (component !== undefined) names.set(id, { name: component, unit: '' });
    const at = (part: string, k: number): string => `${id}.${part}${rows.length === 1 ? '' : `[${k}]`}`;
    rows.forEach((row, k) => {
      if (of === 'states') {
        const unit = units.at(k) ?? null;
        names.set(at('x', k), { name: unit === null ? `a state of ${row}` : row, unit: unit ?? '' });
      } else if (of === 'rows') {
        if (row === '') return;
        if (row !== id) names.set(`${id}.${row}`, { name: row, unit: '' });
        for (const [part, words] of Object.entries(ROW_PARTS))
          names.set(at(part, k), { name: `${words} of ${row}`, unit: '' });
      } else {
        const point = row.lastIndexOf('.');
        const motion = Object.values(MOTIONS).find(({ position }) => position.name === row.slice(point + 1));
        if (point < 0 || motion === undefined) return;
        names.set(at('q', k), { name: row, unit: motion.position.unit });
        names.set(at('v', k), {
          name: `${row.slice(0, point)}.${motion.velocity.name}`,
          unit: motion.velocity.unit,
        });
      }
    });
  }
  return names;
}

/** Puts drawn names into a text in place of names of compiled signals. */
export const inDrawnNames = (text: string, names: ReadonlyMap<string, DrawnName>): string =>
  text.replaceAll(
    /[\w.]+\.(?:x|q|v|y|lambda|impulse)\b(?:\[\d+\])?/g,
    (name) => names.get(name)?.name ?? name,
  );
