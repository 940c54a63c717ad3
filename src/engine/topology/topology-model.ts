/** What topology needs of a model: the canonical forms of its elements and who is linked with whom. */
import type { FirstOrderForm, LagrangianForm, LawForm, RelationForm } from '../model/forms';
import { PluginFailure } from '../model/plugin';

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

/*
 * Models some of whose functions must not be called, because they belong to scripts and a report executes
 * none. Such a function throws `NotExecuted`. Seen through `withoutScripts`, an element that needs one has
 * matrices that are not finite, so that its component gets no degrees, and is named; all other degrees are
 * computed as usual.
 */

/** Thrown by functions that stand for those of a script. */
export class NotExecuted extends Error {}

/**
 * Whether that is why an evaluation ended: functions of scripts are called through a guard, which throws
 * this error.
 */
export const isNotExecuted = (error: unknown): boolean =>
  (error instanceof PluginFailure ? error.cause : error) instanceof NotExecuted;

/**
 * @returns the model, and the set that ids of elements join whose Jacobians or masses have asked for a script
 */
export function withoutScripts({ systems, interactions }: TopologyModel): {
  model: TopologyModel;
  scripted: ReadonlySet<string>;
} {
  const scripted = new Set<string>();
  const guard = (id: string, outs: readonly Float64Array[], evaluate: () => void): void => {
    try {
      evaluate();
    } catch (error) {
      if (!isNotExecuted(error)) throw error;
      scripted.add(id);
      for (const out of outs) out.fill(Number.NaN);
    }
  };
  const model = {
    systems: systems.map((system) => {
      const { id, form } = system;
      return { id, form: form.order === 1 ? firstOrder(id, form, guard) : lagrangian(id, form, guard) };
    }),
    interactions: interactions.map((interaction) => ({
      ...interaction,
      relation: relation(interaction.id, interaction.relation, guard),
    })),
  };
  return { model, scripted };
}

type Guard = (id: string, outs: readonly Float64Array[], evaluate: () => void) => void;

/** A copy of a form with some of its functions replaced; the others and its data stay its own. */
const replace = <Form extends object>(form: Form, functions: Partial<Form>): Form =>
  Object.assign(Object.create(form) as Form, functions);

const firstOrder = (id: string, form: FirstOrderForm, guard: Guard): FirstOrderForm =>
  replace(form, {
    rateJacobian: (clock, x, out) => {
      guard(id, [out], () => {
        form.rateJacobian(clock, x, out);
      });
    },
  });

const lagrangian = (id: string, form: LagrangianForm, guard: Guard): LagrangianForm =>
  replace(form, {
    mass: (q, out) => {
      guard(id, [out], () => {
        form.mass(q, out);
      });
    },
    forceJacobians: (clock, q, v, outQ, outV) => {
      guard(id, [outQ, outV], () => {
        form.forceJacobians(clock, q, v, outQ, outV);
      });
    },
  });

const relation = (id: string, form: RelationForm, guard: Guard): RelationForm =>
  replace(form, {
    outputJacobians: (clock, z, lambda, outC, outD) => {
      guard(id, [outC, outD], () => {
        form.outputJacobians(clock, z, lambda, outC, outD);
      });
    },
    inputJacobians: (clock, z, lambda, outK, outB) => {
      guard(id, [outK, outB], () => {
        form.inputJacobians(clock, z, lambda, outK, outB);
      });
    },
  });
