/**
 * The script signatures of the plug-in kinds: what the engine calls, what the editor declares, what templates
 * fill. A Jacobian has the arguments of the function it belongs to.
 */

/** Arguments a plug-in may take. `out` is what it fills, `p` the values of the model's parameters. */
export type PluginArgument = 't' | 'x' | 'q' | 'v' | 'lambda' | 'out' | 'p';

export interface PluginSignature {
  /** exported type name in scripts */
  readonly typeName: string;
  /** in the order of the call */
  readonly parameters: readonly PluginArgument[];
  /** a plug-in that fills nothing returns a number */
  readonly returns: 'void' | 'number';
  readonly summary: string;
  /** statement of the template's body */
  readonly body: string;
}

const filling = (
  typeName: string,
  inputs: readonly PluginArgument[],
  what: string,
  body = 'out[0] = 0;',
): PluginSignature => ({
  typeName,
  parameters: [...inputs, 'out', 'p'],
  returns: 'void',
  summary: `Fills \`out\` with ${what}`,
  body,
});

const ROWS = 'row by row';
const PER_COORDINATE = 'one entry for each coordinate';
const PER_ROW = 'one entry for each row of the relation';

/** Signatures by kind. */
export const PLUGIN_SIGNATURES = {
  rate: filling(
    'Rate',
    ['t', 'x'],
    'the right-hand side f(t, x): one entry for each state.',
    'out[0] = -x[0];',
  ),
  rateJacobian: filling('RateJacobian', ['t', 'x'], `the Jacobian ∂f/∂x, ${ROWS}.`, 'out[0] = -1;'),
  control: filling('Control', ['t', 'x'], 'the control u(t, x).'),
  controlMatrix: filling('ControlMatrix', ['x'], `the control matrix T(x), ${ROWS}.`, 'out[0] = 1;'),
  timeVector: filling('TimeVector', ['t'], 'a vector that depends on time alone.'),
  timeMatrix: filling('TimeMatrix', ['t'], `a matrix that depends on time alone, ${ROWS}.`),

  massMatrix: filling('MassMatrix', ['q'], `the mass matrix M(q), ${ROWS}.`, 'out[0] = 1;'),
  gyroscopicForce: filling(
    'GyroscopicForce',
    ['q', 'v'],
    `the gyroscopic and centrifugal terms on the left of the equation of motion: ${PER_COORDINATE}.`,
  ),
  gyroscopicJacobian: filling(
    'GyroscopicJacobian',
    ['q', 'v'],
    `the Jacobian of the gyroscopic terms by q or by v, ${ROWS}.`,
  ),
  internalForce: filling(
    'InternalForce',
    ['t', 'q', 'v'],
    `the internal forces on the left of the equation of motion: ${PER_COORDINATE}.`,
    'out[0] = q[0];',
  ),
  internalForceJacobian: filling(
    'InternalForceJacobian',
    ['t', 'q', 'v'],
    `the Jacobian of the internal forces by q or by v, ${ROWS}.`,
    'out[0] = 1;',
  ),
  externalForce: filling('ExternalForce', ['t'], `the generalised force at time \`t\`: ${PER_COORDINATE}.`),
  mechanicalControl: filling('MechanicalControl', ['t', 'q', 'v'], 'the control u(t, q, v).'),
  mechanicalControlMatrix: filling(
    'MechanicalControlMatrix',
    ['q'],
    `the control matrix T(q), ${ROWS}.`,
    'out[0] = 1;',
  ),
  mechanicalControlJacobian: filling(
    'MechanicalControlJacobian',
    ['t', 'q', 'v'],
    `the Jacobian of the control force T u by q or by v, ${ROWS}.`,
  ),
  bodyForce: filling(
    'BodyForce',
    ['t', 'q', 'v'],
    'the load on a 3D body: force in the world’s frame (3), moment in the body’s (3); `q` is position and quaternion, `v` velocity and angular velocity.',
    'for (let i = 0; i < 3; i++) out[i] = -0.1 * v[i];',
  ),
  bodyInertia: filling(
    'BodyInertia',
    ['t'],
    `the inertia about the mass centre at time \`t\`, in the frame of the body: nine entries ${ROWS}; \`out\` holds zeros.`,
    'out[0] = out[4] = out[8] = 1;',
  ),
  pseudoRigidForce: filling(
    'PseudoRigidForce',
    ['t', 'q', 'v'],
    'the load on a pseudo-rigid body: the force (3) and, row by row, the sum of f⊗ξ (9) over forces f at points ξ of the undeformed body; `q` is the mass centre and F, row by row, `v` their rates.',
    'for (let i = 0; i < 3; i++) out[i] = -0.1 * v[i];',
  ),
  prescribedMotion: filling(
    'PrescribedMotion',
    ['t'],
    `a position or velocity prescribed at time \`t\`: ${PER_COORDINATE}.`,
  ),

  stateOutput: filling('StateOutput', ['x'], `the outputs y = h(x): ${PER_ROW}.`, 'out[0] = x[0];'),
  stateOutputJacobian: filling('StateOutputJacobian', ['x'], `the Jacobian ∂h/∂x, ${ROWS}.`, 'out[0] = 1;'),
  multiplierInput: filling(
    'MultiplierInput',
    ['lambda'],
    'the inputs r = g(λ): one entry for each state of the linked systems.',
    'out[0] = lambda[0];',
  ),
  multiplierInputJacobian: filling(
    'MultiplierInputJacobian',
    ['lambda'],
    `the Jacobian ∂g/∂λ, ${ROWS}.`,
    'out[0] = 1;',
  ),
  timedMultiplierInput: filling(
    'TimedMultiplierInput',
    ['t', 'lambda'],
    'the inputs r = g(t, λ): one entry for each state of the linked systems.',
    'out[0] = lambda[0];',
  ),
  timedMultiplierInputJacobian: filling(
    'TimedMultiplierInputJacobian',
    ['t', 'lambda'],
    `the Jacobian ∂g/∂λ, ${ROWS}.`,
    'out[0] = 1;',
  ),
  output: filling(
    'Output',
    ['t', 'x', 'lambda'],
    `the outputs y = h(t, x, λ): ${PER_ROW}.`,
    'out[0] = x[0];',
  ),
  outputJacobian: filling(
    'OutputJacobian',
    ['t', 'x', 'lambda'],
    `the Jacobian ∂h/∂x or ∂h/∂λ, ${ROWS}.`,
    'out[0] = 1;',
  ),
  input: filling(
    'Input',
    ['t', 'x', 'lambda'],
    'the inputs r = g(t, x, λ): one entry for each state of the linked systems.',
    'out[0] = lambda[0];',
  ),
  inputJacobian: filling(
    'InputJacobian',
    ['t', 'x', 'lambda'],
    `the Jacobian ∂g/∂x or ∂g/∂λ, ${ROWS}.`,
    'out[0] = 1;',
  ),

  positionConstraint: filling('PositionConstraint', ['q'], `the gaps h(q): ${PER_ROW}.`, 'out[0] = q[0];'),
  positionConstraintJacobian: filling(
    'PositionConstraintJacobian',
    ['q'],
    `the Jacobian ∂h/∂q, ${ROWS}.`,
    'out[0] = 1;',
  ),
  contactGeometry: filling(
    'ContactGeometry',
    ['q'],
    'nine numbers for each contact: the point P₁ of the first body, or of the world, that is nearest to P₂; the point P₂ of the second; and the normal from P₁ to P₂. The template: the mass centre of a body above the plane z = 0.',
    'out.set([q[0], q[1], 0, q[0], q[1], q[2], 0, 0, 1]);',
  ),
  compliantConstraint: filling(
    'CompliantConstraint',
    ['q', 'lambda'],
    `the gaps h(q, λ): ${PER_ROW}.`,
    'out[0] = q[0] + lambda[0];',
  ),
  compliantConstraintJacobian: filling(
    'CompliantConstraintJacobian',
    ['q', 'lambda'],
    `the Jacobian ∂h/∂q or ∂h/∂λ, ${ROWS}.`,
    'out[0] = 1;',
  ),
  constraint: filling('Constraint', ['t', 'q'], `the gaps h(t, q): ${PER_ROW}.`, 'out[0] = q[0];'),
  constraintTimeDerivative: filling(
    'ConstraintTimeDerivative',
    ['t', 'q'],
    `the partial derivative ∂h/∂t: ${PER_ROW}.`,
  ),
  constraintJacobian: filling(
    'ConstraintJacobian',
    ['t', 'q'],
    `the Jacobian ∂h/∂q, ${ROWS}.`,
    'out[0] = 1;',
  ),

  observable: {
    typeName: 'Observable',
    parameters: ['t', 'q', 'v', 'p'],
    returns: 'number',
    summary:
      'Returns a quantity to record, from the coordinates and velocities of one system; of a first-order system `q` is its state and `v` is empty.',
    body: 'return q[0];',
  },
} as const satisfies Record<string, PluginSignature>;

/** Signatures a script function can have. */
export type PluginKind = keyof typeof PLUGIN_SIGNATURES;

const ARGUMENT_TYPES: Readonly<Record<PluginArgument, string>> = {
  t: 'number',
  x: 'Float64Array',
  q: 'Float64Array',
  v: 'Float64Array',
  lambda: 'Float64Array',
  out: 'Float64Array',
  p: 'Parameters',
};

/**
 * TypeScript parameter list and result of a plug-in kind.
 * @param typeOf type of an argument, where it is another
 */
export function declarationOf(
  { parameters, returns }: PluginSignature,
  typeOf: (name: PluginArgument) => string | undefined = () => undefined,
): string {
  const typed = parameters.map((name) => `${name}: ${typeOf(name) ?? ARGUMENT_TYPES[name]}`);
  return `(${typed.join(', ')}) => ${returns}`;
}

/** The template the script pane inserts for a new function, one entry a line. */
export function templateOf({ typeName, parameters, body }: PluginSignature, name: string): string[] {
  return [`export const ${name}: ${typeName} = (${parameters.join(', ')}) => {`, `  ${body}`, '};'];
}

/** An observable as the engine calls it. */
export type ObservableFunction = (t: number, q: Float64Array, v: Float64Array, p: object) => number;
