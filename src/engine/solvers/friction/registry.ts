/**
 * Solvers of friction-contact problems by name: a new one is its definition in
 * `model/settings/friction-solvers.ts` and a line here.
 */
import { frictionSolverDefinitions, SYMMETRIC_ONLY } from '../../model/settings/friction-solvers';
import { autoSolver } from '../../model/settings/solvers';
import { AutomaticFriction } from './automatic';
import { FrictionAdmm } from './admm';
import { ConvexFixedPoint, deSaxce, tresca } from './fixed-point';
import { ByIslands } from './islands';
import { ExtrapolatedSweeps } from './gauss-seidel/extrapolation';
import { FacetedCone } from './faceted';
import { FrictionInteriorPoint } from './interior-point';
import { FrictionNewton } from './newton';
import { NonsmoothGaussSeidel } from './gauss-seidel/nsgs';
import { ProximalPoint } from './proximal';
import { type FrictionSettings, type FrictionSolver, SymmetricOnly } from './solver';

interface FrictionSetting {
  readonly key: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

export interface FrictionSolverEntry {
  readonly name: string;
  /** what it can be told beside the tolerance */
  readonly settings: readonly FrictionSetting[];
}

type Build = (setting: (key: string) => number, local: string | undefined) => FrictionSolver;

const builders: Readonly<Record<string, Build>> = {
  auto: () => new ByIslands(() => new AutomaticFriction()),
  NSGS: (setting, local) =>
    new NonsmoothGaussSeidel({
      maxIterations: setting('maxIterations'),
      relaxation: setting('relaxation'),
      depth: setting('depth'),
      local,
    }),
  ExtrapolatedNSGS: (setting) => new ExtrapolatedSweeps(setting('maxIterations')),
  SemiSmoothNewton: (setting) => new FrictionNewton(setting('maxIterations')),
  ADMM: (setting) => new FrictionAdmm(setting('maxIterations')),
  FrictionInteriorPoint: (setting) => new FrictionInteriorPoint(setting('maxIterations')),
  Proximal: (setting) => new ProximalPoint(setting('maxIterations')),
  DeSaxce: (setting) => new ConvexFixedPoint(deSaxce, setting('maxIterations')),
  Tresca: (setting) => new ConvexFixedPoint(tresca, setting('maxIterations')),
  Faceted: (setting) => new FacetedCone(setting('facets')),
};

/** Automatic choice first. */
export const frictionSolvers: readonly FrictionSolverEntry[] = [autoSolver, ...frictionSolverDefinitions].map(
  ({ type, fields }) => ({
    name: type,
    settings: fields.flatMap((field) => {
      if (field.key === 'tolerance' || (field.kind !== 'number' && field.kind !== 'integer')) return [];
      const { key, default: value, min = -Infinity, max = Infinity } = field;
      return [{ key, default: Number(value), min, max }];
    }),
  }),
);

/**
 * @param name one of `frictionSolvers`
 * @param settings values by key; those left out take their defaults
 * @param local for Gauss–Seidel: name of a solver of one contact, or nothing for the one that is written out
 *   in its sweeps
 * @throws {Error} for a name the registry does not have
 */
export function createFrictionSolver(
  name: string,
  settings: FrictionSettings = {},
  local?: string,
): FrictionSolver {
  const entry = frictionSolvers.find((candidate) => candidate.name === name);
  if (entry === undefined || !Object.hasOwn(builders, name))
    throw new Error(`no friction solver is called ${name}`);
  const solver = builders[name]((key) => {
    const value = settings[key] ?? entry.settings.find((setting) => setting.key === key)?.default;
    if (value === undefined) throw new Error(`the friction solver ${name} has no setting ${key}`);
    return value;
  }, local);
  return SYMMETRIC_ONLY.has(name) ? new SymmetricOnly(name, solver) : solver;
}
