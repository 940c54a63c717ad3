/** The flags of `moreau sweep` as a job. */
import { availableParallelism } from 'node:os';
import type { Axis, SectionRequest, SweepJob, SweepPlan, SweepSection } from '@engine/analysis/sweep/job';
import type { Expression, ModelDocument } from '@engine/document/types';
import { type CommandArguments, UsageError } from './command';
import { parameters, schemeOption } from './run-options';

const SECTIONS = ['stroboscopic', 'impact', 'surface'] as const;
const DIRECTIONS = ['rising', 'falling', 'both'] as const;
const STATES = ['before', 'after'] as const;
const STARTS = ['initial', 'up', 'down', 'both'] as const;

/** Points of a section that are kept, and left out before, when nothing is said. */
const POINTS = 200;
const TRANSIENT = 200;

/** @throws {UsageError} */
export function sweepJob(args: CommandArguments, document: ModelDocument): SweepJob {
  const set = parameters(args.texts('set'));
  const scheme = schemeOption(args);
  const h = positive(args, 'h');
  const tEnd = number(args, 't-end');
  const skip = number(args, 'skip');
  if (skip !== undefined && !(skip >= 0 && skip < 1))
    throw new UsageError('--skip is a part of the run, from 0 to 1.');
  const plan = planOf(args);
  const section = sectionOf(args, document);
  const measures = args.texts('measure');
  if (section === null && measures.length === 0)
    throw new UsageError(
      'A sweep needs --section or --measure: there is nothing to keep of its points otherwise.',
    );
  const start = choice(args, 'start', STARTS) ?? 'initial';
  if (start === 'both' && plan.kind !== 'grid')
    throw new UsageError(
      `--start both follows neighbours, which the points of --${plan.kind === 'random' ? 'random' : 'latin'} have not: leave out one of the two.`,
    );
  return {
    document,
    ...(set.size > 0 && { set: Object.fromEntries(set) }),
    ...(scheme !== undefined && { scheme }),
    ...(h !== undefined && { h }),
    ...(tEnd !== undefined && { tEnd }),
    plan,
    ...(section !== null && { section }),
    measures,
    ...(skip !== undefined && { skip }),
    ...(start !== 'initial' && { start }),
    ...(args.has('accuracy') && { accuracy: true }),
  };
}

/** Workers: as many as the machine computes with at a time. @throws {UsageError} */
export const workerCount = (args: CommandArguments): number =>
  wholeNumber(args, 'workers', 1) ?? availableParallelism();

function number(args: CommandArguments, flag: string): number | undefined {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`--${flag} needs a number, not “${text}”.`);
}

function positive(args: CommandArguments, flag: string): number | undefined {
  const value = number(args, flag);
  if (value !== undefined && value <= 0) throw new UsageError(`--${flag} must be greater than zero.`);
  return value;
}

/** @throws {UsageError} */
export function wholeNumber(args: CommandArguments, flag: string, least: number): number | undefined {
  const value = number(args, flag);
  if (value === undefined || (Number.isInteger(value) && value >= least)) return value;
  throw new UsageError(`--${flag} needs a whole number from ${least} on, not “${args.text(flag) ?? ''}”.`);
}

function choice<T extends string>(args: CommandArguments, flag: string, known: readonly T[]): T | undefined {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const found = known.find((one) => one === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${flag} is ${known.join(' or ')}, not “${text}”.`);
}

/** `rpm=300:800:500`, or values one by one, `e=0.5,0.7,0.9`. @throws {UsageError} */
function axisOf(flag: 'param' | 'initial', text: string): Axis {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at)).trim();
  const rest = text.slice(at + 1).trim();
  const wrong = new UsageError(`--${flag} needs NAME=FROM:TO:COUNT or NAME=A,B,…, not “${text}”.`);
  const varied = flag === 'param' ? { parameter: name } : { initial: name };
  if (name === '' || rest === '') throw wrong;
  const parts = rest.split(rest.includes(':') ? ':' : ',').map((part) => part.trim());
  const values = parts.map(Number);
  if (parts.includes('') || values.some((value) => !Number.isFinite(value))) throw wrong;
  if (!rest.includes(':')) return { ...varied, values };
  const [from, to, count] = values;
  if (values.length !== 3 || !Number.isInteger(count) || count < 1) throw wrong;
  return { ...varied, from, to, count };
}

/** Axes of one flag. @throws {UsageError} */
function axesOf(args: CommandArguments, flag: 'param' | 'initial'): Axis[] {
  const axes = args.texts(flag).map((text) => axisOf(flag, text));
  const names = axes.map((axis) => ('parameter' in axis ? axis.parameter : axis.initial));
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice !== undefined) throw new UsageError(`--${flag} gives ${twice} twice; give it once.`);
  return axes;
}

/** Parameters come last, and so change first: a sweep may follow one along them. @throws {UsageError} */
function planOf(args: CommandArguments): SweepPlan {
  const axes = [...axesOf(args, 'initial'), ...axesOf(args, 'param')];
  if (axes.length === 0)
    throw new UsageError(
      'A sweep needs at least one --param NAME=FROM:TO:COUNT or --initial STATE=FROM:TO:COUNT.',
    );
  const random = wholeNumber(args, 'random', 1);
  const latin = wholeNumber(args, 'latin', 1);
  const seed = wholeNumber(args, 'seed', 0) ?? 1;
  if (random !== undefined && latin !== undefined)
    throw new UsageError('Give --random or --latin, not both.');
  if (random !== undefined) return { kind: 'random', axes, count: random, seed };
  if (latin !== undefined) return { kind: 'latinHypercube', axes, count: latin, seed };
  return { kind: 'grid', axes };
}

/** @throws {UsageError} */
function sectionOf(args: CommandArguments, document: ModelDocument): SweepSection | null {
  const kind = choice(args, 'section', SECTIONS);
  const transient = wholeNumber(args, 'transient', 0) ?? TRANSIENT;
  const count = wholeNumber(args, 'points', 1) ?? POINTS;
  if (kind === undefined) return null;
  const signals = args
    .text('signals')
    ?.split(',')
    .map((name) => name.trim());
  return {
    section: requestOf(kind, args, document),
    transient,
    count,
    ...(signals !== undefined && { signals }),
  };
}

function requestOf(
  kind: (typeof SECTIONS)[number],
  args: CommandArguments,
  document: ModelDocument,
): SectionRequest {
  switch (kind) {
    case 'stroboscopic': {
      const period = expression(args, 'period');
      if (period === undefined)
        throw new UsageError(
          'A stroboscopic section needs --period, a time in s or an expression such as 60/rpm.',
        );
      const phase = expression(args, 'phase');
      return { kind, period, ...(phase !== undefined && { phase }) };
    }
    case 'impact': {
      const state = choice(args, 'state', STATES);
      return { kind, contact: contactOf(args, document), ...(state !== undefined && { state }) };
    }
    case 'surface':
    default: {
      const g = args.text('surface');
      if (g === undefined) throw new UsageError('A section on a surface needs --surface EXPRESSION.');
      const direction = choice(args, 'direction', DIRECTIONS);
      return { kind: 'surface', g, ...(direction !== undefined && { direction }) };
    }
  }
}

/** A number stays one, anything else is an expression. */
function expression(args: CommandArguments, flag: string): Expression | undefined {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) ? value : text;
}

/** The contact that is named, or the only one. @throws {UsageError} */
function contactOf(args: CommandArguments, document: ModelDocument): string {
  const named = args.text('contact');
  if (named !== undefined) return named;
  const ids = document.interactions.map(({ id }) => id);
  if (ids.length === 1) return ids[0];
  throw new UsageError(
    'A section on impact needs --contact ID, because the model has not just one interaction.',
  );
}
