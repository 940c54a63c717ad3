/** Errors of a model that its integrators cannot run, found before the first step. */
import { EngineError } from '../errors';

/** Newton's law links systems whose schemes treat impacts at different levels. */
export function mixedImpact(id: string): EngineError {
  return new EngineError({
    code: 'impact-between-schemes',
    message: `The impact law of “${id}” links systems of integrators that treat impacts at different levels: velocities and positions.`,
    where: id,
    remedy: 'Give all systems of this interaction to Moreau–Jean, or all to Schatzman–Paoli.',
  });
}

/** Friction speaks of velocities, which a scheme that solves for positions knows only between its steps. */
export const frictionOnPositions = (id: string): EngineError =>
  new EngineError({
    code: 'friction-on-positions',
    message: `The law of “${id}” has friction, which depends on velocities, but its systems are advanced by Schatzman–Paoli, which treats contacts by positions.`,
    where: id,
    remedy: 'Choose Moreau–Jean for these systems, or a law without friction.',
  });

/** A scheme over three times needs equal steps. */
export const fixedStep = (id: string): EngineError =>
  new EngineError({
    code: 'step-control-unsuitable',
    message: `“${id}” is advanced by Schatzman–Paoli, which needs equal steps.`,
    where: id,
    remedy: 'Switch step control off, or choose Moreau–Jean for this system.',
  });

/** Relations are linearised in one way in a model. */
export const mixedRelationPoints = (id: string): EngineError =>
  new EngineError({
    code: 'relation-points-differ',
    message: `The integrator of “${id}” linearises relations at the end of the step, another one at the predicted position.`,
    where: id,
    remedy: 'Choose the same for all Moreau–Jean integrators of the model.',
  });

/** Half steps know their rows in the middle of a step, other integrators where it is predicted to end. */
export const mixedHalfSteps = (id: string): EngineError =>
  new EngineError({
    code: 'integrators-apart',
    message: `The systems of “${id}” are advanced by half steps and by another integrator, which take its relation at different times.`,
    where: id,
    remedy: 'Give all systems of this interaction to the same integrator.',
  });
