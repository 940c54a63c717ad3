/** Relative degrees of test models, in few words. */
import { graphOf } from '@engine/topology/describe';
import {
  type ComponentDegree,
  relativeDegrees,
  type RelativeDegrees,
  type VectorDegree,
} from '@engine/topology/relative-degree';
import type { TopologyModel } from '@engine/topology/topology-model';
import type { Matrix } from '../support/dense';
import * as forms from './forms';

export const degrees = (model: TopologyModel): RelativeDegrees => relativeDegrees(model, graphOf(model), 0);

export function undefinedVector(component: ComponentDegree): VectorDegree & { status: 'undefined' } {
  if (!('status' in component.vector) || component.vector.status !== 'undefined')
    throw new Error(`expected an undefined vector degree, not ${JSON.stringify(component.vector)}`);
  return component.vector;
}

/** One first-order system with one interaction. */
export const single = (
  A: Matrix,
  B: Matrix,
  C: Matrix,
  D: Matrix | null = null,
  mass: Matrix | null = null,
): TopologyModel =>
  forms.model(
    [forms.firstOrder('x', A, mass)],
    [forms.interaction('i', [0], forms.firstOrderRelation(C, B, D))],
  );
