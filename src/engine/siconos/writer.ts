/** Python of the values of a model: what the writers of elements call. */
import { evaluateWith } from '../document/parameters';
import type {
  Expression,
  FieldValue,
  SparseMatrixValue,
  InteractionDocument,
  SystemDocument,
  TypedElement,
} from '../document/types';
import type { PluginArgument } from '../model/plugin-signatures';
import { definitionsByKey } from '../model/registry';
import { HELPERS } from './helpers';
import { pythonExpression } from './python/expression';

/* What a writer of one type of element is given, and what it says. */

/** An element that Siconos has no counterpart for. */
export class NoCounterpart extends Error {
  override readonly name = 'NoCounterpart';

  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

/** Writes at a place of the document; what has no counterpart becomes a defect there. */
export type Attempt = <T>(pointer: string, element: string, write: () => T) => T | null;

/** Turns values of one element into Python. */
export interface ElementWriter {
  /** a number */
  number(value: Expression): string;
  /** a list of numbers; of zeros when the field is absent */
  vector(value: FieldValue | undefined, size: number): string;
  /** a numpy array */
  matrix(value: FieldValue, rows: number, columns: number): string;
  /** value of an expression now */
  evaluate(value: Expression): number;
  /**
   * A function (…) → list of numbers of a field that is a vector or a script function; null when it is
   * absent.
   */
  vectorFunction(value: FieldValue | undefined, size: number): string | null;
  /**
   * A function (…) → list of rows of a field that is a matrix or a script function, or, where it is absent,
   * the derivative of another.
   * @param derived the function it is derived from, the argument, and the arguments of that function in their
   *   order
   */
  matrixFunction(
    value: FieldValue | undefined,
    rows: number,
    columns: number,
    derived?: { of: FieldValue | undefined; by: PluginArgument; arguments: readonly PluginArgument[] },
  ): string;
  /** asks for a helper of the script. @returns its name */
  helper(name: string): string;
  /** something is left out or different */
  warn(message: string): void;
}

/** What a system has to know of the relations of its model. */
export interface RelationRows {
  readonly areLinear: boolean;
  /** whether they are linearised at the end of a step, by iteration, which of linear systems is left out */
  readonly atEnd: boolean;
}

export interface SystemWriter {
  readonly type: string;
  readonly order: 1 | 2;
  size(system: SystemDocument): number;
  /** whether the rates or forces are linear in the state with constant matrices */
  isLinear(system: SystemDocument): boolean;
  /**
   * @param rows of the relations
   * @returns the object, and what is called on it afterwards
   */
  write(system: SystemDocument, to: ElementWriter, rows: RelationRows): { object: string; calls?: string[] };
}

export interface RelationWriter {
  readonly type: string;
  readonly isLinear: boolean;
  size(relation: TypedElement): number;
  /**
   * @param rows of the relation that this object takes; all, or those of one contact
   * @returns the object, and what is called on it afterwards
   */
  write(
    relation: TypedElement,
    columns: number,
    rows: { from: number; to: number },
    to: ElementWriter,
  ): { object: string; calls?: string[] };
}

export interface LawWriter {
  readonly type: string;
  /** the one-step problem it needs, the widest of which is taken */
  readonly problem: 'LCP' | 'MLCP' | 'Relay' | 'AVI' | 'FrictionContact' | 'FrictionContact3D';
  /** rows it takes at once: of a relation with more, each group becomes an interaction; null takes all */
  readonly rows: number | null;
  /** signal of the multiplier in its rows, and the level at which the kernel keeps it */
  readonly level: 0 | 1;
  write(law: TypedElement, size: number, interaction: InteractionDocument, to: ElementWriter): string;
}

export const functionName = (value: FieldValue | undefined): string | null =>
  typeof value === 'object' &&
  !Array.isArray(value) &&
  'function' in value &&
  typeof value.function === 'string'
    ? value.function
    : null;

/** Fields that say nothing about the motion, choose the writer, or belong to another law of the impact. */
const SILENT: ReadonlySet<string> = new Set([
  'id',
  'type',
  'ndof',
  'n',
  'size',
  'coordinateUnit',
  'stateUnit',
  'dimension',
  'stiffness',
]);

const DEFINITIONS = new Map([...definitionsByKey.values()].flat().map((one) => [one.type, one]));

const isDefault = ({ type }: TypedElement, key: string, value: unknown): boolean => {
  const field = DEFINITIONS.get(type)?.fields.find((one) => one.key === key);
  return field?.default !== undefined && field.default === value;
};

/**
 * Writes an element. A field that is given and that its writer never reads would be lost without a word: it
 * is refused by its name, unless it says what holds without it.
 */
export function readWhole<E extends TypedElement, T>(element: E, write: (element: E) => T): T {
  const unread = new Set(
    Object.keys(element).filter((key) => !SILENT.has(key) && !isDefault(element, key, element[key])),
  );
  const written = write(
    new Proxy(element, {
      get: (target, key) => {
        unread.delete(String(key));
        return Reflect.get(target, key) as unknown;
      },
    }),
  );
  if (unread.size > 0)
    throw new NoCounterpart(
      `This export does not write “${[...unread].join('”, “')}” of ${element.type}.`,
      'Remove it, or state the model without it.',
    );
  return written;
}

/* Rows of matrices of a document, dense or by entries. */

export function rowCount(value: FieldValue | undefined): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || !('entries' in value)) return 0;
  const { rows, entries } = value as { rows?: number; entries: [number, number, unknown][] };
  return rows ?? Math.max(0, ...entries.map(([row]) => row + 1));
}

/** The part of a Python list or array that holds some rows; nothing where it is all of them. */
export const slice = ({ from, to }: { from: number; to: number }, all: number): string =>
  from === 0 && to === all ? '' : `[${from}:${to}]`;

export interface WriterSetting {
  /** values of the parameters */
  readonly values: Readonly<Record<string, number>>;
  /** Python names of parameters and of script functions */
  readonly parameterNames: ReadonlyMap<string, string>;
  readonly functionNames: ReadonlyMap<string, string>;
}

export class ModelWriter {
  readonly #helpers = new Set<string>();
  readonly warnings: string[] = [];

  constructor(private readonly setting: WriterSetting) {}

  /** Names of the helpers asked for, each after those it needs. */
  get helpers(): string[] {
    const order: string[] = [];
    const visit = (name: string): void => {
      if (order.includes(name)) return;
      for (const other of HELPERS[name].needs ?? []) visit(other);
      order.push(name);
    };
    for (const name of Object.keys(HELPERS)) if (this.#helpers.has(name)) visit(name);
    return order;
  }

  readonly helper = (name: string): string => {
    this.#helpers.add(name);
    return name;
  };

  readonly number = (value: Expression): string =>
    pythonExpression(value, {
      parameter: (name) => this.setting.parameterNames.get(name) ?? name,
      helper: this.helper,
    });

  readonly evaluate = (value: Expression): number => evaluateWith(value, this.setting.values);

  #function(value: FieldValue | undefined): string | null {
    const name = functionName(value);
    return name === null ? null : (this.setting.functionNames.get(name) ?? name);
  }

  #list(values: readonly Expression[]): string {
    return `[${values.map(this.number).join(', ')}]`;
  }

  #rows(value: FieldValue): string {
    return `[${(value as Expression[][]).map((row) => this.#list(row)).join(', ')}]`;
  }

  #matrix(value: FieldValue, rows: number, columns: number): string {
    if (Array.isArray(value)) return `np.array(${this.#rows(value)}, dtype=float)`;
    const { entries } = value as SparseMatrixValue;
    const triples = entries.map(([i, j, entry]) => `(${i}, ${j}, ${this.number(entry)})`);
    return `${this.helper('sparse')}(${rows}, ${columns}, [${triples.join(', ')}])`;
  }

  /** The writer for one element. @param place how warnings name it */
  forElement(place: string): ElementWriter {
    return {
      number: this.number,
      evaluate: this.evaluate,
      helper: this.helper,
      vector: (value, size) =>
        value === undefined ? `[0.0] * ${size}` : this.#list(value as readonly Expression[]),
      matrix: (value, rows, columns) => this.#matrix(value, rows, columns),
      vectorFunction: (value, size) => {
        const name = this.#function(value);
        if (name !== null) return `${this.helper('vector_function')}(${name}, ${size})`;
        if (value === undefined) return null;
        return `${this.helper('constant')}(${this.#list(value as readonly Expression[])})`;
      },
      matrixFunction: (value, rows, columns, derived) => {
        const name = this.#function(value);
        if (name !== null) return `${this.helper('matrix_function')}(${name}, ${rows}, ${columns})`;
        if (value !== undefined) {
          const dense = Array.isArray(value)
            ? this.#rows(value)
            : `${this.#matrix(value, rows, columns)}.tolist()`;
          return `${this.helper('constant')}(${dense})`;
        }
        const of = derived === undefined ? null : this.#function(derived.of);
        if (derived === undefined || of === null)
          return `${this.helper('constant')}([[0.0] * ${columns}] * ${rows})`;
        return `${this.helper('jacobian_of')}(${of}, ${rows}, ${derived.arguments.indexOf(derived.by)})`;
      },
      warn: (message) => this.warnings.push(`${place}: ${message}`),
    };
  }
}
