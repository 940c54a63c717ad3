/**
 * Poincaré sections of a motion: the states at which it meets a condition, taken while it is computed, so
 * that the trajectory need not be kept.
 *
 *     stroboscopic   t = (phase + k) period, so that the phase is that of a forcing in t, wherever the motion
 *                    starts
 *     impact         a named contact gets an impulse; the state before or after it
 *     surface        g(t, state) = 0, rising, falling or both, with g an expression of signals and parameters
 *
 * Between events the state is that of the continuous extension of the motion (`flight-section.ts`); by
 * time-stepping it is interpolated linearly between steps (`stepped-section.ts`), so that a stroboscopic
 * section is exact where its period is a multiple of the step.
 *
 * What counts as a crossing of a surface is the same in both, so that they have the same points up to the
 * step: g comes to have the other sign than it had last. Zero has no sign: a motion that touches the surface
 * and goes back has no point, one that stays on it for a while has a point when it leaves to the other side.
 * A state that jumps from one side to the other crosses too, in the direction of the jump, and its point is
 * the state after the jump: of those that the motion has it is the first one on the other side.
 */
import type { ElementSettings } from '../document/element-settings';
import { type ExpressionProgram, compileExpression, runExpression } from '../document/expressions';
import { resolveSignal } from '../document/observables';
import type { SectionSettings, SimulationSettings } from '../document/settings';
import type { DocumentIssue, SystemDocument } from '../document/types';
import { EngineError } from '../errors';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { definition as resetDefinition } from '../model/resets/reset';
import type { StateLayout } from './layout';

export type SectionChoice =
  /** @property period s @property phase part of it, from 0 to 1 */
  | { readonly kind: 'stroboscopic'; readonly period: number; readonly phase: number }
  | { readonly kind: 'impact'; readonly contact: string; readonly state: 'before' | 'after' }
  | { readonly kind: 'surface'; readonly g: string; readonly direction: 'rising' | 'falling' | 'both' };

/** What a section takes, as the simulation sees it. */
export type SectionTrigger =
  | { readonly kind: 'stroboscopic'; readonly period: number; readonly phase: number }
  /** @property rows first row of the contact, and the one behind its last */
  | { readonly kind: 'impact'; readonly rows: readonly [number, number]; readonly state: 'before' | 'after' }
  | {
      readonly kind: 'surface';
      /** g of a row of the state vector into `out[0]` */
      readonly value: (row: Float64Array, out: Float64Array) => void;
      readonly direction: 'rising' | 'falling' | 'both';
    };

/** Takes a point: a row of the state vector, which is used again afterwards. */
type TakePoint = (row: Float64Array) => void;

export interface SectionPlan {
  readonly trigger: SectionTrigger;
  /** start of the motion, s */
  readonly t0: number;
  /**
   * time at which a simulation goes on from another one, s: points up to there have been taken; null at the
   * start
   */
  readonly from: number | null;
  /** whether the motion begins on the surface, which is no crossing; false when absent */
  readonly beginsOnSurface?: boolean;
  /** Completes a row by observables; parameters stand in it already. */
  readonly complete: (row: Float64Array) => void;
  readonly take: TakePoint;
}

/** Part of a period by which a start that was computed may miss the point that it stands for. */
const START = 1e-9;

/**
 * Number of the first point of a stroboscopic section that is not before the start, or about where it goes
 * on.
 */
export function firstSectionPoint(
  phase: number,
  period: number,
  { t0, from }: Pick<SectionPlan, 't0' | 'from'>,
): number {
  return from === null ? Math.ceil(t0 / period - phase - START) : Math.floor(from / period - phase);
}

/** A section that is being taken. */
export interface Section {
  /**
   * Takes what lies up to the present: points in flight are taken otherwise when the flight is over, and one
   * at rest may be long.
   */
  look(): void;
  /** At the end of a simulation: takes what lies at the very end. */
  finish(): void;
}

/**
 * @throws {EngineError} for a period that is none, an unknown contact, or an expression that cannot be read
 */
export function compileSection(
  choice: SectionChoice,
  model: NonSmoothDynamicalSystem,
  layout: StateLayout,
): SectionTrigger {
  switch (choice.kind) {
    case 'stroboscopic':
      if (!(choice.period > 0 && choice.period < Infinity))
        throw invalid(
          `The period ${choice.period} s is no duration.`,
          'Give a positive number, or an expression.',
        );
      if (!Number.isFinite(choice.phase))
        throw invalid(`The phase ${choice.phase} is no number.`, 'Give a part of the period from 0 to 1.');
      return choice;
    case 'impact':
      return { kind: 'impact', rows: rowsOf(choice.contact, model), state: choice.state };
    case 'surface':
    default:
      return { kind: 'surface', value: surfaceOf(choice.g, layout), direction: choice.direction };
  }
}

const invalid = (message: string, remedy: string, where?: string): EngineError =>
  new EngineError({ code: 'invalid-section', message, remedy, ...(where === undefined ? {} : { where }) });

function rowsOf(contact: string, { interactions }: NonSmoothDynamicalSystem): [number, number] {
  let row = 0;
  for (const { id, relation, law } of interactions) {
    if (id === contact) {
      if (law.restitution === null)
        throw invalid(
          `“${contact}” has no law of impact.`,
          'Name a contact, or take another section.',
          contact,
        );
      return [row, row + relation.size];
    }
    row += relation.size;
  }
  const known = interactions.filter(({ law }) => law.restitution !== null).map(({ id }) => id);
  throw invalid(
    `There is no contact “${contact}”.`,
    known.length === 0
      ? 'Take another section: the model has no contacts.'
      : `Contacts are ${known.slice(0, 12).join(', ')}.`,
    contact,
  );
}

function surfaceOf(g: string, layout: StateLayout): (row: Float64Array, out: Float64Array) => void {
  let program: ExpressionProgram;
  try {
    program = compileExpression(g, (path) => resolveSignal(path, layout.slotOf));
  } catch (error) {
    throw invalid(`“${g}”: ${(error as Error).message}.`, 'Correct the expression of the surface.');
  }
  return (row, out) => {
    runExpression(program, row);
    out[0] = program.stack[0];
  };
}

/* What a document asks of sections, checked. */

/** A section of a run, as readers know it. */
export interface SectionInfo {
  readonly id: string;
  readonly title: string;
  readonly kind: SectionChoice['kind'];
  /** s; of a stroboscopic section */
  readonly period?: number;
}

export function sectionChoice({ type, numbers, choices, texts }: ElementSettings): SectionChoice {
  switch (type) {
    case 'stroboscopic':
      return { kind: 'stroboscopic', period: numbers.period, phase: numbers.phase };
    case 'impact':
      return {
        kind: 'impact',
        contact: texts.contact,
        state: choices.state === 'before' ? 'before' : 'after',
      };
    case 'surface': {
      const { direction } = choices;
      const known = direction === 'falling' || direction === 'both' ? direction : 'rising';
      return { kind: 'surface', g: texts.g, direction: known };
    }
    default:
      throw new Error(`a section of type ${type} passed the schema without a definition`);
  }
}

export function sectionInfo({ id, title, settings }: SectionSettings): SectionInfo {
  const choice = sectionChoice(settings);
  return {
    id,
    title,
    kind: choice.kind,
    ...(choice.kind === 'stroboscopic' && { period: choice.period }),
  };
}

/** The reset whose guard is written as a surface is. */
function resetAt(g: string, systems: readonly SystemDocument[]): SystemDocument | undefined {
  const plain = (text: unknown): string => String(text).replaceAll(/\s/g, '');
  return systems.find(
    ({ type, guard }) =>
      type === resetDefinition.type && Array.isArray(guard) && plain(guard[0]) === plain(g),
  );
}

/** Field of the document that a defect belongs to. */
const FIELD = { stroboscopic: 'period', impact: 'contact', surface: 'g' } as const;

/** Reports sections that cannot be taken: an unknown contact, an expression that is none. */
export function checkSections(
  {
    model,
    isSpatial,
    settings,
    layout,
    systems,
  }: {
    readonly model: NonSmoothDynamicalSystem;
    /** of the document, resets among them */
    readonly systems: readonly SystemDocument[];
    readonly isSpatial: boolean;
    readonly settings: Pick<SimulationSettings, 'sections'>;
    readonly layout: StateLayout;
  },
  issues: DocumentIssue[],
): void {
  settings.sections.forEach(({ id, settings: given }, i) => {
    const choice = sectionChoice(given);
    // A period that could not be evaluated, or is out of range, has been reported there.
    if (choice.kind === 'stroboscopic') return;
    const report = (message: string, remedy: string): void => {
      const pointer = `/simulation/sections/${i}/${FIELD[choice.kind]}`;
      issues.push({ severity: 'error', code: 'invalid-section', pointer, element: id, message, remedy });
    };
    if (isSpatial && choice.kind === 'impact') {
      report(
        'Impacts of 3D bodies are not separate events: several may fall into one step.',
        'Take a section on a surface, such as the height of a body.',
      );
      return;
    }
    const reset = choice.kind === 'surface' ? resetAt(choice.g, systems) : undefined;
    if (reset !== undefined)
      issues.push({
        severity: 'warning',
        code: 'section-at-guard',
        pointer: `/simulation/sections/${i}/g`,
        element: id,
        message: `The surface is the guard of the reset “${reset.id}”: where the state jumps back from it, it does not cross it, and the section has no point.`,
        remedy:
          'Take a surface that the jump crosses, between the states before and after it, in the direction of the jump: the points are the states after the reset.',
      });
    try {
      compileSection(choice, model, layout);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      report(error.details.message, error.details.remedy ?? 'Correct the section.');
    }
  });
}
