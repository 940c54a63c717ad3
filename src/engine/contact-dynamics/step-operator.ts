/**
 * W of a step: frames of the active contacts and rows of joints, the blocks W = H P ᵗH, and what laws and companions of contacts add. It is formed anew where
 * something has moved only, and what it is made of is at hand for solvers that factorise by bodies (`frame-factors.ts`).
 */
import type { FrictionContactProblem } from '../problems/friction-contact';
import type { SpatialSystem } from '../spatial/system';
import type { ActiveFrames } from './active-frames';
import type { CompanionRows } from './companions/companion-rows';
import { type ContactFrames, FRAME_NUMBERS } from './contact-frames';
import { type ContactList, GEOMETRY } from './contact-list';
import { DelassusBlocks } from './delassus-blocks';
import { FrameFactors } from './frame-factors';
import type { JointRows } from './joint-rows/joint-rows';
import type { LawTerms } from './law-terms';
import type { BodyMobility } from './mobility';

/** entries of an inertia */
const INERTIA = 9;

export class StepOperator {
  readonly #delassus: DelassusBlocks;
  /** positions, inertias that change, and revision of the graph that frames and W have been formed for */
  readonly #formedAt: Float64Array;
  readonly #formedWith: Float64Array;
  #formed = -1;

  /** @param companions, terms null where no law has any */
  constructor(
    private readonly system: SpatialSystem,
    private readonly problem: FrictionContactProblem,
    mobility: BodyMobility,
    private readonly frames: ContactFrames,
    private readonly active: ActiveFrames,
    private readonly jointRows: JointRows,
    private readonly companions: CompanionRows | null,
    private readonly terms: LawTerms | null,
  ) {
    this.#delassus = new DelassusBlocks(mobility);
    this.#formedAt = new Float64Array(system.positions);
    this.#formedWith = new Float64Array(INERTIA * system.changing.length);
    problem.factors = new FrameFactors(problem, frames, mobility, active);
  }

  /** Frames and W at q, of contacts and rows that are active. @param q positions of all bodies */
  form(contacts: ContactList, q: Float64Array): void {
    if (this.#isFormed(contacts, q)) return;
    const { problem, frames, jointRows, active, companions } = this;
    const { contactCount, jointCount } = active;
    active.compile(problem);
    frames.clear(active.count);
    for (let row = 0; row < contactCount; row++) {
      const c = active.contacts[row];
      frames.add(q, contacts.bodies[2 * c], contacts.bodies[2 * c + 1], contacts.geometry, GEOMETRY * c);
    }
    for (let k = 0; k < jointCount; k++) jointRows.addTo(frames, active.jointRows[k]);
    companions?.addTo(frames, q, contacts);
    this.#delassus.fill(problem.W, frames);
    for (let k = 0; k < jointCount; k++) jointRows.decouple(active.jointRows[k], contactCount + k, problem.W);
    companions?.couple(problem.W, contacts);
    problem.isSymmetric = companions?.isSymmetric !== false;
    this.terms?.soften(problem);
    problem.revision++;
    this.#formedAt.set(q);
    const { changing } = this.system;
    for (let k = 0; k < changing.length; k++) this.#formedWith.set(changing[k].body.inertia, INERTIA * k);
    this.#formed = active.graph.revision;
  }

  /** Whether frames and W are those of the last step to the last bit, as at rest; solvers keep their factors then. */
  #isFormed({ geometry }: ContactList, q: Float64Array): boolean {
    const { graph, contacts, contactCount } = this.active;
    if (this.#formed !== graph.revision || this.terms?.isFormed === false) return false;
    const formedAt = this.#formedAt;
    for (let i = 0; i < q.length; i++) if (q[i] !== formedAt[i]) return false;
    if (!this.#hasInertias()) return false;
    const { axes } = this.frames;
    for (let row = 0; row < contactCount; row++)
      for (let i = 0; i < 6; i++)
        if (axes[FRAME_NUMBERS * row + i] !== geometry[GEOMETRY * contacts[row] + i]) return false;
    return true;
  }

  /** Whether inertias that are functions of time are those that W has been formed with. */
  #hasInertias(): boolean {
    const { changing } = this.system;
    for (let k = 0; k < changing.length; k++) {
      const { inertia } = changing[k].body;
      for (let i = 0; i < INERTIA; i++) if (inertia[i] !== this.#formedWith[INERTIA * k + i]) return false;
    }
    return true;
  }
}
