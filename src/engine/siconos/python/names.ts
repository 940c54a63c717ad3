/** Names of a Python module: what the model calls its elements, made into identifiers that do not collide. */

const KEYWORDS: readonly string[] = [
  ...[
    'False',
    'None',
    'True',
    'and',
    'as',
    'assert',
    'async',
    'await',
    'break',
    'class',
    'continue',
    'def',
    'del',
  ],
  ...[
    'elif',
    'else',
    'except',
    'finally',
    'for',
    'from',
    'global',
    'if',
    'import',
    'in',
    'is',
    'lambda',
    'nonlocal',
  ],
  ...['not', 'or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield', 'match', 'case', 'type'],
];
const BUILTINS: readonly string[] = [
  ...[
    'abs',
    'float',
    'int',
    'len',
    'list',
    'max',
    'min',
    'range',
    'round',
    'str',
    'sum',
    'zip',
    'print',
    'isinstance',
  ],
  ...['enumerate', 'getattr', 'hasattr', 'tuple', 'super', 'open', 'pow', 'any', 'all', 'map'],
];

/** Names that a name may not be, as it would mean something else. */
const RESERVED: ReadonlySet<string> = new Set([...KEYWORDS, ...BUILTINS]);

/**
 * The nearest identifier: what cannot stand in one becomes an underscore. Python takes names by their NFKC
 * form.
 */
export function identifier(text: string): string {
  const plain = text.normalize('NFKC').replace(/[^\p{L}\p{Nd}\p{Nl}_]/gu, '_');
  return /^\p{N}/u.test(plain) || plain === '' ? `_${plain}` : plain;
}

export class PythonNames {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set([...RESERVED, ...taken]);
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /** An identifier for a name, with a number after it where that is taken. */
  claim(wanted: string): string {
    const base = identifier(wanted);
    let name = base;
    if (this.#taken.has(name)) name = `${base}_`;
    for (let k = 2; this.#taken.has(name); k++) name = `${base}_${k}`;
    this.#taken.add(name);
    return name;
  }
}

/*
 * Variables of a translated function: JavaScript has blocks, Python has functions only, so inner names get
 * new ones.
 */
export class Scope {
  readonly #own = new Map<string, string>();

  /**
   * @param taken names of the function so far, shared by its blocks
   * @param isFunction whether a function begins here
   */
  constructor(
    readonly parent: Scope | null,
    private readonly taken: Set<string>,
    readonly isFunction: boolean,
  ) {}

  block(): Scope {
    return new Scope(this, this.taken, false);
  }

  /** Scope of a function inside: its names must not hide those it uses from outside. */
  inner(): Scope {
    return new Scope(this, new Set(this.taken), true);
  }

  declare(name: string): string {
    const base = identifier(name);
    let python = base;
    for (let k = 2; this.taken.has(python) || RESERVED.has(python); k++) python = `${base}_${k}`;
    this.taken.add(python);
    this.#own.set(name, python);
    return python;
  }

  /** Python name of a variable; null when no scope declares it. */
  find(name: string): string | null {
    return this.#own.get(name) ?? this.parent?.find(name) ?? null;
  }

  /** Whether an assignment here would reach out of the function, for which Python wants a declaration. */
  isOutside(name: string): boolean {
    if (this.#own.has(name)) return false;
    return this.isFunction || this.parent === null ? true : this.parent.isOutside(name);
  }
}

/*
 * Texts of a document in a Python script: as a comment, a string and a docstring. Whatever stands in them
 * stays text. Python ends a comment at every carriage return and does not read a null at all, and readers see
 * lines where Unicode has them.
 */

/** Ends of lines: those of Python, and those that editors and readers see. */
const LINE_ENDS = /\r\n|[\n\r\v\f\x85\u2028\u2029]/g;
/** What has no shape of its own, or turns the text around it so that it reads as another one. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/gu;

/** The text behind `# `: one line. */
export const pythonComment = (text: string): string =>
  text.replaceAll(LINE_ENDS, ' ').replaceAll(UNSEEN, ' ').trimEnd();

/** A string literal, quotes included. */
export const pythonString = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The text between three quotes, over several lines. */
export const pythonDocstring = (text: string): string =>
  text
    .replaceAll(LINE_ENDS, '\n')
    .replaceAll(/[^\n]+/g, (line) => line.replaceAll(UNSEEN, ' '))
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', '\\"\\"\\"');

/* Why something cannot be written in Python or for Siconos. */

/** A piece of a script that has no Python here. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable';

  /** @param line 1-based, in the user's source */
  constructor(
    what: string,
    readonly line: number,
  ) {
    super(what);
  }
}
