/** The script signatures of the plug-in kinds: what the engine calls, what the editor declares, what templates fill. */
import type { PluginKind } from './definition';

export interface PluginSignature {
  /** exported type name in scripts */
  typeName: string;
  /** TypeScript parameter list and result */
  declaration: string;
  summary: string;
  /** body of the template the script pane inserts, one entry a line */
  template: (name: string) => string[];
}

export const PLUGIN_SIGNATURES: Readonly<Record<PluginKind, PluginSignature>> = {
  externalForce: {
    typeName: 'ExternalForce',
    declaration: '(t: number, out: Float64Array, p: Parameters) => void',
    summary: 'Fills `out` (one entry for each degree of freedom) with the generalised force at time `t`.',
    template: (name) => [`export const ${name}: ExternalForce = (t, out, p) => {`, '  out[0] = 0;', '};'],
  },
  prescribedMotion: {
    typeName: 'PrescribedMotion',
    declaration: '(t: number, out: Float64Array, p: Parameters) => void',
    summary:
      'Fills `out` (one entry for each degree of freedom) with a position or velocity prescribed at time `t`.',
    template: (name) => [`export const ${name}: PrescribedMotion = (t, out, p) => {`, '  out[0] = 0;', '};'],
  },
  constraint: {
    typeName: 'Constraint',
    declaration: '(t: number, q: Float64Array, out: Float64Array, p: Parameters) => void',
    summary: 'Fills `out` (one entry for each row of the relation) with the gaps h(t, q).',
    template: (name) => [`export const ${name}: Constraint = (t, q, out, p) => {`, '  out[0] = q[0];', '};'],
  },
  constraintTimeDerivative: {
    typeName: 'ConstraintTimeDerivative',
    declaration: '(t: number, q: Float64Array, out: Float64Array, p: Parameters) => void',
    summary: 'Fills `out` (one entry for each row of the relation) with the partial derivative ∂h/∂t.',
    template: (name) => [
      `export const ${name}: ConstraintTimeDerivative = (t, q, out, p) => {`,
      '  out[0] = 0;',
      '};',
    ],
  },
  constraintJacobian: {
    typeName: 'ConstraintJacobian',
    declaration: '(t: number, q: Float64Array, out: Float64Array, p: Parameters) => void',
    summary: 'Fills `out`, row by row, with the Jacobian ∂h/∂q.',
    template: (name) => [
      `export const ${name}: ConstraintJacobian = (t, q, out, p) => {`,
      '  out[0] = 1;',
      '};',
    ],
  },
  observable: {
    typeName: 'Observable',
    declaration: '(t: number, q: Float64Array, v: Float64Array, p: Parameters) => number',
    summary: 'Returns a quantity to record, from the coordinates and velocities of one system.',
    template: (name) => [`export const ${name}: Observable = (t, q, v, p) => {`, '  return q[0];', '};'],
  },
};

/** The functions as the engine calls them, by plug-in kind. */
export interface PluginFunctions {
  externalForce: (t: number, out: Float64Array, p: object) => void;
  prescribedMotion: (t: number, out: Float64Array, p: object) => void;
  constraint: (t: number, q: Float64Array, out: Float64Array, p: object) => void;
  constraintTimeDerivative: (t: number, q: Float64Array, out: Float64Array, p: object) => void;
  constraintJacobian: (t: number, q: Float64Array, out: Float64Array, p: object) => void;
  observable: (t: number, q: Float64Array, v: Float64Array, p: object) => number;
}
