/** Starting text of script functions, one for each plug-in kind. */
import type { PluginKind } from '@engine/model/definition';

interface Template {
  /** name proposed for a new function */
  name: string;
  /** type declared in the generated typings */
  type: string;
  parameters: string;
  comment: string;
  body: string;
}

const TEMPLATES: Readonly<Record<PluginKind, Template>> = {
  externalForce: {
    name: 'force',
    type: 'ExternalForce',
    parameters: 't, out, p',
    comment: 'Fills out with the external force at time t, one entry for each coordinate.',
    body: 'out[0] = 0;',
  },
  prescribedMotion: {
    name: 'baseMotion',
    type: 'PrescribedMotion',
    parameters: 't, out, p',
    comment: 'Fills out with the prescribed position or velocity at time t.',
    body: 'out[0] = 0;',
  },
  constraint: {
    name: 'gap',
    type: 'Constraint',
    parameters: 't, q, out, p',
    comment: 'Fills out with the gaps h(t, q), one for each row of the relation.',
    body: 'out[0] = q[0];',
  },
  constraintTimeDerivative: {
    name: 'gapTimeDerivative',
    type: 'ConstraintTimeDerivative',
    parameters: 't, q, out, p',
    comment: 'Fills out with the partial derivative of the gaps by time.',
    body: 'out[0] = 0;',
  },
  constraintJacobian: {
    name: 'gapJacobian',
    type: 'ConstraintJacobian',
    parameters: 't, q, out, p',
    comment: 'Fills out, row by row, with the derivatives of the gaps by the coordinates.',
    body: 'out[0] = 1;',
  },
  observable: {
    name: 'observable',
    type: 'Observable',
    parameters: 't, q, v, p',
    comment: 'A quantity to record, from the coordinates and velocities of one system.',
    body: 'return q[0];',
  },
};

/** Every plug-in kind, in the order the menu lists them. */
export const PLUGIN_KINDS = Object.keys(TEMPLATES) as readonly PluginKind[];

/** Name proposed for a new function of a kind. */
export function proposedName(kind: PluginKind): string {
  return TEMPLATES[kind].name;
}

/** Source lines of a new function. */
export function functionTemplate(kind: PluginKind, name: string): string[] {
  const { type, parameters, comment, body } = TEMPLATES[kind];
  return [`/** ${comment} */`, `export const ${name}: ${type} = (${parameters}) => {`, `  ${body}`, '};'];
}
