/** Text of a netlist, its lines as SPICE takes them, and what there is to say of them. */

/** A place in one of the files of a netlist. */
export interface Place {
  readonly source: Source;
  /** characters from its beginning */
  readonly offset: number;
}

/** What is said of a netlist, at its place. */
export interface NetlistIssue {
  /** `error`: there is no model; `warning`: the model differs from the netlist; `note`: nothing is lost */
  readonly severity: 'error' | 'warning' | 'note';
  /** stable identifier of the rule, such as `netlist-syntax` */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly file: string;
  /** counted from 1 */
  readonly line: number;
  readonly column: number;
}

/** Ends the reading of a line. */
export class NetlistError extends Error {
  override readonly name = 'NetlistError';

  constructor(
    readonly code: string,
    message: string,
    readonly remedy: string,
    readonly place: Place,
  ) {
    super(message);
  }
}

/** A file with the offsets of its lines. */
export class Source {
  readonly #starts: number[] = [0];

  constructor(
    readonly name: string,
    readonly text: string,
    /** what its lines stand for in the file that the user knows; itself when absent */
    readonly origin?: (line: number) => { line: number; column: number },
  ) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** @returns line and column, counted from 1 */
  position(offset: number): { line: number; column: number } {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    const line = low + 1;
    return this.origin?.(line) ?? { line, column: offset - this.#starts[low] + 1 };
  }
}

/** Gathers what is said. */
export class Issues {
  readonly list: NetlistIssue[] = [];
  readonly #seen = new Set<string>();

  add(severity: NetlistIssue['severity'], code: string, message: string, remedy: string, place: Place): void {
    const { line, column } = place.source.position(place.offset);
    const issue = { severity, code, message, remedy, file: place.source.name, line, column };
    const key = JSON.stringify(issue);
    // What stands once in a sub-circuit is said once, however often that is placed.
    if (!this.#seen.has(key)) this.list.push(issue);
    this.#seen.add(key);
  }

  fail({ code, message, remedy, place }: NetlistError): void {
    this.add('error', code, message, remedy, place);
  }

  /** Does something; what it throws of a netlist is added. */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof NetlistError)) throw error;
      this.fail(error);
    }
  }

  get hasErrors(): boolean {
    return this.list.some(({ severity }) => severity === 'error');
  }
}

/** A statement: one line and those that continue it. */
export interface Line {
  readonly source: Source;
  readonly offset: number;
  /** without comments, each character as far from the beginning as it is in the file */
  readonly text: string;
}

/** Longer statements are no circuits. */
const MAX_LINE = 1_000_000;

/**
 * Statements of a file: comments are gone, and lines that begin with + belong to the one before them. What
 * stands between `.control` and `.endc` is left out and said; nothing is read beyond `.end`.
 * @param hasTitle whether the first line is a title, as that of a netlist is
 */
export function readLines(
  source: Source,
  hasTitle: boolean,
  issues: Issues,
): { title: string; lines: Line[] } {
  const { text } = source;
  const lines: Line[] = [];
  let title = '';
  let parts: { start: number; text: string }[] = [];
  let isControl = false;
  const finish = (): void => {
    if (parts.length > 0) lines.push(joined(source, parts));
    parts = [];
  };
  let start = 0;
  for (let number = 0; start <= text.length; number++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const raw = text.slice(start, end).replace(/\r$/, ' ');
    const at = start;
    start = end + 1;
    if (number === 0 && hasTitle) {
      title = raw.replace(/^\s*\*?\s*/, '').trim();
      continue;
    }
    const line = withoutComment(raw);
    const word = /^\s*(\S*)/.exec(line)?.[1].toLowerCase() ?? '';
    if (isControl) {
      isControl = word !== '.endc';
      continue;
    }
    if (line.trim() === '') continue;
    if (word.startsWith('+')) {
      if (parts.length === 0) {
        const place = { source, offset: at + line.indexOf('+') };
        issues.add(
          'error',
          'netlist-continuation',
          'This line continues no other.',
          'Remove the + at its beginning.',
          place,
        );
      } else parts.push({ start: at, text: line.replace('+', ' ') });
      continue;
    }
    finish();
    if (word === '.control') {
      isControl = true;
      const place = { source, offset: at + line.indexOf('.') };
      issues.add(
        'note',
        'netlist-control',
        'The commands from .control to .endc are left out: they are those of a simulator.',
        'What they ask for is found in the views of the model.',
        place,
      );
      continue;
    }
    if (word === '.end') break;
    parts.push({ start: at, text: line });
  }
  finish();
  return { title, lines: lines.filter((line) => isShort(line, issues)) };
}

function isShort({ source, offset, text }: Line, issues: Issues): boolean {
  if (text.length <= MAX_LINE) return true;
  issues.add('error', 'netlist-long', `This statement is longer than ${MAX_LINE} characters.`, 'Divide it.', {
    source,
    offset,
  });
  return false;
}

function joined(source: Source, parts: readonly { start: number; text: string }[]): Line {
  const offset = parts[0].start;
  let text = '';
  for (const part of parts) text = text.padEnd(part.start - offset) + part.text;
  return { source, offset, text };
}

/** A line with a space for each character of its comment. */
function withoutComment(line: string): string {
  if (/^\s*\*/.test(line)) return '';
  const found = /;|(?:^|[\s,])\$|\/\//.exec(
    line.replaceAll(/"[^"]*"/g, (quoted) => '_'.repeat(quoted.length)),
  );
  return found === null ? line : line.slice(0, found.index).padEnd(line.length);
}
