/** The mass matrix of a Lagrangian system, factorised where the system is. */
import { type SparseRows, expandInto, sparseFromPattern } from '../linalg/sparse';
import type { LagrangianForm } from '../model/forms';
import { IterationMatrix } from './iteration-matrix';

/** M of a system at a place. */
export class Mass {
  readonly #matrix: SparseRows;
  readonly #solver: IterationMatrix;
  readonly #position: Float64Array;
  readonly #isConstant: boolean;
  /** whether a constant M is regular */
  readonly #isRegular: boolean;
  readonly isDiagonal: boolean;

  constructor(
    private readonly form: LagrangianForm,
    readonly dof: number,
  ) {
    const n = form.size;
    const { constantMass } = form;
    const dense = new Float64Array(n * n);
    if (constantMass !== null) expandInto(constantMass, n, dense);
    const takes = (i: number, j: number): boolean => constantMass === null || dense[i * n + j] !== 0;
    this.#matrix = sparseFromPattern(
      Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => j).filter((j) => takes(i, j))),
    );
    this.#position = new Float64Array(n);
    this.isDiagonal = this.#matrix.columns.length === n;
    this.#solver = new IterationMatrix(this.#matrix, true);
    this.#isConstant = constantMass !== null;
    if (constantMass !== null) this.#matrix.values.set(dense.filter((value) => value !== 0));
    this.#isRegular = constantMass === null || this.#solver.factor();
  }

  /**
   * @param positions indexed like the state
   * @param q first slot of positions
   * @returns false when it is singular
   */
  place(positions: Float64Array, q: number): boolean {
    if (this.#isConstant) return this.#isRegular;
    for (let i = 0; i < this.form.size; i++) this.#position[i] = positions[q + this.dof + i];
    this.form.mass(this.#position, this.#matrix.values);
    return this.#solver.factor();
  }

  /** x ← M⁻¹ x from `at` on */
  solve(x: Float64Array, at: number): void {
    this.#solver.solve(x, at);
  }
}
