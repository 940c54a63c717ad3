/**
 * Lagrangian rheonomous relation y = h(t, q), ẏ = ∇h q̇ + ∂h/∂t, p = ᵗ∇h λ: a constraint that moves on its own, such
 * as a follower on a driven cam. S0 §6; S0 §11, equations (11.1) and (11.2).
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader, NamedFunction } from '../field-reader';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'LagrangianRheonomous',
  title: 'Lagrangian, rheonomous',
  summary: 'Gaps that depend on the coordinates and on time, from script functions.',
  equations: [
    'y = h(t, q)',
    '\\dot y = \\nabla_q h\\, \\dot q + \\frac{\\partial h}{\\partial t}',
    'p = (\\nabla_q h)^{\\mathsf T} \\lambda',
  ],
  fields: [
    {
      key: 'size',
      kind: 'integer',
      min: 1,
      max: 1000,
      label: 'Number of gaps',
      symbol: 'm',
      unit: '',
      required: false,
      default: 1,
      help: 'Length of y.',
    },
    {
      key: 'h',
      kind: 'function',
      plugin: 'constraint',
      label: 'Gap function',
      symbol: 'h',
      unit: 'm',
      required: true,
      help: 'Script function that fills the gaps from time and coordinates.',
    },
    {
      key: 'hDot',
      kind: 'function',
      plugin: 'constraintTimeDerivative',
      label: 'Time derivative',
      symbol: '\\partial h / \\partial t',
      unit: 'm/s',
      required: true,
      help: 'Script function that fills the partial derivative of the gaps by time.',
    },
    {
      key: 'jacobian',
      kind: 'matrixOrFunction',
      rows: 'size',
      columns: 'linkedNdof',
      plugin: 'constraintJacobian',
      label: 'Jacobian',
      symbol: '\\nabla_q h',
      unit: 'm/q',
      required: true,
      help: 'A constant matrix, or a script function that fills it row by row.',
    },
  ],
  source: 'S0 §6 and §11, equations (11.1)–(11.2)',
};

export interface LagrangianRheonomous {
  readonly type: 'LagrangianRheonomous';
  readonly size: number;
  readonly h: NamedFunction<'constraint'>;
  readonly hDot: NamedFunction<'constraintTimeDerivative'>;
  /** size × linkedNdof, row-major; null when `jacobian` is a function */
  readonly constantJacobian: Float64Array | null;
  readonly jacobian: NamedFunction<'constraintJacobian'> | null;
}

export function build(fields: FieldReader, linkedNdof: number): LagrangianRheonomous {
  const size = fields.number('size');
  const jacobian = fields.function('jacobian', 'constraintJacobian');
  return {
    type: 'LagrangianRheonomous',
    size,
    // A missing required function has been reported; the placeholder only lets the remaining checks go on.
    h: fields.function('h', 'constraint') ?? { name: '', call: () => undefined },
    hDot: fields.function('hDot', 'constraintTimeDerivative') ?? { name: '', call: () => undefined },
    constantJacobian: jacobian === null ? fields.matrix('jacobian', size, linkedNdof) : null,
    jacobian,
  };
}
