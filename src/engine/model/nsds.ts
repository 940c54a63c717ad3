/** The non-smooth dynamical system: what the user models, before anything is computed. Siconos developer's notes §2. */
import type { ModelConditions } from './conditions';
import type { FirstOrderForm, LagrangianForm, LawForm, RelationForm } from './forms';

/** A dynamical system of any type; `form` is all that the computation looks at. */
export interface DynamicalSystem {
  /** type in the document, for messages */
  readonly type: string;
  readonly id: string;
  readonly form: FirstOrderForm | LagrangianForm;
  /** unit of x or q, `1` when there is none */
  readonly unit: string;
  /** unit of each coordinate, where they differ */
  readonly units?: readonly string[];
}

export interface Relation extends RelationForm {
  readonly type: string;
}

export interface NonSmoothLaw extends LawForm {
  readonly type: string;
}

/** A relation and a law on the coordinates of one or more systems. */
export interface Interaction {
  readonly id: string;
  /** positions of the linked systems in `NonSmoothDynamicalSystem.systems`, in the order of the relation's columns */
  readonly systems: readonly number[];
  readonly relation: Relation;
  readonly law: NonSmoothLaw;
}

export interface NonSmoothDynamicalSystem {
  readonly systems: readonly DynamicalSystem[];
  readonly interactions: readonly Interaction[];
  /** conditions in the functions of the elements whose outcomes can be held; absent where there are none */
  readonly conditions?: ModelConditions;
}

/** Coordinates of the linked systems together: number of columns of a relation. */
export const linkedSize = (systems: readonly DynamicalSystem[], linked: readonly number[]): number =>
  linked.reduce((sum, position) => sum + systems[position].form.size, 0);
