/**
 * Plasticity by Mohr and Coulomb in the plane, as a non-smooth law. Of a stress in the plane, compression
 * positive, the law takes the mean and the two components of the deviator,
 *
 *     λ_n = ½ (σ_xx + σ_yy),     λ_t = (½ (σ_xx − σ_yy), σ_xy),
 *
 * and of the plastic rate of strain what they work on, expansion positive, y_n = ε̇_xx + ε̇_yy and y_t =
 * (ε̇_xx − ε̇_yy, 2 ε̇_xy): the power of the stress is λ·y. |λ_t| is the largest shear stress, which the
 * criterion of Mohr and Coulomb bounds on all planes at once,
 *
 *     |λ_t| ≤ c cos φ + λ_n sin φ,     that is     λ + a e_n ∈ K_μ,     a = c cot φ,   μ = sin φ,
 *
 * a second-order cone of three dimensions with its apex at the tension a. Strain flows against the deviator
 * and expands by the angle of dilatancy ψ,
 *
 *     y_t = −γ̇ λ_t/|λ_t|,     y_n = γ̇ sin ψ,     γ̇ ≥ 0,
 *
 * and anyhow within the dual cone at the apex. With ν = sin ψ this is
 *
 *     K_μ ∋ λ + a e_n ⊥ y + (μ − ν) |y_t| e_n ∈ K*_μ:
 *
 * on the surface û = y + (μ − ν) |y_t| e_n has û_n = μ |û_t| with û_t against λ_t, the ray of K*_μ that is
 * perpendicular to λ + a e_n; and conversely. ψ = φ is associated, −y ∈ N(λ), and dissipates most; ψ = 0 is
 * Coulomb’s law of contacts with its change of variable. The dissipation −λ·y = γ̇ (c cos φ + λ_n (sin φ −
 * sin ψ)) is not negative for ψ ≤ φ wherever λ_n ≥ 0.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LawRow } from '../forms';
import type { NonSmoothLaw } from '../nsds';
import type { LawTarget } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'MohrCoulomb',
  title: 'Mohr–Coulomb plasticity',
  summary:
    'Stress in the plane within the cone of Mohr and Coulomb, and the plastic strain that it lets flow: row 0 is the mean stress, compression positive, rows 1 and 2 the deviator.',
  rows: 3,
  equations: [
    '|\\lambda_t| \\le c \\cos\\varphi + \\lambda_n \\sin\\varphi',
    'y_t = -\\dot\\gamma\\, \\lambda_t/|\\lambda_t|, \\quad y_n = \\dot\\gamma \\sin\\psi, \\quad \\dot\\gamma \\ge 0',
    'K \\ni \\lambda + c \\cot\\varphi\\, n \\perp y + (\\sin\\varphi - \\sin\\psi) |y_t|\\, n \\in K^*',
  ],
  fields: [
    {
      key: 'phi',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      max: 1.5,
      label: 'Angle of friction',
      symbol: '\\varphi',
      unit: 'rad',
      required: true,
      initial: 0.5,
      help: 'Half the opening of the envelope of Mohr’s circles; about 0.5 of sand.',
    },
    {
      key: 'psi',
      kind: 'number',
      min: 0,
      max: 1.5,
      label: 'Angle of dilatancy',
      symbol: '\\psi',
      unit: 'rad',
      required: false,
      default: 0,
      help: 'Expansion over shear of the plastic strain: its sine is their ratio. At most the angle of friction, where the flow is associated; 0 keeps the volume.',
    },
    {
      key: 'c',
      kind: 'number',
      min: 0,
      label: 'Cohesion',
      symbol: 'c',
      unit: '',
      required: false,
      default: 0,
      help: 'Shear stress that holds without pressure, in units of λ.',
    },
  ],
  source: 'Davis 1968; De Saxcé and Feng 1991, for the shift',
};

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  const [phi, psi, cohesion] = ['phi', 'psi', 'c'].map((key) => fields.number(key));
  if (psi > phi)
    fields.reject(
      'psi',
      'dilatancy-above-friction',
      `The angle of dilatancy ${psi} is above that of friction, ${phi}: the flow would create energy.`,
      'Choose it at most as large; equal angles are the associated flow.',
    );
  if (target.order === 2 && target.hasFeedthrough)
    fields.reject(
      'type',
      'plasticity-on-compliance',
      'The law is on the rate of strain, but the strains of this relation depend on the stress, whose rate is not known.',
      'Choose a relation without compliance, or make the stress a state of a first-order system.',
    );
  const cone = {
    friction: Math.sin(phi),
    dilatancy: Math.sin(psi),
    apex: cohesion / Math.tan(phi),
  };
  return {
    type: definition.type,
    size: 3,
    rows: [0, 1, 2].map((component): LawRow => ({ kind: 'cone', cone, component })),
    level: target.order === 1 ? 'position' : 'velocity',
    multiplier: 'force',
    restitution: null,
  };
}
