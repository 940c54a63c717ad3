/**
 * The topology of a document: who is linked with whom, and after how many derivatives multipliers act. Executes no
 * script: degrees that depend on functions of a script are left open and named as such.
 */
import type { DerivativeLookup } from '../document/derivatives';
import type { FunctionLookup } from '../document/field-values';
import { structuralErrors } from '../document/structure';
import type { ModelDocument } from '../document/types';
import type { BuiltElements } from '../script/builder';
import { FunctionScripts } from '../script/function-scripts';
import {
  type DescribedComponent,
  type DescribedInteraction,
  describeTopology,
  type TopologyDescription,
} from '../topology/describe';
import { NotExecuted, withoutScripts } from '../topology/unevaluated';
import { prepare } from './prepare';
import { describeSpace, type SpaceTopology } from './space/topology';

/** Links of one interaction that are listed: a body with a thousand contacts would list a million. */
export const LISTED_LINKS = 100;
/** Blocks of the one-step matrix that are listed. */
export const LISTED_BLOCKS = 200_000;

export interface ReportedInteraction extends DescribedInteraction {
  /** number of linked interactions, of which `linked` lists the first */
  readonly linkedCount: number;
}

export interface ReportedTopology extends Omit<TopologyDescription, 'interactions' | 'pattern'> {
  readonly interactions: readonly ReportedInteraction[];
  /** null when it has too many blocks */
  readonly pattern: TopologyDescription['pattern'] | null;
  /** number of blocks that are not zero */
  readonly blocks: number;
  /** elements on whose script functions degrees depend: those of their components are known once the model runs */
  readonly scripted: readonly string[];
  /** of bodies in space, whose one-step matrix changes with the contacts; null where there are none */
  readonly space: SpaceTopology | null;
}

export interface TopologyReport {
  /** null while the document has errors */
  readonly topology: ReportedTopology | null;
}

/** @param built elements its builder script produced, when that has been run */
export function reportTopology(document: ModelDocument, built?: BuiltElements): TopologyReport {
  if (structuralErrors(document).length > 0) return { topology: null };
  const scripts = new FunctionScripts(document);
  if (scripts.issues.length > 0) return { topology: null };
  // Checks of the initial state pass over what scripts would say, as in a report; degrees and ranks must not.
  let isBuilt = false;
  const stand = (): void => {
    if (isBuilt) throw new NotExecuted();
  };
  const functions: FunctionLookup = (name) => (scripts.functions(name) === null ? null : stand);
  const derivatives: DerivativeLookup = (request) => {
    const answer = scripts.request(request);
    return answer.ok ? { ...answer, call: stand } : answer;
  };
  const { prepared } = prepare(document, {
    functions,
    functionNames: scripts.functionNames,
    derivatives,
    built,
  });
  isBuilt = true;
  if (prepared === null) return { topology: null };
  const { model, scripted } = withoutScripts(prepared.model);
  const { interactions, pattern, components, systems } = describeTopology(model, prepared.settings.t0);
  const blocks = pattern.columns.length;
  return {
    topology: {
      systems,
      interactions: interactions.map((interaction) => ({
        ...interaction,
        linked: interaction.linked.slice(0, LISTED_LINKS),
        linkedCount: interaction.linked.length,
      })),
      components: components.map((component) => explain(component, scripted)),
      pattern: blocks > LISTED_BLOCKS ? null : pattern,
      blocks,
      scripted: [...scripted].sort(),
      space: prepared.space === null ? null : describeSpace(prepared.space),
    },
  };
}

/** A component that has no degrees because a script was not executed has no defect. */
function explain(component: DescribedComponent, scripted: ReadonlySet<string>): DescribedComponent {
  const { vector } = component;
  const element = vector?.defect?.element;
  if (vector === null || element === undefined || !scripted.has(element)) return component;
  const text = `The relative degree depends on script functions of “${element}” and is known once the model runs.`;
  return { ...component, vector: { ...vector, status: 'not-decided', defect: null, text } };
}
