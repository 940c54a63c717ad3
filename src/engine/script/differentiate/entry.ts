/**
 * The functions the engine calls: they lay out the directions, restore what the user's function has written
 * before each sweep, and gather the columns.
 */
import { type Generator, type Line, ZERO } from './generator';
import type { FunctionInfo } from '../source/scopes';
import type { FunctionFacts } from './analysis/values';

/** A request with everything said. */
export interface EntryRequest {
  /** number of arguments the user's function is called with */
  readonly arguments: number;
  readonly argument: number;
  readonly shape: 'vector' | 'scalar';
  readonly result: number | 'return';
  readonly kind: 'jacobian' | 'direction';
}

/** What the entry knows of the function it calls. */
interface Entry {
  readonly module: Generator;
  readonly request: EntryRequest;
  readonly facts: FunctionFacts;
  /** names of the user's arguments */
  readonly inputs: readonly string[];
  /** arguments the function stores in */
  readonly written: readonly number[];
  readonly derivative: string;
}

/** Shadows of one argument for each lane, as the derivative takes them. */
function shadowsOf({ module, request }: Entry, i: number): string[] {
  if (i === request.argument && request.shape === 'scalar')
    return module.each((lane) => (lane === 0 ? 'd' : ZERO));
  return module.each((lane) => `${module.prefix}w${i}_${lane}`);
}

function callDerivative(entry: Entry, shadow: (i: number) => readonly string[]): string {
  const { inputs, facts, derivative, module } = entry;
  const own = facts.parameters.map((_, i) => inputs.at(i) ?? 'undefined');
  const shadows = facts.parameters.flatMap(({ isShadowed }, i) => {
    if (!isShadowed) return [];
    // A parameter that the call leaves out has its default.
    return i < inputs.length ? shadow(i) : module.each(() => ZERO);
  });
  return `${derivative}(${[...own, ...shadows].join(', ')})`;
}

/** Keeps work arrays as long as an argument. */
function declareWork({ module, request, inputs, written }: Entry, i: number): string {
  const names = module.each((lane) => `${module.prefix}w${i}_${lane}`);
  for (const name of names) module.declare(name, `let ${name} = new Float64Array(0);`);
  const [first] = names;
  const input = inputs[i];
  const isArray = i === request.argument || i === request.result || written.includes(i);
  // What else has a shadow got it because it meets computed arrays in the same variable; it may be of any
  // kind.
  const make = isArray ? `new Float64Array(${input}.length)` : `${module.zero()}(${input})`;
  const test = isArray ? '' : ` || ${input}.length === undefined`;
  return `if (${first}.length !== ${input}.length${test}) { ${names.map((name) => `${name} = ${make};`).join(' ')} }`;
}

const clear = (names: readonly string[]): string =>
  `for (let i = 0; i < ${names[0]}.length; i++) { ${names.map((name) => `${name}[i] = 0;`).join(' ')} }`;

/** Arguments the function stores in start every sweep as the caller handed them over. */
function saving({ module, inputs, written }: Entry): { save: string; restore: string } {
  const save: string[] = [];
  const restore: string[] = [];
  for (const i of written) {
    const name = module.declare(`${module.prefix}s${i}`, `let ${module.prefix}s${i} = new Float64Array(0);`);
    const array = inputs[i];
    save.push(
      `if (${name}.length !== ${array}.length) ${name} = new Float64Array(${array}.length);`,
      `for (let i = 0; i < ${array}.length; i++) ${name}[i] = ${array}[i];`,
    );
    restore.push(`for (let i = 0; i < ${array}.length; i++) ${array}[i] = ${name}[i];`);
  }
  return { save: save.join(' '), restore: restore.join(' ') };
}

/** `(…args, jacobian)`: fills `jacobian` row by row, as many columns at a time as there are lanes. */
function jacobianBody(entry: Entry): string[] {
  const { module, request, facts, inputs } = entry;
  const { lanes } = module;
  const isScalar = request.shape === 'scalar';
  const shadowed = inputs.map((_, i) => i).filter((i) => facts.parameters[i]?.isShadowed);
  const arrays = shadowed.filter((i) => !(isScalar && i === request.argument));
  const rows = request.result === 'return' ? '1' : `${inputs[request.result]}.length`;
  const columns = isScalar ? '1' : `${inputs[request.argument]}.length`;
  const { save, restore } = saving(entry);
  const seeds = isScalar
    ? []
    : shadowsOf(entry, request.argument).map((name, lane) =>
        lane === 0 ? `${name}[j] = 1;` : `if (j + ${lane} < n) ${name}[j + ${lane}] = 1;`,
      );
  const isActive = facts.parameters[request.argument]?.isShadowed ?? false;
  const hasResult =
    request.result === 'return'
      ? facts.returns.isShadowed
      : (facts.parameters[request.result]?.isShadowed ?? false);
  if (!isActive || !hasResult) {
    return [
      `${callPrimal(entry)};`,
      `const size = ${rows} * ${columns};`,
      'for (let i = 0; i < size; i++) jacobian[i] = 0;',
    ];
  }
  return [
    `const m = ${rows}, n = ${columns};`,
    ...(isScalar ? ['const d = 1;'] : []),
    ...arrays.map((i) => declareWork(entry, i)),
    save,
    // Without columns the function still has to fill what it fills.
    `if (n === 0) ${callPrimal(entry)};`,
    `for (let j = 0; j < n; j += ${lanes}) {`,
    `if (j > 0) { ${restore} }`,
    ...arrays.map((i) => clear(shadowsOf(entry, i))),
    ...seeds,
    `${callDerivative(entry, (i) => shadowsOf(entry, i))};`,
    'for (let i = 0; i < m; i++) {',
    'const at = i * n + j;',
    ...gather(entry),
    '} }',
  ];
}

function gather(entry: Entry): string[] {
  const { module, request } = entry;
  const tangents =
    request.result === 'return'
      ? module.each((lane) => `${module.numberChannel()}[${lane}]`)
      : shadowsOf(entry, request.result).map((name) => `${name}[i]`);
  return tangents.map((text, lane) =>
    lane === 0 ? `jacobian[at] = ${text};` : `if (j + ${lane} < n) jacobian[at + ${lane}] = ${text};`,
  );
}

const callPrimal = ({ module, inputs }: Entry): string => `${module.primal}(${inputs.join(', ')})`;

/** `(…args, direction, tangent)`: fills `tangent` with the derivative along `direction`. */
function directionBody(entry: Entry): string[] {
  const { module, request, facts, inputs, written } = entry;
  const isActive = facts.parameters[request.argument]?.isShadowed ?? false;
  const hasResult =
    request.result === 'return'
      ? facts.returns.isShadowed
      : (facts.parameters[request.result]?.isShadowed ?? false);
  const zero = 'for (let i = 0; i < tangent.length; i++) tangent[i] = 0;';
  if (!isActive || !hasResult) return [zero, `${callPrimal(entry)};`];
  const isOwn = (i: number): boolean =>
    i === request.result || (i === request.argument && !written.includes(i));
  const work = inputs.map((_, i) => i).filter((i) => facts.parameters[i]?.isShadowed && !isOwn(i));
  const shadow = (i: number): string[] => {
    if (i === request.result) return ['tangent'];
    if (work.includes(i)) return [`${module.prefix}w${i}_0`];
    return ['direction'];
  };
  const call = `${callDerivative(entry, shadow)};`;
  return [
    zero,
    ...work.map((i) => declareWork(entry, i)),
    ...work.map((i) => clear(shadow(i))),
    // A function that stores in its own argument must not change the caller's direction.
    ...(work.includes(request.argument)
      ? [`for (let i = 0; i < direction.length; i++) ${shadow(request.argument)[0]}[i] = direction[i];`]
      : []),
    call,
    ...(request.result === 'return' ? [`tangent[0] = ${module.numberChannel()}[0];`] : []),
  ];
}

/** The function the engine calls, and its export. */
export function generateEntry(
  module: Generator,
  info: FunctionInfo,
  request: EntryRequest,
  name: string,
  line: number,
): Line[] {
  const facts = module.analysis.factsOf(info);
  const inputs = Array.from({ length: request.arguments }, (_, i) => `a${i}`);
  const entry: Entry = {
    module,
    request,
    facts,
    inputs,
    written: module.analysis.writtenArguments(),
    derivative: module.functionName(info),
  };
  const body = request.kind === 'jacobian' ? jacobianBody(entry) : directionBody(entry);
  const last = request.kind === 'jacobian' ? ['jacobian'] : ['direction', 'tangent'];
  return [
    { text: `function ${name}(${[...inputs, ...last].join(', ')}) {`, line },
    ...body.filter((text) => text !== '').map((text) => ({ text, line })),
    { text: '}', line },
    { text: `exports.${name} = ${name};`, line },
  ];
}
