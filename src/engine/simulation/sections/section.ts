/**
 * Poincaré sections of a motion: the states at which it meets a condition, taken while it is computed, so that the trajectory need not be kept.
 *
 *     stroboscopic   t = (phase + k) period, so that the phase is that of a forcing in t, wherever the motion starts
 *     impact         a named contact gets an impulse; the state before or after it
 *     surface        g(t, state) = 0, rising, falling or both, with g an expression of signals and parameters
 *
 * Between events the state is that of the continuous extension of the motion (`flight-section.ts`); by time-stepping it is interpolated linearly
 * between steps (`stepped-section.ts`), so that a stroboscopic section is exact where its period is a multiple of the step.
 *
 * What counts as a crossing of a surface is the same in both, so that they have the same points up to the step: g comes to have the other sign than
 * it had last. Zero has no sign: a motion that touches the surface and goes back has no point, one that stays on it for a while has a point
 * when it leaves to the other side. A state that jumps from one side to the other crosses too, in the direction of the jump, and its point is the
 * state after the jump: of those that the motion has it is the first one on the other side.
 */
import { compileExpression, type ExpressionProgram, runExpression } from '../../document/expressions';
import { resolveSignal } from '../../document/observables';
import { EngineError } from '../../errors';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StateLayout } from '../layout';

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
export type TakePoint = (row: Float64Array) => void;

export interface SectionPlan {
  readonly trigger: SectionTrigger;
  /** start of the motion, s */
  readonly t0: number;
  /** time at which a simulation goes on from another one, s: points up to there have been taken; null at the start */
  readonly from: number | null;
  /** whether the motion begins on the surface, which is no crossing; false when absent */
  readonly beginsOnSurface?: boolean;
  /** Completes a row by observables; parameters stand in it already. */
  readonly complete: (row: Float64Array) => void;
  readonly take: TakePoint;
}

/** Part of a period by which a start that was computed may miss the point that it stands for. */
const START = 1e-9;

/** Number of the first point of a stroboscopic section that is not before the start, or about where it goes on. */
export function firstPoint(
  phase: number,
  period: number,
  { t0, from }: Pick<SectionPlan, 't0' | 'from'>,
): number {
  return from === null ? Math.ceil(t0 / period - phase - START) : Math.floor(from / period - phase);
}

/** A section that is being taken. */
export interface Section {
  /** Takes what lies up to the present: points in flight are taken otherwise when the flight is over, and one at rest may be long. */
  look(): void;
  /** At the end of a simulation: takes what lies at the very end. */
  finish(): void;
}

/** @throws {EngineError} for a period that is none, an unknown contact, or an expression that cannot be read */
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
