/** Tables without a window: the rows that there is room for. */
import type { TableView } from '@engine/document/types';
import { columnsIn, rowsIn, shownRows, tablePicture } from '@views/table/drawing';
import type { FigureSources } from './figure-sources';
import { withFontNames } from './svg';

/**
 * The first rows of a run, or points of a section, and the last one.
 * @throws {MoreauError} what reading the run says
 */
export async function tableSvg(
  { signals, section, hasNoNumbers, ...style }: TableView,
  { dispatcher, run, units, theme, width, height }: FigureSources,
): Promise<string> {
  const { runId } = run;
  const columns = signals
    .flatMap((name) => run.signals.filter((signal) => signal.name === name))
    .slice(0, columnsIn(width, style));
  const taken = run.sections.find(({ id }) => id === section);
  const total = section === undefined ? run.statistics.rows : (taken?.points ?? 0);
  const numbers = columns.length === 0 ? [] : shownRows(0, total, rowsIn(height));
  const read = async (firstRow: number, count: number): Promise<readonly Float64Array[]> => {
    if (count === 0) return columns.map(() => new Float64Array(0));
    const question = { runId, signals: columns.map(({ name }) => name), firstRow, count };
    const answer =
      section === undefined
        ? await dispatcher.dispatch('run.rows', question)
        : await dispatcher.dispatch('run.sectionRows', { ...question, section });
    return answer.columns;
  };
  const shown = columns.map(({ unit }) => units.of(unit));
  // The last row may stand behind a gap.
  const isGap = numbers.length > 1 && numbers[numbers.length - 1] !== numbers.length - 1;
  const first = await read(0, isGap ? numbers.length - 1 : numbers.length);
  const last = isGap ? await read(total - 1, 1) : columns.map(() => new Float64Array(0));
  return withFontNames(
    tablePicture({
      columns: columns.map(({ name }, k) => ({ name, unit: shown[k].unit === '1' ? '' : shown[k].unit })),
      numbers,
      values: first.map((column, k) => [...column, ...last[k]].map((value) => value * shown[k].factor)),
      total,
      style,
      hasNoNumbers,
      theme,
      width,
      height,
    }),
  );
}
