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
export const RESERVED: ReadonlySet<string> = new Set([...KEYWORDS, ...BUILTINS]);

/** The nearest identifier: what cannot stand in one becomes an underscore. Python takes names by their NFKC form. */
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
