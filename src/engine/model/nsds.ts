/**
 * The non-smooth dynamical system: what the user models, before anything is computed. Siconos developer's
 * notes §2.
 */
import type { ModelConditions } from './conditions';
import type { ControlBlock } from './control/block';
import type { Reset } from './resets/reset';
import type { PresenceCondition } from './settings/presences';
import {
  type FirstOrderForm,
  type LagrangianForm,
  type LawForm,
  type LawRow,
  type RelationForm,
  positionsOf,
} from './forms';

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
  /** the laws that it consists of, in the order of their rows; absent where it is one */
  readonly parts?: readonly LawPart[];
}

/** Rows of a law that are a law of their own. */
export interface LawPart {
  readonly name: string;
  /** first of its rows, and their number */
  readonly first: number;
  readonly size: number;
  /** when it is there; absent: as long as the interaction is */
  readonly presence?: PresenceCondition;
}

/** A relation and a law on the coordinates of one or more systems. */
export interface Interaction {
  readonly id: string;
  /**
   * positions of the linked systems in `NonSmoothDynamicalSystem.systems`, in the order of the relation's
   * columns
   */
  readonly systems: readonly number[];
  readonly relation: Relation;
  readonly law: NonSmoothLaw;
  /** when it is there; absent: always */
  readonly presence?: PresenceCondition;
}

export interface NonSmoothDynamicalSystem {
  readonly systems: readonly DynamicalSystem[];
  readonly interactions: readonly Interaction[];
  /** conditions in the functions of the elements whose outcomes can be held; absent where there are none */
  readonly conditions?: ModelConditions;
  /** control blocks, which see the others at samples and drive them; absent where there are none */
  readonly blocks?: readonly ControlBlock[];
  /** jumps of states of first-order systems; absent where there are none */
  readonly resets?: readonly Reset[];
}

/** The part of a law that a row belongs to; undefined of a law that has none. */
export const partAt = ({ parts }: Pick<NonSmoothLaw, 'parts'>, row: number): LawPart | undefined =>
  parts?.find(({ first, size }) => row >= first && row < first + size);

/** What tells a row of a law with parts from all others: its part, with its number; null of other laws. */
export function nameInPart({ id, law }: Pick<Interaction, 'id' | 'law'>, row: number): string | null {
  const part = partAt(law, row);
  if (part === undefined) return null;
  return part.size === 1 ? `${id}.${part.name}` : `${id}.${part.name}[${row - part.first}]`;
}

/** What a row is called: its interaction, with the part of the law behind it where that has parts. */
export function rowName({ id, law }: Pick<Interaction, 'id' | 'law'>, row: number): string {
  const part = partAt(law, row);
  return part === undefined ? id : `${id}.${part.name}`;
}

/** Rows that come and go together by a condition: those of an interaction, or of a part of its law. */
export interface ConditionedRows {
  /** of the interaction, with the name of the part behind it, such as `circuit.D1` */
  readonly name: string;
  /** place of the interaction in the model */
  readonly interaction: number;
  /** first of the rows among those of all interactions, and the one behind the last */
  readonly first: number;
  readonly end: number;
  readonly presence: PresenceCondition;
}

/**
 * All rows that come and go, in the order in which their signals stand. A row of a part is there where both
 * its own condition and that of its interaction let it be.
 */
export function conditionedRows({
  interactions,
}: Pick<NonSmoothDynamicalSystem, 'interactions'>): ConditionedRows[] {
  let row = 0;
  return interactions.flatMap(({ id, relation, law, presence }, interaction) => {
    const from = row;
    row += relation.size;
    const whole = presence === undefined ? [] : [{ name: id, interaction, first: from, end: row, presence }];
    const parts = (law.parts ?? []).flatMap(({ name, first, size, presence: own }): ConditionedRows[] =>
      own === undefined
        ? []
        : [
            {
              name: `${id}.${name}`,
              interaction,
              first: from + first,
              end: from + first + size,
              presence: own,
            },
          ],
    );
    return [...whole, ...parts];
  });
}

/** Whether interactions of velocities come and go by a condition. */
export const hasContactsThatGo = (model: Pick<NonSmoothDynamicalSystem, 'interactions'>): boolean =>
  conditionedRows(model).some(({ interaction }) => model.interactions[interaction].relation.order === 2);

/** Whether what is there depends on what was there before: latches, and conditions with hysteresis. */
export const remembersPresence = (model: Pick<NonSmoothDynamicalSystem, 'interactions'>): boolean =>
  conditionedRows(model).some(
    ({ presence }) => !('unless' in presence) && (presence.hysteresis > 0 || presence.carries !== null),
  );

/** Coordinates of the linked systems together: number of columns of a relation. */
export const linkedSize = (systems: readonly DynamicalSystem[], linked: readonly number[]): number =>
  linked.reduce((sum, position) => sum + positionsOf(systems[position].form), 0);

/** Columns of C of a relation. */
export const velocitiesOf = ({ columns, velocities = columns }: RelationForm): number => velocities;

/**
 * Where the numbers of each system begin among those of all, positions and velocities; one more entry at the
 * end.
 */
export interface SystemOffsets {
  readonly positions: Int32Array;
  readonly velocities: Int32Array;
}

export function offsetsOf({ systems }: Pick<NonSmoothDynamicalSystem, 'systems'>): SystemOffsets {
  const positions = new Int32Array(systems.length + 1);
  const velocities = new Int32Array(systems.length + 1);
  systems.forEach(({ form }, s) => {
    positions[s + 1] = positions[s] + positionsOf(form);
    velocities[s + 1] = velocities[s] + form.size;
  });
  return { positions, velocities };
}

/**
 * Index among the positions of the linked systems of that which each of their velocities is the derivative
 * of; −1 where there is none.
 */
export function positionsOfVelocities(
  systems: readonly DynamicalSystem[],
  linked: readonly number[],
): Int32Array {
  let first = 0;
  return Int32Array.from(
    linked.flatMap((s) => {
      const { form } = systems[s];
      const own = form.order === 2 ? form.kinematics?.position : undefined;
      const places = Array.from({ length: form.size }, (_, k) => {
        const position = own === undefined ? k : own[k];
        return position < 0 ? -1 : first + position;
      });
      first += positionsOf(form);
      return places;
    }),
  );
}

/**
 * The numbers of the linked systems among those of all, one after the other.
 * @param offsets of all systems
 */
export const linkedPlaces = (offsets: Int32Array, linked: readonly number[]): Int32Array =>
  Int32Array.from(
    linked.flatMap((s) => Array.from({ length: offsets[s + 1] - offsets[s] }, (_, k) => offsets[s] + k)),
  );

/* Which interactions of a model are joints, and which systems joints and springs hold. */

/** Whether the multiplier of a row has no bound. */
export const isFree = (row: LawRow): boolean =>
  row.kind === 'box' && row.lower === Number.NEGATIVE_INFINITY && row.upper === Number.POSITIVE_INFINITY;

/** Whether an interaction holds ẏ = 0 by a free impulse. */
export const isHeld = ({ relation, law }: Interaction): boolean =>
  relation.order === 2 &&
  law.level === 'velocity' &&
  law.multiplier === 'impulse' &&
  law.restitution === null &&
  law.rows.every(isFree);

/**
 * Whether an interaction is a joint, a relation that means y = 0 and is held by a free impulse, or a spring
 * that pulls and pushes.
 */
const asksForHalfSteps = (interaction: Interaction): boolean => {
  const { relation, law } = interaction;
  if (relation.isSpring === true) return law.rows.every(isFree);
  return relation.isJoint === true && isHeld(interaction);
};

/** Systems that hang together with a joint or a spring between bodies through interactions. */
export function jointedSystems({ systems, interactions }: NonSmoothDynamicalSystem): ReadonlySet<number> {
  const parent = systems.map((_, s) => s);
  const root = (s: number): number => (parent[s] === s ? s : root(parent[s]));
  for (const { systems: linked } of interactions) for (const s of linked) parent[root(s)] = root(linked[0]);
  const joints = interactions.filter(asksForHalfSteps);
  const roots = new Set(joints.map(({ systems: linked }) => root(linked[0])));
  return new Set(parent.map((_, s) => s).filter((s) => roots.has(root(s))));
}

/* Which laws have cones in three rows, that no affine problem expresses. */

/** Whether a row is the second slip of a contact in space. */
export const isSecondSlip = (laws: readonly LawRow[], row: number): boolean =>
  row > 0 && laws[row].kind === 'friction' && laws[row - 1].kind === 'friction';

/** Whether laws have friction in a tangent plane or another cone, which no affine problem expresses. */
export const needsCones = (laws: readonly LawRow[]): boolean =>
  laws.some(({ kind }, row) => kind === 'cone' || isSecondSlip(laws, row));

/** Whether a model has such laws. */
export const isConic = ({ interactions }: Pick<NonSmoothDynamicalSystem, 'interactions'>): boolean =>
  interactions.some(({ law }) => needsCones(law.rows));
