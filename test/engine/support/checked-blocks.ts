/**
 * Checked blocks: what a page claims, in a form that is computed from its model.
 *
 * A block is a fenced code block with the language `checked`, which the window does not draw. Its lines are
 *
 *     run NAME=VALUE …         runs the model of the page; what follows is asked of this run
 *     analysis ID NAME=VALUE … computes an analysis of the model
 *     long run …               the same, where everything is to be proven only (`isProving`), with the lines
 *                              below it
 *     EXPRESSION = VALUE       to half a unit of the last digit of VALUE; whole numbers and formulas to
 *                              rounding
 *     EXPRESSION = VALUE ± TOLERANCE
 *     EXPRESSION < VALUE       and > likewise
 *     # words                  a remark
 *
 * `scheme`, `h` and `tEnd` are those of the run, `/a/pointer=JSON` changes the document, other names are its
 * parameters. Expressions are those of documents, with parameters and the functions `RUN_FUNCTIONS` or
 * `ANALYSIS_FUNCTIONS`. A signal may be an expression of signals.
 */
import { joinBasins, computeBasinsHead, BasinsParts } from '@engine/analysis/jobs/basins';
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { analysisJob } from '@engine/analysis/jobs/job';
import type { AnalysisOutcome } from '@engine/analysis/jobs/outcome';
import { compileExpression, evaluateExpression } from '@engine/document/expressions';
import { evaluateParameters } from '@engine/document/parameters';
import type { ModelDocument, SchemeName } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { start, type Run } from './run';

export interface Claim {
  readonly line: string;
  readonly left: string;
  readonly relation: '=' | '<' | '>';
  readonly right: string;
  /** null where the digits of the right side say it */
  readonly tolerance: string | null;
}

/** A run or an analysis, and what is claimed of it. */
export interface CheckedGroup {
  readonly line: string;
  readonly isLong: boolean;
  /** id of the analysis; null for a run */
  readonly analysis: string | null;
  readonly changes: readonly (readonly [name: string, value: string])[];
  readonly claims: readonly Claim[];
}

const BLOCK = /^```checked\n([\s\S]*?)^```$/gm;

/** Text of all checked blocks of a page. */
export const checkedText = (page: string): string =>
  [...page.matchAll(BLOCK)].map(([, text]) => text).join('\n');

/** A page without its checked blocks. */
export const withoutBlocks = (page: string): string => page.replace(BLOCK, '');

/** @throws {Error} for a line that is none */
export function checkedGroups(page: string): CheckedGroup[] {
  const groups: (CheckedGroup & { claims: Claim[] })[] = [];
  const lines = checkedText(page)
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
  for (const line of lines) {
    const head = /^(long )?(?:run|analysis (\S+))((?: \S+=\S+)*)$/.exec(line);
    if (head !== null) {
      const changes = head[3].split(' ').flatMap((one) => {
        const at = one.indexOf('=');
        return at < 0 ? [] : [[one.slice(0, at), one.slice(at + 1)] as const];
      });
      groups.push({
        line,
        isLong: head[1] !== undefined,
        analysis: head[2] ?? null,
        changes,
        claims: [],
      });
      continue;
    }
    const claim = /^(.+?) ([=<>]) (.+?)(?: ± (.+))?$/.exec(line);
    if (claim === null) throw new Error(`“${line}” is no line of a checked block`);
    if (groups.length === 0)
      groups.push({ line: 'run', isLong: false, analysis: null, changes: [], claims: [] });
    const [, left, relation, right, tolerance] = claim as unknown as [string, string, '=', string, string?];
    groups[groups.length - 1].claims.push({ line, left, relation, right, tolerance: tolerance ?? null });
  }
  return groups;
}

/**
 * Half a unit of the last digit of a decimal number, with room for its rounding; null where the text is none.
 */
function halfDigit(text: string): number | null {
  const parts = /^-?\d*\.(\d+)(?:e([+-]?\d+))?$/.exec(text);
  return parts === null
    ? null
    : 0.5001 * 10 ** (Number((parts[2] as string | undefined) ?? 0) - parts[1].length);
}

/** What a function of a claim is computed by, from its arguments as they are written. */
type Functions = Readonly<Record<string, (args: readonly string[]) => number>>;

/** The place behind the bracket that closes the one at `open`. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let k = open; k < text.length; k++) {
    if (text[k] === '(') depth++;
    if (text[k] === ')' && --depth === 0) return k + 1;
  }
  throw new Error(`a bracket of “${text}” is not closed`);
}

function argumentsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let k = 0; k <= text.length; k++) {
    if (text[k] === '(') depth++;
    if (text[k] === ')') depth--;
    if (k === text.length || (text[k] === ',' && depth === 0)) {
      parts.push(text.slice(from, k).trim());
      from = k + 1;
    }
  }
  return parts.filter((part) => part !== '');
}

/** Value of an expression with calls of functions, which are computed first. */
function evaluate(text: string, functions: Functions, names: Readonly<Record<string, number>>): number {
  const name = Object.keys(functions).find((one) => new RegExp(`(?<![\\w.])${one}\\(`).test(text));
  if (name !== undefined) {
    const begin = text.search(new RegExp(`(?<![\\w.])${name}\\(`));
    const end = closing(text, begin);
    const value = functions[name](argumentsOf(text.slice(begin + name.length + 1, end - 1)));
    if (!Number.isFinite(value)) throw new Error(`${text.slice(begin, end)} is ${value}`);
    return evaluate(`${text.slice(0, begin)}(${value})${text.slice(end)}`, functions, names);
  }
  return evaluateOver(text, (path) => {
    if (!Object.hasOwn(names, path)) throw new Error(`${path} of “${text}” is not known`);
    return names[path];
  });
}

function evaluateOver(text: string, valueOf: (path: string) => number): number {
  const values: number[] = [];
  const program = compileExpression(text, (path) => values.push(valueOf(path)) - 1);
  return evaluateExpression(program, Float64Array.from(values));
}

/** A document with a value at a pointer. */
function changed(document: ModelDocument, pointer: string, json: string): void {
  const path = pointer.slice(1).split('/');
  const key = path.pop() ?? '';
  const parent = path.reduce<Record<string, unknown>>(
    (at, name) => at[name] as Record<string, unknown>,
    document as unknown as Record<string, unknown>,
  );
  parent[key] = JSON.parse(json) as unknown;
}

const RUN_KEYS = ['scheme', 'h', 'tEnd'];

/** What a group is computed by; `functions` answers its claims. */
export interface ComputedGroup {
  readonly functions: Functions;
  readonly parameters: Readonly<Record<string, number>>;
}

/**
 * @param original document of the page, which is left as it is
 * @throws {Error} for a run that fails, unless it is claimed to
 */
export function computeGroup(
  original: ModelDocument,
  { analysis, changes, claims }: CheckedGroup,
): ComputedGroup {
  const document = structuredClone(original);
  const set: Record<string, string> = {};
  const options: { scheme?: SchemeName; h?: number; tEnd?: number } = {};
  for (const [name, value] of changes) {
    if (name.startsWith('/')) changed(document, name, value);
    else if (name === 'scheme') options.scheme = value as SchemeName;
    else if (RUN_KEYS.includes(name)) options[name as 'h' | 'tEnd'] = Number(value);
    else set[name] = value;
  }
  if (analysis !== null) {
    const parameters = document.parameters.map((one) => ({ ...one, value: set[one.name] ?? one.value }));
    return {
      functions: analysisFunctions(outcomeOf({ ...document, parameters }, analysis)),
      parameters: evaluateParameters(parameters).values,
    };
  }
  const run = start(document, { sandbox: createSandbox, set, ...options });
  const state = run.session.advance(Number.MAX_SAFE_INTEGER);
  if (state === 'failed' && !claims.some(({ left }) => left.includes('failed(')))
    throw new Error(`the run failed: ${run.session.error?.message ?? ''}`);
  return {
    functions: runFunctions(run, state === 'failed'),
    parameters: run.session.parameters,
  };
}

/** What is recorded of a signal, or of an expression of signals. */
function seriesOf(run: Run, text: string): Float64Array {
  if (run.session.signals.some(({ name }) => name === text)) return run.column(text);
  const paths: Float64Array[] = [];
  const program = compileExpression(text, (path) => {
    const parameter = run.session.parameters[path] as number | undefined;
    const values =
      parameter === undefined ? run.column(path) : new Float64Array(run.session.rows).fill(parameter);
    return paths.push(values) - 1;
  });
  const slots = new Float64Array(paths.length);
  return Float64Array.from({ length: run.session.rows }, (_, row) => {
    paths.forEach((values, k) => (slots[k] = values[row]));
    return evaluateExpression(program, slots);
  });
}

/** Times of the impacts of a contact: events, or steps in which it begins to push. */
function impactTimes(run: Run, contact: string): number[] {
  const { session } = run;
  if (session.scheme === 'event-driven')
    return [
      ...new Set(
        session.eventRecords.flatMap(({ kind, element, time }) =>
          kind === 'impact' && element === contact ? [time] : [],
        ),
      ),
    ];
  const names = session.signals.map(({ name }) => name);
  const impulses = names.filter((name) =>
    new RegExp(`^${contact}\\.(impulse|normalImpulse)(\\[|$)`).test(name),
  );
  const columns = impulses.map((name) => run.column(name));
  const t = run.column('t');
  const pushes = (row: number): boolean => columns.some((values) => values[row] !== 0);
  return [...t].flatMap((time, row) => (row > 0 && pushes(row) && !pushes(row - 1) ? [time] : []));
}

/** Rows of a span of time, both ends included. */
function span(t: Float64Array, from: number, until: number): [first: number, end: number] {
  const within = (time: number): number => 1e-9 * Math.max(Math.abs(time), 1e-3);
  let first = 0;
  while (first < t.length && t[first] < from - (Number.isFinite(from) ? within(from) : 0)) first++;
  let end = first;
  while (end < t.length && t[end] <= until + (Number.isFinite(until) ? within(until) : 0)) end++;
  return [first, end];
}

/** Value at a time, linear between rows; at a jump the one after it. */
function valueAt(t: Float64Array, values: Float64Array, time: number): number {
  const [, end] = span(t, -Infinity, time);
  if (end === 0 || (end === t.length && time > t[end - 1] + 1e-9 * Math.abs(time))) return NaN;
  const row = end - 1;
  if (end === t.length || t[end] === t[row]) return values[row];
  const part = Math.max(0, (time - t[row]) / (t[end] - t[row]));
  return values[row] + part * (values[end] - values[row]);
}

function meanOf(t: Float64Array, values: Float64Array, from: number, until: number): number {
  const [first, end] = span(t, from, until);
  let sum = 0;
  for (let row = first + 1; row < end; row++)
    sum += 0.5 * (values[row] + values[row - 1]) * (t[row] - t[row - 1]);
  return sum / (t[end - 1] - t[first]);
}

/** Functions of claims about runs. Times are in seconds, numbers count from 1. */
function runFunctions(run: Run, hasFailed: boolean): Functions {
  const value = (text: string | undefined, otherwise: number): number =>
    text === undefined ? otherwise : evaluate(text, functions, run.session.parameters);
  const timed = <T>(
    [signal, from, until]: readonly string[],
    take: (t: Float64Array, values: Float64Array, from: number, until: number) => T,
  ): T => take(run.column('t'), seriesOf(run, signal), value(from, -Infinity), value(until, Infinity));
  const extreme =
    (sign: 1 | -1) =>
    (args: readonly string[]): number =>
      timed(args, (t, values, from, until) => {
        const [first, end] = span(t, from, until);
        let best = -Infinity;
        for (let row = first; row < end; row++) best = Math.max(best, sign * values[row]);
        return sign * best;
      });
  const crossingTimes = (args: readonly string[]): number[] =>
    timed(args, (t, values, from, until) => {
      const [first, end] = span(t, from, until);
      const times: number[] = [];
      for (let row = first + 1; row < end; row++) {
        const [a, b] = [values[row - 1], values[row]];
        if (a < 0 !== b < 0) times.push(t[row - 1] + ((t[row] - t[row - 1]) * a) / (a - b));
      }
      return times;
    });
  const eventTimes = ([kind, element, from, until]: readonly string[]): number[] =>
    run.session.eventRecords.flatMap((event) =>
      event.kind === kind &&
      (element === undefined || event.element === element) &&
      event.time >= value(from, -Infinity) &&
      event.time <= value(until, Infinity)
        ? [event.time]
        : [],
    );
  const functions: Functions = {
    /** value of a signal at a time: at(signal, t) */
    at: ([signal, time]) => valueAt(run.column('t'), seriesOf(run, signal), value(time, NaN)),
    final: ([signal]) => seriesOf(run, signal)[run.session.rows - 1],
    /** maximum(signal, from, until), both times may be left out, here and below */
    maximum: extreme(1),
    minimum: extreme(-1),
    mean: (args) => timed(args, meanOf),
    rms: (args) =>
      Math.sqrt(
        timed(args, (t, values, from, until) =>
          meanOf(
            t,
            values.map((v) => v * v),
            from,
            until,
          ),
        ),
      ),
    /** time of the n-th passage of a signal through zero: crossing(n, signal, from, until) */
    crossing: ([n, ...args]) => crossingTimes(args)[value(n, NaN) - 1] ?? NaN,
    crossings: (args) => crossingTimes(args).length,
    /** time of the n-th impact of a contact: impact(n, contact) */
    impact: ([n, contact]) => impactTimes(run, contact)[value(n, NaN) - 1] ?? NaN,
    /**
     * speed with which the n-th impact closes a contact, from event to event; from the last one where n is
     * negative
     */
    approach: ([n, contact]) => {
      const found = run.session.eventRecords.filter(
        ({ kind, element }) => kind === 'impact' && element === contact,
      );
      return -(found.at(value(n, NaN) > 0 ? value(n, NaN) - 1 : value(n, NaN))?.before ?? NaN);
    },
    /** impacts(contact, from, until) */
    impacts: ([contact, from, until]) =>
      impactTimes(run, contact).filter(
        (time) => time >= value(from, -Infinity) && time <= value(until, Infinity),
      ).length,
    /** time of the n-th event of a kind: event(n, kind, element) */
    event: ([n, ...args]) => eventTimes(args)[value(n, NaN) - 1] ?? NaN,
    /** events(kind, element, from, until) */
    events: (args) => eventTimes(args).length,
    /** where impacts of a contact accumulate: accumulation(contact) */
    accumulation: ([contact]) =>
      run.session.eventRecords.find(
        ({ element, accumulation }) => element === contact && accumulation !== null,
      )?.accumulation?.time ?? NaN,
    rows: () => run.session.rows,
    /** 1 where the run ended with an error of this code: failed(code) */
    failed: ([code]) => (hasFailed && (code === undefined || run.session.error?.code === code) ? 1 : 0),
    /** number of warnings and findings that have a word: warned(word) */
    warned: ([word]) => run.session.warnings.filter((text) => text.includes(word)).length,
  };
  return functions;
}

/** An analysis that this process computes by itself. @throws {Error} for one that fails */
function outcomeOf(document: ModelDocument, id: string): AnalysisOutcome {
  const environment = { sandbox: createSandbox, progress: (): void => undefined };
  const job = analysisJob(document, id);
  if (job.kind === 'sweep') throw new Error('sweeps are not computed by checked blocks');
  if (job.kind === 'basins') {
    const head = computeBasinsHead(job.document, job.request, environment);
    const parts = new BasinsParts(job.document, job.request, head.known, environment);
    return joinBasins(head, [parts.compute(0, head.result.xValues.length * head.result.yValues.length)]);
  }
  const outcome = computeAnalysis(job, environment);
  if (outcome.status === 'failed') throw new Error(outcome.error.message);
  return outcome;
}

/** Functions of claims about analyses. Numbers count from 1. */
function analysisFunctions(outcome: AnalysisOutcome): Functions {
  const numbered =
    (values: ArrayLike<number>) =>
    ([n]: readonly string[]): number =>
      values[Number(n) - 1];
  switch (outcome.kind) {
    case 'orbit':
      if (outcome.status === 'failed') return {};
      return {
        period: () => outcome.period,
        periods: () => outcome.multiple,
        impacts: () => outcome.impacts,
        stable: () => Number(outcome.isStable),
        /** multipliers: real(n), imaginary(n), modulus(n) */
        real: numbered(outcome.real),
        imaginary: numbered(outcome.imaginary),
        modulus: ([n]) => Math.hypot(outcome.real[Number(n) - 1], outcome.imaginary[Number(n) - 1]),
        /** a state at the start: state(name) */
        state: ([name]) => outcome.x[outcome.states.findIndex((one) => one.name === name)],
      };
    case 'branch':
      if (outcome.status === 'failed') return {};
      return {
        /** parameter at the n-th special point of a kind: fold(1), periodDoubling(1), grazing(1) */
        fold: ([n]) => outcome.special.filter(({ kind }) => kind === 'fold')[Number(n) - 1].p,
        periodDoubling: ([n]) =>
          outcome.special.filter(({ kind }) => kind === 'periodDoubling')[Number(n) - 1].p,
        grazing: ([n]) => outcome.special.filter(({ kind }) => kind === 'grazing')[Number(n) - 1].p,
        specials: () => outcome.special.length,
      };
    case 'lyapunov':
      if (outcome.status === 'failed') return {};
      return {
        exponent: numbered(outcome.exponents),
        error: numbered(outcome.errors),
        exponentSum: () => outcome.exponents.reduce((sum, one) => sum + one, 0),
        dimension: () => outcome.dimension ?? NaN,
      };
    case 'basins':
      return {
        attractors: () => outcome.attractors.length,
        /** of the n-th attractor */
        cycle: ([n]) => outcome.attractors[Number(n) - 1].cycle,
        cyclePeriod: ([n]) => outcome.attractors[Number(n) - 1].period ?? NaN,
        largest: ([n]) => outcome.attractors[Number(n) - 1].largest ?? NaN,
        events: ([n]) => outcome.attractors[Number(n) - 1].events ?? NaN,
        share: ([n]) => outcome.attractors[Number(n) - 1].share,
        undecided: () =>
          outcome.codes.filter((code) => code === outcome.undecided).length / outcome.codes.length,
      };
    case 'sweep':
      return {};
  }
}

/** Why a claim does not hold; null where it does. */
export function refutation(
  { left, relation, right, tolerance }: Claim,
  { functions, parameters }: ComputedGroup,
): string | null {
  const found = evaluate(left, functions, parameters);
  const wanted = evaluate(right, functions, parameters);
  if (relation === '<') return found < wanted ? null : `${left} is ${found}, not below ${wanted}`;
  if (relation === '>') return found > wanted ? null : `${left} is ${found}, not above ${wanted}`;
  const allowed =
    tolerance === null
      ? (halfDigit(right) ?? 1e-9 * Math.abs(wanted))
      : evaluate(tolerance, functions, parameters);
  return Math.abs(found - wanted) <= allowed ? null : `${left} is ${found}, not ${wanted} ± ${allowed}`;
}
