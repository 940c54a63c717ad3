/** Rows that are seen of a long table. */
import { describe, expect, it } from 'vitest';
import { contentHeight, firstVisible, ROW_HEIGHT, scrollTop } from '@views/table/rows';

describe('the window of a table', () => {
  it.each([0, 1, 10, 1000])('of %i rows scrolls by the pixel', (rows) => {
    expect(contentHeight(rows)).toBe(rows * ROW_HEIGHT);
    expect(firstVisible(rows, 0, 220)).toBe(0);
    expect(firstVisible(rows, 1e9, 220)).toBe(Math.max(0, rows - 10));
  });

  it.each([1_000_000, 20_000_000])('of %i rows reaches each end, and every row it is sent to', (rows) => {
    expect(contentHeight(rows)).toBeLessThan(1e7);
    expect(firstVisible(rows, 0, 220)).toBe(0);
    expect(firstVisible(rows, contentHeight(rows) - 220, 220)).toBe(rows - 10);
    for (const row of [1, 4321, rows / 2, rows - 10])
      expect(firstVisible(rows, scrollTop(rows, row, 220), 220)).toBe(row);
  });
});
