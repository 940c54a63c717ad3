/**
 * The module's side of a derivative: names, functions to be generated, and what they need beside the script.
 */
import type * as ast from 'acorn';
import type { Binding, FunctionInfo } from '../source/scopes';
import type { Analysis } from './analysis/analysis';
import type { ScriptText } from './refusal';

export class Generator {
  private readonly queue: FunctionInfo[] = [];
  private readonly known = new Set<FunctionInfo>();
  /** declarations that stand in front of the functions, by name */
  private readonly declarations = new Map<string, string>();
  /** functions that stand in front of the others, by name */
  private readonly runtime = new Map<string, string>();

  /**
   * @param prefix of every generated name; it stands nowhere in the script
   * @param lanes directions that are followed at once
   * @param primal text that gives the user's own function
   */
  constructor(
    readonly analysis: Analysis,
    readonly text: ScriptText,
    readonly prefix: string,
    readonly lanes: number,
    readonly primal: string,
  ) {}

  /** Text of a node as it stands in the script. */
  slice(node: ast.Node): string {
    return this.text.code.slice(node.start, node.end);
  }

  /** Text of a function as an expression; that of a method lacks its keyword. */
  functionText(node: ast.Node): string {
    const text = this.slice(node);
    return node.type === 'FunctionExpression' && !/^(?:async\b|function\b)/.test(text)
      ? `function ${text}`
      : text;
  }

  /** Text for each lane. */
  each<T = string>(text: (lane: number) => T): T[] {
    return Array.from({ length: this.lanes }, (_, lane) => text(lane));
  }

  /** Names of a variable's shadows. */
  shadowNames(name: string): string[] {
    return this.each((lane) => `${this.prefix}_${lane}${name}`);
  }

  /** Name of the derivative of a function of the module, which is generated when it is first asked for. */
  functionName(info: FunctionInfo): string {
    if (!this.known.has(info)) {
      this.known.add(info);
      this.queue.push(info);
    }
    return `${this.prefix}f${info.id}`;
  }

  /** Array through which derivatives that return numbers hand over the tangents. */
  numberChannel(): string {
    const name = `${this.prefix}n`;
    this.declarations.set(name, `const ${name} = new Float64Array(${this.lanes});`);
    return name;
  }

  /** Variables through which the derivative of a function that returns objects hands over their shadows. */
  objectChannels(owner: string): string[] {
    const names = this.each((lane) => `${this.prefix}o${lane}_${owner}`);
    for (const name of names) this.declarations.set(name, `let ${name} = 0;`);
    return names;
  }

  declare(name: string, declaration: string): string {
    this.declarations.set(name, declaration);
    return name;
  }

  /** A function that generated code calls. */
  helper(name: string, source: string): string {
    this.runtime.set(name, source);
    return name;
  }

  /** Function that makes the shadow of something constant. */
  zero(): string {
    const name = `${this.prefix}zero`;
    return this.helper(
      name,
      `function ${name}(v) { if (typeof v !== 'object' || v === null) return 0; ` +
        `if (Array.isArray(v)) return v.map((e) => ${name}(e)); ` +
        `if (v.BYTES_PER_ELEMENT !== undefined) return new Float64Array(v.length); ` +
        `const z = {}; for (const k of Object.keys(v)) z[k] = ${name}(v[k]); return z; }`,
    );
  }

  /** Shadow of something the script keeps between calls and never changes. */
  outerShadow(binding: Binding | null, text: string): string[] {
    if (binding !== null && this.analysis.channels.has(binding.name)) return this.channelShadow(binding.name);
    const name = `${this.prefix}m${text.replaceAll(/[^\p{ID_Continue}]/gu, '_')}`;
    this.declare(name, `const ${name} = ${this.zero()}(${text});`);
    return this.each(() => name);
  }

  /** A channel of an earlier derivative is written and read like a variable: it has a shadow of its own. */
  private channelShadow(channel: string): string[] {
    const names = this.shadowNames(channel);
    for (const name of names) this.declare(name, `let ${name} = ${this.zero()}(${channel});`);
    return names;
  }

  /** Names of what the generated code keeps between calls. */
  channels(): string[] {
    return [...this.declarations.keys()];
  }

  /**
   * Everything asked for so far, in front of `last`.
   * @param generate writes the derivative of a function under a name
   */
  finish(last: readonly Line[], generate: (info: FunctionInfo, name: string) => Line[]): Line[] {
    const functions: Line[] = [];
    for (let info = this.queue.shift(); info !== undefined; info = this.queue.shift()) {
      functions.push(...generate(info, this.functionName(info)));
    }
    const line = last[0].line;
    return [
      ...[...this.runtime.values()].map((text) => ({ text, line })),
      ...[...this.declarations.values()].map((text) => ({ text, line })),
      ...functions,
      ...last,
    ];
  }
}

/* Pieces of generated code. */

/**
 * An expression of the derivative: text that gives the value of the user's expression, and for each lane,
 * that is each direction that is followed at once, text that gives its tangent or, for arrays and objects,
 * its shadow: an object of the same shape that holds the tangents. null is zero.
 */
export interface Code {
  readonly value: string;
  readonly shadows: readonly string[] | null;
  /** whether nothing that is evaluated later can change what the texts give */
  readonly isStable: boolean;
}

/** One or more lines of generated code that belong to a line of the script. */
export interface Line {
  readonly text: string;
  /** 1-based line of the user's source */
  readonly line: number;
}

export const ZERO = '0';

const SIMPLE = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/u;

/** Whether a text may be repeated without being evaluated twice. */
export const isSimple = (text: string): boolean => SIMPLE.test(text);

/** A text as operand of any operator. */
export const operand = (text: string): string => (isSimple(text) ? text : `(${text})`);

/** Steps, then a value, as one expression. */
export const sequence = (steps: readonly string[], value: string): string =>
  steps.length === 0 ? value : `(${[...steps, value].join(', ')})`;
