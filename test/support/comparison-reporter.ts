/** Prints the comparisons with Siconos as one table at the end of a run that made any. */
import type { Reporter, TestModule } from 'vitest/node';
import type { Comparison } from '../peer/compare';

const HEADINGS = ['model', 'steps', 'contacts', 'max |Δq|, |Δx|', 'max |Δv|', 'max |Δp|, |Δλ|'];

function line(comparison: Comparison): string[] {
  const { model, steps, contacts, q, v, p } = comparison;
  return [model, String(steps), String(contacts), ...[q, v, p].map((value) => value.toExponential(1))];
}

/** Reads `task.meta.comparison`, which `test/peer` fills. */
export default class ComparisonReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const table = [HEADINGS];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { comparison } = test.meta();
        if (comparison !== undefined) table.push(line(comparison));
      }
    }
    if (table.length === 1) return;
    const widths = HEADINGS.map((_, column) => Math.max(...table.map((row) => row[column].length)));
    const text = table.map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('  '),
    );
    console.log(
      `\nComparison with Siconos, largest absolute differences over all steps\n\n${text.join('\n')}\n`,
    );
  }
}
