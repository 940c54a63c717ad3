/** Documents that Siconos runs too, most of them examples of the gallery: the one description of both. */
import type { IntegratorDocument, ModelDocument } from '@engine/document/types';
import {
  bothOrders,
  equality,
  friction,
  massMatrix,
  mixedComplementarity,
  nonLinearRate,
  timeVarying,
  type2,
} from './inline';

export interface GalleryModel {
  /** name of an example of the gallery, or a document */
  example: string | ModelDocument;
  /** what is different from the example, for the name of the test */
  variant?: string;
  /** parameter values in place of the example's */
  set?: Record<string, number>;
  /** s; the example's when absent */
  h?: number;
  steps: number;
  /** in place of the example's */
  integrators?: IntegratorDocument[];
  /** module in `siconos/functions` with the script functions of the model in Python */
  functions?: string;
  /**
   * Whether the multipliers are compared. They are not where they are not unique: the potential of a rail
   * while all diodes at it block, the share of each diode while both legs of a bridge conduct.
   */
  multipliers: boolean;
  /** largest accepted difference, relative to the largest value of its kind; absent: rounding */
  tolerance?: number;
}

const euler = (theta: number, thetaR: number): IntegratorDocument[] => [
  { type: 'EulerMoreau', theta, thetaR },
];
/** Relations at γ. */
const within = (theta: number, gamma: number): IntegratorDocument[] => [
  { type: 'EulerMoreau', theta, gamma },
];
/** The choices with which Siconos integrates mechanisms. */
const asSiconos = (theta: number): IntegratorDocument[] => [
  { type: 'MoreauJean', theta, forecast: 0.5, massPoint: 'end', relationPoint: 'end' },
];

/** Weights of the θ-method: implicit, Crank–Nicolson for the smooth part, and for both. */
const WEIGHTS = [
  [1, 1],
  [0.5, 1],
  [0.5, 0.5],
  [0.75, 0.6],
] as const;

/** θ and γ of relations within the step. */
const WITHIN = [
  [0.5, 0.5],
  [1, 0.5],
  [0.75, 0.6],
] as const;

/**
 * Multipliers of a relay that slides are differences of states divided by the step of 1e-3 s: rounding errors
 * of the states are a thousand times as large in them.
 */
const SLIDING = 1e-9;

/** Newton's method stops at a residual, which leaves the state that far from the solution. */
const NEWTON = 1e-10;

export const galleryModels: GalleryModel[] = [
  // θr = 1 only: Siconos forgets it in the blocks of two interactions that share a system (README.md).
  ...[0.5, 1].map((theta): GalleryModel => ({
    example: 'coupled-complementarity',
    variant: `θ = ${theta}`,
    steps: 2000,
    integrators: euler(theta, 1),
    multipliers: true,
  })),
  ...[massMatrix, mixedComplementarity, equality].flatMap((example) =>
    WEIGHTS.map(([theta, thetaR]): GalleryModel => ({
      example,
      variant: `θ = ${theta}, θr = ${thetaR}`,
      steps: 500,
      integrators: euler(theta, thetaR),
      multipliers: true,
    })),
  ),
  ...[timeVarying, nonLinearRate].flatMap((example) =>
    WEIGHTS.map(([theta, thetaR]): GalleryModel => ({
      example,
      variant: `θ = ${theta}, θr = ${thetaR}`,
      steps: 500,
      integrators: euler(theta, thetaR),
      functions: 'inline',
      multipliers: true,
      tolerance: NEWTON,
    })),
  ),
  { example: bothOrders, steps: 2000, multipliers: true, tolerance: SLIDING },
  // θr = 1 only: with another weight Siconos misses y = h(x, λ) (README.md).
  ...[0.5, 1].map((theta): GalleryModel => ({
    example: type2,
    variant: `θ = ${theta}`,
    steps: 500,
    integrators: euler(theta, 1),
    functions: 'inline',
    multipliers: true,
    tolerance: NEWTON,
  })),
  ...WEIGHTS.map(([theta, thetaR]): GalleryModel => ({
    example: 'rlcd-circuit',
    variant: `θ = ${theta}, θr = ${thetaR}`,
    steps: 5000,
    integrators: euler(theta, thetaR),
    multipliers: true,
  })),
  // One interaction only: between several Siconos forgets γ (README.md).
  ...(
    [
      [massMatrix, 500],
      [mixedComplementarity, 500],
      ['rlcd-circuit', 5000],
      ['diode-bridge', 5000],
    ] as const
  ).flatMap(([example, steps]) =>
    WITHIN.map(([theta, gamma]): GalleryModel => ({
      example,
      variant: `θ = ${theta}, relations at γ = ${gamma}`,
      steps,
      integrators: within(theta, gamma),
      multipliers: true,
    })),
  ),
  { example: 'diode-bridge', variant: 'θ = 1', steps: 5000, multipliers: true },
  { example: 'diode-bridge', variant: 'θ = ½', steps: 5000, integrators: euler(0.5, 1), multipliers: true },
  { example: 'diode-bridge-filter', steps: 5000, multipliers: false },
  { example: 'four-diode-power-supply', steps: 5000, multipliers: false },
  { example: 'buck-converter', steps: 5000, multipliers: true },
  { example: 'colpitts-oscillator', steps: 1000, multipliers: true },
  { example: 'relay-oscillator', steps: 10_000, multipliers: true, tolerance: SLIDING },
  { example: 'chattering-relay', steps: 3000, multipliers: true, tolerance: SLIDING },
  { example: 'filippov-spiral', steps: 3000, multipliers: true, tolerance: SLIDING },
  { example: 'twisting-controller', steps: 5000, multipliers: true, tolerance: SLIDING },
  {
    example: 'twisting-controller',
    variant: 'zero-order hold',
    steps: 5000,
    integrators: [{ type: 'ZeroOrderHold' }],
    multipliers: true,
    tolerance: SLIDING,
  },
  {
    example: 'chattering-relay',
    variant: 'zero-order hold',
    steps: 3000,
    integrators: [{ type: 'ZeroOrderHold' }],
    multipliers: true,
    tolerance: SLIDING,
  },
  {
    example: 'gene-network',
    steps: 2000,
    functions: 'gene_network',
    multipliers: true,
    tolerance: NEWTON,
  },
  // e_t = 0 only: with another one Siconos crashes (README.md).
  ...[0, 0.5, 0.9].map((e): GalleryModel => ({ example: friction(e), steps: 2000, multipliers: true })),
  { example: 'bouncing-ball', steps: 10_000, multipliers: true },
  { example: 'newtons-cradle', steps: 3000, multipliers: true },
  { example: 'impacting-bar', steps: 1500, set: { N: 40 }, multipliers: true },
  ...[0, 0.5].flatMap((e) =>
    [0.5, 1].map((theta): GalleryModel => ({
      example: 'two-link-manipulator',
      variant: `θ = ${theta}, e = ${e}`,
      set: { e },
      steps: 1500,
      integrators: asSiconos(theta),
      functions: 'two_link_manipulator',
      multipliers: true,
      tolerance: NEWTON,
    })),
  ),
];
