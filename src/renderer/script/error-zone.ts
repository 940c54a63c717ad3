/** The values of a failed call, in the editor below the line that failed. */
import type { RemoteError } from '@contract/errors';
import { text } from '../i18n';
import { callHeadline } from './failure-text';
import type { editor } from './monaco';

const LINE_HEIGHT = 20;
/** Values that are shown; the card of the run has all. */
const MOST_ROWS = 12;

const element = (tag: string, className: string, content?: string): HTMLElement => {
  const made = document.createElement(tag);
  made.className = className;
  if (content !== undefined) made.textContent = content;
  return made;
};

function content(error: RemoteError): { node: HTMLElement; height: number } {
  const node = element('div', 'script-failure');
  node.dataset['testid'] = 'script-failure';
  node.append(element('p', 'script-failure-message', error.message));
  node.append(element('p', 'script-failure-call', callHeadline(error)));
  let lines = 2;
  if (error.call?.statement !== undefined) {
    node.append(element('p', 'script-failure-statement', error.call.statement));
    lines++;
  }
  const values = (error.call?.values ?? []).slice(0, MOST_ROWS);
  const grid = element('dl', 'script-failure-values');
  for (const { name, value, kind } of values) {
    const term = element('dt', kind, name);
    term.title = text(`failure.kind.${kind}`);
    grid.append(term, element('dd', kind, value));
  }
  node.append(grid);
  return { node, height: (lines + values.length) * LINE_HEIGHT + 12 };
}

/** Keeps at most one such zone in an editor. */
export class ErrorZone {
  #id: string | null = null;

  constructor(private readonly target: editor.IStandaloneCodeEditor) {}

  /** @param error of the script that is shown, or null */
  show(error: RemoteError | null): void {
    this.target.changeViewZones((zones) => {
      if (this.#id !== null) zones.removeZone(this.#id);
      this.#id = null;
      if (error?.script === undefined || error.call === undefined) return;
      const { node, height } = content(error);
      this.#id = zones.addZone({
        afterLineNumber: error.script.line,
        heightInPx: height,
        domNode: node,
        suppressMouseDown: true,
      });
    });
  }
}
