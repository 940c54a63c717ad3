/** What the analysis knows of the language's own functions. */

/** Constant wherever they have a derivative: their value is passed on without a tangent. */
const STEPS = ['sign', 'floor', 'ceil', 'round', 'trunc', 'clz32', 'imul'] as const;

/** Functions of one argument with a derivative. */
const UNARY = [
  ...['abs', 'sqrt', 'cbrt', 'exp', 'expm1', 'log', 'log1p', 'log2', 'log10', 'fround'],
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'],
] as const;

export const STEP_FUNCTIONS: ReadonlySet<string> = new Set(STEPS);
export const UNARY_FUNCTIONS: ReadonlySet<string> = new Set(UNARY);
/** Functions of two arguments, or of any number of them. */
export const JOINT_FUNCTIONS: ReadonlySet<string> = new Set(['pow', 'atan2', 'hypot', 'min', 'max']);

/** Methods of arrays that the analysis follows; the rest is refused for arrays that hold active numbers. */
export const ARRAY_METHODS: ReadonlySet<string> = new Set([
  ...['fill', 'set', 'subarray', 'slice', 'concat', 'push', 'pop', 'shift', 'unshift', 'reverse', 'at'],
  ...['indexOf', 'lastIndexOf', 'includes', 'map', 'forEach', 'reduce', 'every', 'some', 'findIndex'],
]);

/** Those of them that call a function. */
export const WITH_CALLBACK: ReadonlySet<string> = new Set([
  'map',
  'forEach',
  'reduce',
  'every',
  'some',
  'findIndex',
]);

/** Global functions whose result is constant wherever it has a derivative. */
export const TESTS: ReadonlySet<string> = new Set([
  ...['isNaN', 'isFinite', 'Number.isNaN', 'Number.isFinite', 'Number.isInteger', 'Number.isSafeInteger'],
  ...['Array.isArray', 'Object.is', 'Object.keys'],
]);

/** Functions of the trace in scripts whose conditions can be held. */
export const HELD = /^\$held\$*\./;

export const FLOAT_ARRAYS: ReadonlySet<string> = new Set(['Float64Array', 'Float32Array']);
export const INTEGER_ARRAYS: ReadonlySet<string> = new Set([
  ...[
    'Int8Array',
    'Uint8Array',
    'Uint8ClampedArray',
    'Int16Array',
    'Uint16Array',
    'Int32Array',
    'Uint32Array',
  ],
]);

/** Names whose meaning the generated code relies on: a script that redefines them is not differentiated. */
export const RESERVED_NAMES: readonly string[] = [
  ...['Math', 'Array', 'Float64Array', 'Float32Array', 'Number', 'Object', 'exports', 'console'],
  ...['undefined', 'NaN', 'Infinity', ...INTEGER_ARRAYS],
];

/** Names that reach code and objects the analysis cannot see. */
export const FORBIDDEN_NAMES: readonly string[] = [
  'eval',
  'globalThis',
  'Function',
  'Reflect',
  'Proxy',
  'Symbol',
];

/** Properties that lead from an object to its prototype. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Properties of arrays that are sizes, whatever the arrays hold. */
export const SIZES: ReadonlySet<string> = new Set([
  'length',
  'byteLength',
  'byteOffset',
  'BYTES_PER_ELEMENT',
]);
