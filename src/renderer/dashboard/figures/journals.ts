/** Widths of figures as journals ask for them in their instructions to authors, mm. */

interface JournalWidth {
  publisher: string;
  columns: 'one' | 'oneAndHalf' | 'two';
  width: number;
}

const of = (publisher: string, one: number, two: number, oneAndHalf?: number): JournalWidth[] => [
  { publisher, columns: 'one', width: one },
  ...(oneAndHalf === undefined ? [] : [{ publisher, columns: 'oneAndHalf' as const, width: oneAndHalf }]),
  { publisher, columns: 'two', width: two },
];

export const JOURNAL_WIDTHS: readonly JournalWidth[] = [
  ...of('AIP', 85, 170),
  ...of('APS', 86, 178),
  ...of('Elsevier', 90, 190, 140),
  ...of('IEEE', 88.9, 181.9),
  ...of('Nature', 89, 183),
  ...of('Springer', 84, 174, 129),
];

/** The entry of a width, by its place; −1 where no journal asks for it. */
export const journalOf = (width: number): number => JOURNAL_WIDTHS.findIndex((one) => one.width === width);
