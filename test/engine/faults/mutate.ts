/**
 * Mechanical mutants: every operator, constant and condition in functions of a module is a place that can be
 * changed. One text of the module holds many of them, each behind a switch, so that thousands need one
 * bundle.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { type Change, sourceOf } from './bundle';

/** A place and what stands there instead. */
export interface Place {
  readonly module: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly mutant: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Operators and those that are taken for them. */
const OTHER: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
};

/** Statements that only make messages, and what is no code. */
const SKIPPED = /^(?:TS|Import|ThrowStatement|TemplateLiteral|Decorator)/;
const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** All places of a module. */
export const placesOf = (module: string): Place[] => placesIn(module, readFileSync(sourceOf(module), 'utf8'));

/** All places of the text of a module. Nested ones follow those that hold them. */
export function placesIn(module: string, source: string): Place[] {
  const { program } = parseSync('module.ts', source);
  const places: Place[] = [];
  const lines = [...source.matchAll(/\n/g)].map(({ index }) => index);
  const textOf = ({ start, end }: Node): string => source.slice(start, end);
  const add = (node: Node, mutant: string): void => {
    const { start, end } = node;
    const line = 1 + lines.filter((at) => at < start).length;
    places.push({ module, line, start, end, text: textOf(node), mutant });
  };
  const visit = (node: Node, isInside: boolean): void => {
    if (SKIPPED.test(node.type)) return;
    if (isInside) mutate(node);
    const inner = isInside || FUNCTIONS.has(node.type);
    for (const [key, value] of Object.entries(node)) {
      if (key === 'key' || key === 'typeAnnotation' || key === 'params') continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, inner);
    }
  };
  const mutate = (node: Node): void => {
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const [left, right] = [node.left, node.right] as [Node, Node];
      const other = OTHER[node.operator as string];
      if (other !== undefined) add(node, `(${textOf(left)}) ${other} (${textOf(right)})`);
    } else if (node.type === 'Literal' && typeof node.value === 'number') {
      add(node, node.value === 0 ? '1' : `(${textOf(node)} * 1.5)`);
    } else if (node.type === 'UnaryExpression' && node.operator === '-') {
      add(node, `(${textOf(node.argument as Node)})`);
    } else if (node.type === 'UnaryExpression' && node.operator === '!') {
      add(node, `(${textOf(node.argument as Node)})`);
    } else if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      const test = node.test as Node;
      add(test, `!(${textOf(test)})`);
    }
  };
  visit(program as unknown as Node, false);
  return places;
}

const SWITCH = fileURLToPath(new URL('fault-switch.ts', import.meta.url));
const IMPORT = `import { fault as __fault } from '${SWITCH}';\n`;

/** The text of a module in which each place counts as it is executed. Places may hold others. */
export function counting(module: string, places: readonly (Place & { readonly number: number })[]): Change {
  return {
    module,
    change: (source) => {
      const marks = places.flatMap(({ start, end, number }) => [
        { at: start, text: `(__fault.hits[${number}] = 1, `, length: end - start, isEnd: false },
        { at: end, text: ')', length: end - start, isEnd: true },
      ]);
      // Ends before beginnings; outer beginnings first, inner ends first.
      marks.sort(
        (a, b) =>
          a.at - b.at ||
          Number(b.isEnd) - Number(a.isEnd) ||
          (a.isEnd ? a.length - b.length : b.length - a.length),
      );
      return IMPORT + inserted(source, marks);
    },
  };
}

/** The text of a module in which each place is switched by its number. No place holds another. */
export function switched(module: string, places: readonly (Place & { readonly number: number })[]): Change {
  return {
    module,
    change: (source) => {
      const marks = places.flatMap(({ start, end, number, mutant }) => [
        { at: start, text: `(__fault.number === ${number} ? ${mutant} : ` },
        { at: end, text: ')' },
      ]);
      marks.sort((a, b) => a.at - b.at);
      return IMPORT + inserted(source, marks);
    },
  };
}

function inserted(source: string, marks: readonly { readonly at: number; readonly text: string }[]): string {
  let out = '';
  let from = 0;
  for (const { at, text } of marks) {
    out += source.slice(from, at) + text;
    from = at;
  }
  return out + source.slice(from);
}
