/**
 * Models built from documents without a run: plug-ins are functions of the test, derivatives central
 * differences.
 */
import { buildModel } from '@engine/document/build';
import type { DerivativeLookup } from '@engine/document/derivatives';
import type { EvaluationContext } from '@engine/document/field-values';
import { evaluateParameters } from '@engine/document/parameters';
import { buildSettings, type SimulationSettings } from '@engine/document/settings';
import { HeldSignals } from '@engine/document/held-signals';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import type { FirstOrderForm, LagrangianForm } from '@engine/model/forms';
import type { Interaction, NonSmoothDynamicalSystem } from '@engine/model/nsds';

type Plugin = (...args: never[]) => unknown;
export type Plugins = Readonly<Record<string, Plugin>>;

/** Balances truncation (δ²) against rounding (ε/δ) of a central difference. */
const STEP = Math.cbrt(Number.EPSILON);

/** Fills `out` with ∂f/∂x, row-major, f of `rows` entries. */
export function centralDifferences(
  f: (x: Float64Array, out: Float64Array) => void,
  at: Float64Array,
  rows: number,
): Float64Array {
  const n = at.length;
  const jacobian = new Float64Array(rows * n);
  const x = at.slice();
  const above = new Float64Array(rows);
  const below = new Float64Array(rows);
  for (let j = 0; j < n; j++) {
    const step = STEP * Math.max(1, Math.abs(at[j]));
    x[j] = at[j] + step;
    f(x, above.fill(0));
    x[j] = at[j] - step;
    f(x, below.fill(0));
    x[j] = at[j];
    for (let i = 0; i < rows; i++) jacobian[i * n + j] = (above[i] - below[i]) / (2 * step);
  }
  return jacobian;
}

/** Derivatives of the given plug-ins by central differences. */
export const differenceLookup =
  (plugins: Plugins): DerivativeLookup =>
  ({ function: name, argument, result }) => ({
    ok: true,
    call: (...args) => {
      const primal = args.slice(0, -1);
      const jacobian = args.at(-1) as Float64Array;
      const out = primal[result] as Float64Array;
      const given = primal[argument];
      const at = typeof given === 'number' ? Float64Array.of(given) : (given as Float64Array);
      const values = centralDifferences(
        (x, into) => {
          const changed = [...primal];
          changed[argument] = typeof given === 'number' ? x[0] : x;
          changed[result] = into;
          (plugins[name] as (...a: unknown[]) => void)(...changed);
        },
        at,
        out.length,
      );
      jacobian.set(values);
    },
  });

export interface Built {
  readonly model: NonSmoothDynamicalSystem;
  readonly settings: SimulationSettings;
  readonly issues: DocumentIssue[];
}

/** Builds a document; its defects are in `issues`. */
export function build(
  document: ModelDocument,
  plugins: Plugins = {},
  derivatives: DerivativeLookup = differenceLookup(plugins),
): Built {
  const parameters = evaluateParameters(document.parameters);
  const issues: DocumentIssue[] = [...parameters.issues];
  const context: EvaluationContext = {
    parameters: parameters.values,
    brokenParameters: parameters.broken,
    functions: (name) => (Object.hasOwn(plugins, name) ? plugins[name] : null),
    functionNames: Object.keys(plugins),
    issues,
    values: {},
    plugins: Object.freeze({ ...parameters.values }),
    held: new HeldSignals(),
    derivatives,
  };
  const { nsds: model, systems } = buildModel(document, context);
  const settings = buildSettings(document.simulation, {}, context, systems);
  return { model, settings, issues };
}

/** Builds a sound document. @throws when it is not */
export function buildSound(document: ModelDocument, plugins: Plugins = {}): Built {
  const built = build(document, plugins);
  if (built.issues.length > 0) throw new Error(built.issues.map(({ message }) => message).join(' '));
  return built;
}

/** The form of the only system. @throws when it is of the second order */
export function firstOrderForm({ model: { systems } }: Built): FirstOrderForm {
  const { form } = systems[0];
  if (form.order !== 1) throw new Error('the system is of second order');
  return form;
}

/** The form of the only system. @throws when it is of the first order */
export function lagrangianForm({ model: { systems } }: Built): LagrangianForm {
  const { form } = systems[0];
  if (form.order !== 2) throw new Error('the system is of first order');
  return form;
}

/** The only interaction. */
export const onlyInteraction = ({ model: { interactions } }: Built): Interaction => interactions[0];
