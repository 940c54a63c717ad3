/** What topology needs of a model: the canonical forms of its elements and who is linked with whom. */
import type { FirstOrderForm, LagrangianForm, LawForm, RelationForm } from '../model/forms';

export interface TopologySystem {
  readonly id: string;
  readonly form: FirstOrderForm | LagrangianForm;
}

export interface TopologyInteraction {
  readonly id: string;
  /** positions in `TopologyModel.systems`, in the order of the relation's columns */
  readonly systems: readonly number[];
  readonly relation: RelationForm;
  readonly law: LawForm;
}

export interface TopologyModel {
  readonly systems: readonly TopologySystem[];
  readonly interactions: readonly TopologyInteraction[];
}
