/**
 * The syntax tree of a script as it is written, types and imports included, and the types that it may name;
 * what runs has neither.
 */
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser } from 'acorn';

/** A node of TypeScript: those of JavaScript as ESTree has them, and more. */
export interface TypedNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly [key: string]: unknown;
}

const TypeScriptParser = Parser.extend(tsPlugin());

const isNode = (value: unknown): value is TypedNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** @returns null where the text cannot be read: the transpiler says why, or reads it nevertheless */
export function readTyped(source: string): TypedNode | null {
  try {
    const program: unknown = TypeScriptParser.parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowReturnOutsideFunction: true,
      locations: true,
    });
    return program as TypedNode;
  } catch (error) {
    // The parser follows nesting by recursion.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Calls `visit` for a node and everything in it, in the order of the text. */
function walk(node: TypedNode, visit: (node: TypedNode) => void): void {
  // A list of what is left: deeply nested texts do not end the recursion.
  const left: TypedNode[] = [node];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    visit(at);
    const children = Object.values(at).flatMap((value) =>
      Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
    );
    for (let i = children.length - 1; i >= 0; i--) left.push(children[i]);
  }
}

/*
 * What a script may import: by name, from another script of the model. Read in its syntax, so that comments
 * and texts may say what they like.
 */

/** `link.ts` writes out what is imported from these. */
const BESIDE = /^\.\/[\w-]+(?:\.ts)?$/;

const isType = (node: TypedNode): boolean => node.importKind === 'type' || node.exportKind === 'type';

/** `import { f, g as h } from './other'` */
function isByName(node: TypedNode, source: string): boolean {
  const { source: from, specifiers } = node;
  if (!isNode(from) || typeof from.value !== 'string' || !BESIDE.test(from.value)) return false;
  const names = specifiers as readonly TypedNode[];
  // `import {} from './other'` has no names either, but says that it is about names.
  if (names.length === 0) return source.slice(node.start, from.start).includes('{');
  return names.every(({ type }) => type === 'ImportSpecifier');
}

/** The first import or export of a script that it may not have; null where there is none. */
export function refusedImport(program: TypedNode, source: string): TypedNode | null {
  for (const statement of program.body as readonly TypedNode[]) {
    if (isType(statement)) continue;
    switch (statement.type) {
      case 'ImportDeclaration':
        if (!isByName(statement, source)) return statement;
        break;
      case 'TSImportEqualsDeclaration':
      case 'ExportAllDeclaration':
        return statement;
      case 'ExportNamedDeclaration':
        if (isNode(statement.source)) return statement;
    }
  }
  return null;
}

/** The first `import(…)` of a script; null where there is none. */
export function dynamicImport(program: TypedNode): TypedNode | null {
  let found: TypedNode | null = null;
  walk(program, (node) => {
    if (node.type === 'ImportExpression') found ??= node;
  });
  return found;
}

/*
 * Types that a script may name: those of the language, of the workbench, and its own. The program that runs
 * has no types, so that a wrong name would be found in the editor alone, and a model that comes from
 * elsewhere would run with it.
 */

/**
 * Types that TypeScript declares for the language itself (`lib.esnext.d.ts`); nothing of a browser is there
 * in a script.
 */
const OF_LANGUAGE: ReadonlySet<string> = new Set(
  `AggregateError AggregateErrorConstructor Array ArrayBuffer ArrayBufferConstructor ArrayBufferLike ArrayBufferTypes
  ArrayBufferView ArrayConstructor ArrayIterator ArrayLike AsyncDisposable AsyncDisposableStack
  AsyncDisposableStackConstructor AsyncGenerator AsyncGeneratorFunction AsyncGeneratorFunctionConstructor AsyncIterable
  AsyncIterableIterator AsyncIterator AsyncIteratorObject Atomics Awaited BigInt BigInt64Array BigInt64ArrayConstructor
  BigIntConstructor BigIntToLocaleStringOptions BigUint64Array BigUint64ArrayConstructor Boolean BooleanConstructor
  BuiltinIteratorReturn CallableFunction Capitalize ClassAccessorDecoratorContext ClassAccessorDecoratorResult
  ClassAccessorDecoratorTarget ClassDecorator ClassDecoratorContext ClassFieldDecoratorContext
  ClassGetterDecoratorContext ClassMemberDecoratorContext ClassMethodDecoratorContext ClassSetterDecoratorContext
  ConcatArray ConstructorParameters DataView DataViewConstructor Date DateConstructor DecoratorContext
  DecoratorMetadata DecoratorMetadataObject Disposable DisposableStack DisposableStackConstructor Error
  ErrorConstructor ErrorOptions EvalError EvalErrorConstructor Exclude Extract FinalizationRegistry
  FinalizationRegistryConstructor FlatArray Float16Array Float16ArrayConstructor Float32Array Float32ArrayConstructor
  Float64Array Float64ArrayConstructor Function FunctionConstructor Generator GeneratorFunction
  GeneratorFunctionConstructor IArguments ImportAssertions ImportAttributes ImportCallOptions ImportMeta InstanceType
  Int16Array Int16ArrayConstructor Int32Array Int32ArrayConstructor Int8Array Int8ArrayConstructor Intl Iterable
  IterableIterator Iterator IteratorObject IteratorObjectConstructor IteratorResult IteratorReturnResult
  IteratorYieldResult JSON Lowercase Map MapConstructor MapIterator Math MethodDecorator NewableFunction NoInfer
  NonNullable Number NumberConstructor Object ObjectConstructor Omit OmitThisParameter ParameterDecorator Parameters
  Partial Pick Promise PromiseConstructor PromiseConstructorLike PromiseFulfilledResult PromiseLike
  PromiseRejectedResult PromiseSettledResult PromiseWithResolvers PropertyDecorator PropertyDescriptor
  PropertyDescriptorMap PropertyKey ProxyConstructor ProxyHandler RangeError RangeErrorConstructor Readonly
  ReadonlyArray ReadonlyMap ReadonlySet ReadonlySetLike Record ReferenceError ReferenceErrorConstructor Reflect RegExp
  RegExpConstructor RegExpExecArray RegExpIndicesArray RegExpMatchArray RegExpStringIterator Required ReturnType Set
  SetConstructor SetIterator SharedArrayBuffer SharedArrayBufferConstructor String StringConstructor StringIterator
  SuppressedError SuppressedErrorConstructor Symbol SymbolConstructor SyntaxError SyntaxErrorConstructor
  TemplateStringsArray Temporal ThisParameterType ThisType TypeError TypeErrorConstructor TypedPropertyDescriptor
  URIError URIErrorConstructor Uint16Array Uint16ArrayConstructor Uint32Array Uint32ArrayConstructor Uint8Array
  Uint8ArrayConstructor Uint8ClampedArray Uint8ClampedArrayConstructor Uncapitalize Uppercase WeakKey WeakKeyTypes
  WeakMap WeakMapConstructor WeakRef WeakRefConstructor WeakSet WeakSetConstructor const globalThis`.split(
    /\s+/,
  ),
);

/** Types that the declarations of the workbench declare, from their text. */
export const declaredIn = (typings: string): string[] =>
  [...typings.matchAll(/^(?:type|interface) (\w+)/gm)].map(([, name]) => name);

/** A type that is named, at its place. */
export interface NamedType {
  readonly name: string;
  /** 1-based */
  readonly line: number;
  readonly column: number;
}

const nameOf = (node: unknown): string | null => {
  if (typeof node === 'string') return node;
  return isNode(node) && typeof node.name === 'string' ? node.name : null;
};

/** The first part of `A.B.C`. */
function firstName(node: unknown): TypedNode | null {
  let at = node;
  while (isNode(at) && (at.type === 'TSQualifiedName' || at.type === 'MemberExpression'))
    at = at.type === 'TSQualifiedName' ? at.left : at.object;
  return isNode(at) && at.type === 'Identifier' ? at : null;
}

/**
 * What declares a type, wherever it stands: a name that is known in one place of a script is not looked at in
 * others.
 */
const DECLARING: Readonly<Record<string, readonly string[]>> = {
  TSInterfaceDeclaration: ['id'],
  TSTypeAliasDeclaration: ['id'],
  TSEnumDeclaration: ['id'],
  TSModuleDeclaration: ['id'],
  TSImportEqualsDeclaration: ['id'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  TSTypeParameter: ['name'],
  TSMappedType: ['key', 'typeParameter'],
  ImportSpecifier: ['local'],
  ImportDefaultSpecifier: ['local'],
  ImportNamespaceSpecifier: ['local'],
};

/** Types that a script declares or imports, and those that it names. */
export function typesOf(program: TypedNode): { declared: string[]; named: NamedType[] } {
  const declared: string[] = [];
  const named: NamedType[] = [];
  walk(program, (node) => {
    for (const key of DECLARING[node.type] ?? []) {
      const name = nameOf(node[key]);
      if (name !== null) declared.push(name);
    }
    const reference =
      node.type === 'TSTypeReference'
        ? firstName(node.typeName)
        : node.type === 'TSExpressionWithTypeArguments'
          ? firstName(node.expression)
          : null;
    const name = nameOf(reference);
    if (reference === null || name === null) return;
    const { line, column } = reference.loc.start;
    named.push({ name, line, column: column + 1 });
  });
  return { declared, named };
}

/**
 * The first type of a script that is neither of the language nor among those that are known; null where there
 * is none.
 */
export const unknownType = (named: readonly NamedType[], known: ReadonlySet<string>): NamedType | null =>
  named.find(({ name }) => !OF_LANGUAGE.has(name) && !known.has(name)) ?? null;
