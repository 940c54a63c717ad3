/**
 * Types that a script may name: those of the language, of the workbench, and its own. The program that runs
 * has no types, so that a wrong name would be found in the editor alone, and a model that comes from
 * elsewhere would run with it.
 */
import { isNode, type TypedNode, walk } from './typed-source';

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
