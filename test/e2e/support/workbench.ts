/** What a user does in the window and sees of it, for both doors. */
import { isDeepStrictEqual } from 'node:util';
import { expect, type Locator, type Page } from '@playwright/test';
// Declares the hook that plots leave on the window.
import type {} from '@renderer/dashboard/plot/plot-registry';

export interface Curve {
  name: string;
  x: number[];
  y: number[];
}

export class Workbench {
  constructor(readonly page: Page) {}

  get status(): Locator {
    return this.page.getByTestId('run-status');
  }

  get problems(): Locator {
    return this.page.getByTestId('problems-list');
  }

  /** Waits until the window shows a document. */
  async ready(): Promise<void> {
    await expect(this.page.getByTestId('document-title')).toBeVisible();
    await expect(this.page.getByTestId('run-button')).toBeEnabled();
  }

  /** Opens an example from the gallery by keyboard shortcut. */
  async openExample(name: string): Promise<void> {
    await this.page.keyboard.press('Control+Shift+O');
    await this.page.getByTestId(`example-${name}`).click();
    await expect(this.page.getByTestId(`example-${name}`)).toBeHidden();
    await expect(this.page.getByTestId('run-button')).toBeEnabled();
  }

  async run(): Promise<void> {
    await this.page.getByTestId('run-button').click();
  }

  async runToEnd(): Promise<void> {
    await this.run();
    await expect(this.status).toHaveText('Done');
  }

  /** The curves a plot holds, as plain numbers. */
  async curves(view: string): Promise<Curve[]> {
    return this.page.evaluate((id) => {
      const hook = window.__moreauPlots?.[id];
      if (hook === undefined) throw new Error(`no plot ${id}`);
      return hook.data().map(({ name, x, y }) => ({ name, x: [...x], y: [...y] }));
    }, view);
  }

  /**
   * One curve of a plot, of the newest run when there are several of that name; empty while there is none.
   */
  async curve(view: string, name: string): Promise<Curve> {
    const found = (await this.curves(view)).filter((curve) => curve.name === name);
    return found.at(-1) ?? { name, x: [], y: [] };
  }

  /**
   * The curve once nothing new comes any more: what a plot has drawn while the run went on is coarser than
   * what it asks for at its end, and both are there at the word “Done”.
   * @param end time that it has to reach, s: on a busy machine a plot may pause on the way
   */
  async settledCurve(view: string, name: string, end = 0): Promise<Curve> {
    let last = await this.curve(view, name);
    await expect
      .poll(
        async () => {
          const before = last;
          last = await this.curve(view, name);
          return (last.x.at(-1) ?? -1) >= end && isDeepStrictEqual(last, before);
        },
        { intervals: [300] },
      )
      .toBe(true);
    return last;
  }

  /** Time up to which a curve has been drawn, s; 0 while there is none. */
  async drawnTo(view: string, name: string): Promise<number> {
    return (await this.curve(view, name)).x.at(-1) ?? 0;
  }

  /** Number of points all curves of a plot hold. */
  async points(view: string): Promise<number> {
    return (await this.curves(view)).reduce((sum, { x }) => sum + x.length, 0);
  }

  async range(view: string): Promise<{ xMin: number; xMax: number; yMin: number; yMax: number } | null> {
    return this.page.evaluate((id) => window.__moreauPlots?.[id]?.range() ?? null, view);
  }

  /** Types a parameter value as a user does. */
  async setParameter(name: string, value: string): Promise<void> {
    const input = this.page.getByTestId(`parameter-${name}-input`);
    await input.fill(value);
    await input.press('Enter');
  }

  async openScript(): Promise<void> {
    await this.page.getByTestId('tab-script').click();
    await expect(this.page.locator('.monaco-editor .view-line').first()).toBeVisible();
  }

  /** Types lines at the caret of the script editor, without what it would close or indent by itself. */
  async typeScript(lines: readonly string[]): Promise<void> {
    // Pasted in one piece: a line break that is typed would be indented.
    await this.page.keyboard.insertText(`${lines.join('\n')}\n`);
  }

  async openGraph(): Promise<void> {
    await this.page.getByTestId('tab-graph').click();
  }

  /** Puts the caret at the end of a line of the script; lines count from 1. */
  async caretAtEndOfLine(line: number): Promise<void> {
    // The editor as it is seen, past its margin: the element of the lines is wider than the view, and a click
    // that is tried again would scroll it out of the window.
    await this.page.locator('.monaco-editor[role="code"]').click({ position: { x: 120, y: 8 } });
    await this.page.keyboard.press('Control+Home');
    for (let i = 1; i < line; i++) await this.page.keyboard.press('ArrowDown');
    await this.page.keyboard.press('End');
  }

  /**
   * Runs a script that never returns, and cancels it. How long that takes is printed, not judged: it depends
   * on the machine.
   */
  async cancelStuckRun(view: string, signal: string): Promise<void> {
    await this.run();
    await expect(this.status).toHaveText('Running');
    await expect.poll(() => this.drawnTo(view, signal)).toBeGreaterThan(0.01);
    console.log(`an endless loop cancelled after ${(await this.cancelAndTime()).toFixed(0)} ms`);
  }

  /** Cancels the run. @returns milliseconds from the click to the word on the screen, taken in the page */
  async cancelAndTime(): Promise<number> {
    return this.page.evaluate(async () => {
      const find = (id: string): HTMLElement => document.querySelector<HTMLElement>(`[data-testid="${id}"]`)!;
      const status = find('run-status');
      const begin = performance.now();
      const ended = new Promise<number>((resolve) => {
        new MutationObserver(() => {
          if (status.textContent.trim() === 'Cancelled') resolve(performance.now() - begin);
        }).observe(status, { characterData: true, childList: true, subtree: true });
      });
      find('cancel-button').click();
      return ended;
    });
  }
}

/** First line of a text that contains a word, from 1. */
export function lineOf(text: string, word: string): number {
  const line = text.split('\n').findIndex((candidate) => candidate.includes(word));
  if (line < 0) throw new Error(`the script does not contain ${word}`);
  return line + 1;
}
