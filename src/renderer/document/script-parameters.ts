/**
 * Where scripts use a parameter, by their syntax tree: `p.name` of what is declared as `Parameters` or stands
 * in the place of `p` in a plug-in function, and patterns that destructure it. Text that only looks like a
 * use is skipped.
 */
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser } from 'acorn';
import type { Catalogue } from '@engine/model/definition';
import { namesInExpression } from './expression-names';

export interface ScriptUse {
  readonly start: number;
  readonly end: number;
  /** how another name is written there */
  readonly form: 'plain' | 'shorthand' | 'quoted';
  /** false where it may be something else */
  readonly isSure: boolean;
}

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const TypeScriptParser = Parser.extend(tsPlugin());

/** The expression inside of assertions and parentheses. */
function bare(node: SyntaxNode): SyntaxNode {
  const wrappers = [
    'TSAsExpression',
    'TSSatisfiesExpression',
    'TSNonNullExpression',
    'ParenthesizedExpression',
  ];
  return wrappers.includes(node.type) && isNode(node['expression']) ? bare(node['expression']) : node;
}

const typeName = (node: SyntaxNode): string => {
  const annotation = node['typeAnnotation'];
  const inner =
    isNode(annotation) && annotation.type === 'TSTypeAnnotation' ? annotation['typeAnnotation'] : annotation;
  const name = isNode(inner) ? inner['typeName'] : undefined;
  return isNode(name) && typeof name['name'] === 'string' ? name['name'] : '';
};

const isFunction = ({ type }: SyntaxNode): boolean =>
  ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(type);

class UseFinder {
  readonly uses: ScriptUse[] = [];
  readonly #name: string;
  /** place of the parameters among the arguments of functions of a type */
  readonly #places: ReadonlyMap<string, number>;
  readonly #isBuilder: boolean;

  constructor(name: string, places: ReadonlyMap<string, number>, isBuilder: boolean) {
    this.#name = name;
    this.#places = places;
    this.#isBuilder = isBuilder;
  }

  #add({ start, end }: SyntaxNode, form: ScriptUse['form'], isSure: boolean): void {
    this.uses.push({ start, end, form, isSure });
  }

  /** Names taken out of the parameters by a pattern. */
  #pattern(node: SyntaxNode): void {
    for (const property of node['properties'] as SyntaxNode[]) {
      const key = property['key'];
      if (!isNode(key) || property['computed'] === true) continue;
      if (key.type === 'Identifier' && key['name'] === this.#name)
        this.#add(key, property['shorthand'] === true ? 'shorthand' : 'plain', true);
      else if (key.type === 'Literal' && key['value'] === this.#name) this.#add(key, 'quoted', true);
    }
  }

  /** @param place of the parameters among the arguments; −1 where only their types say it */
  #function(node: SyntaxNode, scope: ReadonlySet<string>, place: number): void {
    const inner = new Set(scope);
    (node['params'] as SyntaxNode[]).forEach((parameter, index) => {
      const holds = index === place || typeName(parameter) === 'Parameters';
      const name = parameter['name'];
      if (parameter.type === 'ObjectPattern' && holds) this.#pattern(parameter);
      if (typeof name === 'string') {
        if (holds) inner.add(name);
        else inner.delete(name);
      }
    });
    this.visit(node['body'], inner);
  }

  #declarator(node: SyntaxNode, scope: Set<string>): void {
    const { id, init } = node as unknown as { id: SyntaxNode; init: unknown };
    if (!isNode(init)) return;
    const value = bare(init);
    if (isFunction(value)) {
      const type = typeName(id) || (init === value ? '' : typeName(init));
      this.#function(value, scope, this.#places.get(type) ?? -1);
      return;
    }
    const isParameters = value.type === 'Identifier' && scope.has(String(value['name']));
    if (isParameters && id.type === 'ObjectPattern') this.#pattern(id);
    else if (isParameters && typeof id['name'] === 'string') scope.add(id['name']);
    else this.visit(init, scope);
  }

  #member(node: SyntaxNode, scope: ReadonlySet<string>): void {
    const object = bare(node['object'] as SyntaxNode);
    const property = node['property'] as SyntaxNode;
    const isSure = object.type === 'Identifier' && scope.has(String(object['name']));
    if (node['computed'] === true) {
      if (property.type === 'Literal' && property['value'] === this.#name)
        this.#add(property, 'quoted', isSure);
      else this.visit(property, scope);
    } else if (property['name'] === this.#name) this.#add(property, 'plain', isSure);
    this.visit(object, scope);
  }

  /** A text in a builder script may be an expression of the model it builds. */
  #text(node: SyntaxNode): void {
    const { value } = node;
    if (!this.#isBuilder || typeof value !== 'string') return;
    for (const { name, start, end } of namesInExpression(value)) {
      if (name !== this.#name) continue;
      // One word may be a unit or a name as well.
      this.uses.push({
        start: node.start + 1 + start,
        end: node.start + 1 + end,
        form: 'plain',
        isSure: value.trim() !== name,
      });
    }
  }

  visit(node: unknown, scope: Set<string> | ReadonlySet<string>): void {
    if (Array.isArray(node)) {
      for (const entry of node) this.visit(entry, scope);
      return;
    }
    if (!isNode(node)) return;
    if (node.type === 'ExportDefaultDeclaration' && isNode(node['declaration'])) {
      const value = bare(node['declaration']);
      if (isFunction(value)) {
        this.#function(value, scope, this.#isBuilder ? 1 : -1);
        return;
      }
    }
    if (isFunction(node)) this.#function(node, scope, -1);
    else if (node.type === 'VariableDeclarator') this.#declarator(node, scope as Set<string>);
    else if (node.type === 'MemberExpression') this.#member(node, scope);
    else if (node.type === 'Literal') this.#text(node);
    else {
      const inner = node.type === 'BlockStatement' ? new Set(scope) : scope;
      for (const [key, child] of Object.entries(node))
        if (key !== 'loc' && key !== 'typeAnnotation') this.visit(child, inner);
    }
  }
}

/** Uses of a parameter in the source of a script, in their order. */
export function scriptUses(
  source: string,
  name: string,
  catalogue: Catalogue | null,
  isBuilder: boolean,
): ScriptUse[] {
  const places = new Map([['Builder', 1]]);
  for (const { typeName: type, parameters } of Object.values(catalogue?.plugins ?? {}))
    places.set(type, parameters.indexOf('p'));
  const finder = new UseFinder(name, places, isBuilder);
  try {
    const tree: unknown = TypeScriptParser.parse(source, {
      ecmaVersion: 2022,
      sourceType: 'module',
      locations: true,
    });
    finder.visit(tree, new Set<string>());
  } catch {
    // A script that is no program yet: what looks like a use is shown, and the hand decides.
    const word = new RegExp(`\\.(${name.replace(/\W/g, '\\$&')})\\b`, 'g');
    return [...source.matchAll(word)].map(({ index }) => ({
      start: index + 1,
      end: index + 1 + name.length,
      form: 'plain',
      isSure: false,
    }));
  }
  return finder.uses.sort((a, b) => a.start - b.start);
}

/** What is written in the place of a use. */
export function scriptReplacement({ form }: ScriptUse, from: string, to: string): string {
  if (form === 'quoted') return JSON.stringify(to);
  return form === 'shorthand' ? `${to}: ${from}` : to;
}
