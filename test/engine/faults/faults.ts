/**
 * Faults that are planted in the engine one at a time: slips of the kinds that runs were found to be wrong
 * by. They were chosen for what they get wrong, before anybody knew whether a verdict sees them.
 */
import type { Fault } from './plant';

type Slip = readonly [name: string, find: string, replace: string];

const of = (kind: string, module: string, slips: readonly Slip[]): Fault[] =>
  slips.map(([name, find, replace]) => ({ name, kind, module: `@engine/${module}`, find, replace }));

const events: readonly Fault[] = [
  ...of('dropped root', 'event-driven/rows/row-events', [
    [
      'open-contacts-unwatched',
      'else watch[at] = mode === LOWER ? FALLING : RISING;',
      'else watch[at] = UNWATCHED;',
    ],
    [
      'lift-off-unwatched',
      'isActive && laws.lower[row] !== -Infinity ? FALLING',
      'isActive && laws.lower[row] === 0.5 ? FALLING',
    ],
    [
      'upper-bound-unwatched',
      'isActive && laws.upper[row] !== Infinity ? FALLING',
      'isActive && laws.upper[row] === 0.5 ? FALLING',
    ],
    [
      'end-of-slip-unwatched',
      'watch[at] = flow.modes[row] === LOWER ? FALLING : RISING;',
      'watch[at] = UNWATCHED;',
    ],
    ['end-of-stick-unwatched', 'watch[at + 2] = sticks ? FALLING : UNWATCHED;', 'watch[at + 2] = UNWATCHED;'],
  ]),
  ...of('sign', 'event-driven/rows/row-events', [
    ['bound-with-other-sign', 'lambda - laws.lower[row] :', 'lambda + laws.lower[row] :'],
    [
      'root-of-the-mirrored-gap',
      'values: Float64Array.from(entries, (k) => C[r * columns + k])',
      'values: Float64Array.from(entries, (k) => -C[r * columns + k])',
    ],
  ]),
  ...of('wrong scale', 'event-driven/rows/row-events', [
    [
      'friction-bound-doubled',
      'const bound = laws.mu[row] * this.#multipliers',
      'const bound = 2 * laws.mu[row] * this.#multipliers',
    ],
  ]),
  ...of('lost term', 'event-driven/rows/row-events', [
    ['gap-without-its-constant', ': Float64Array.of(constant, 0)', ': Float64Array.of(0, 0)'],
  ]),
  ...of('dropped root', 'smooth/sign-sweep', [['every-root-rises', 'this.kind = sign;', 'this.kind = 1;']]),
  ...of('dropped root', 'smooth/piece-walk', [
    ['extrema-unseen', 'if (changes === 1) {\n', 'if (changes === 3) {\n'],
  ]),
  ...of('dropped root', 'smooth/root-memory', [
    [
      'last-root-first',
      'if (first < 0 || places[j] < places[first]) this.first = j;',
      'if (first < 0 || places[j] > places[first]) this.first = j;',
    ],
  ]),
  ...of('wrong side of a jump', 'smooth/bracketing', [
    ['root-by-one-bisection', 'iteration < MOST_ITERATIONS', 'iteration < 2'],
  ]),
  ...of('sign', 'event-driven/impact/impact', [
    [
      'restitution-backwards',
      'problem.q[i] = (1 + e) * outputs.speed[row];',
      'problem.q[i] = (1 - e) * outputs.speed[row];',
    ],
  ]),
  ...of('lost row', 'event-driven/impact/impact', [
    [
      'impact-without-joints',
      "if (!isContact && laws.kind[row] !== 'joint') continue;",
      'if (!isContact) continue;',
    ],
    [
      'impact-without-separating-neighbours',
      'isContact && !isLast && outputs.speed[row] > outputs.atRest(row)',
      'isContact && !isLast && outputs.speed[row] > -outputs.atRest(row)',
    ],
  ]),
  ...of('wrong scale', 'event-driven/impact/impact', [
    [
      'half-the-expansion',
      'problem.lower[i] = this.#restitution(row, isLast) * problem.z[i];',
      'problem.lower[i] = 0.5 * this.#restitution(row, isLast) * problem.z[i];',
    ],
  ]),
  ...of('sign', 'event-driven/decision/mode-decision', [
    [
      'opens-to-the-other-side',
      'if (w[i] > zero && !isInside(aboveLower, d, w[i])) found[row] = LOWER;',
      'if (w[i] > zero && !isInside(aboveLower, d, w[i])) found[row] = UPPER;',
    ],
    [
      'ties-looked-at-backwards',
      '(-3 * w0[row] + 4 * w1[row] - w2[row])',
      '(3 * w0[row] - 4 * w1[row] + w2[row])',
    ],
  ]),
  ...of('lost row', 'event-driven/decision/mode-decision', [
    ['tie-decides-nothing', 'if (this.#hasTies) this.#decideTies(clock, x);', ''],
  ]),
  ...of('stale factor', 'event-driven/flow/smooth-flow', [
    ['operator-of-the-last-modes', 'this.#isFactored = false;\n    if (', 'if ('],
    [
      'held-multipliers-unpushed',
      'if (this.lambda[row] !== 0) this.#pushing[this.#pushingCount++] = row;',
      '',
    ],
  ]),
  ...of('sign', 'event-driven/rows/row-laws', [
    [
      'bound-of-the-other-mode',
      'modes[row] === LOWER ? lower[row] : upper[row]',
      'modes[row] === LOWER ? upper[row] : lower[row]',
    ],
  ]),
  ...of('sign', 'event-driven/flow/drift', [
    ['projected-away', 'state.target[row] - state.y[row] : 0', 'state.y[row] - state.target[row] : 0'],
  ]),
  ...of('lost row', 'event-driven/event-state', [['flags-kept', 'this.isFlagged.fill(0);', '']]),
  ...of('lost row', 'event-driven/impact/event-handling', [
    [
      'closed-at-any-speed',
      'return impact.isClosed(row) && Math.abs(outputs.speed[row]) <= outputs.atRest(row);',
      'return impact.isClosed(row);',
    ],
  ]),
  ...of('off by one', 'event-driven/assembly', [
    [
      'last-step-left-out',
      'Math.floor((tEnd - t0) / h + LAST_STEP)',
      'Math.floor((tEnd - t0) / h + LAST_STEP) - 1',
    ],
  ]),
  ...of('skipped pulse', 'event-driven/conditions/held-conditions', [
    [
      'falling-margins-only-later',
      'if (change < 0) falling.push(tie);',
      'if (change > 0) falling.push(tie);',
    ],
  ]),
  ...of('skipped pulse', 'event-driven/conditions/margins-ahead', [
    ['times-of-conditions-forgotten', 'this.timed.push(margin);', ''],
  ]),
  ...of('wrong scale', 'smooth-arcs/flow', [
    [
      'series-with-a-wrong-factorial',
      'const factor = 1 / (k + 1);',
      'const factor = 1 / (k + 1 + (k === 3 ? 1 : 0));',
    ],
    [
      'series-cut-short',
      'while (order < MAX_ORDER && rho > REACH[order]) order++;',
      'while (order < 3 && rho > REACH[order]) order++;',
    ],
  ]),
  ...of('sign', 'smooth-arcs/analytic-forcing', [
    [
      'sinusoid-turned-round',
      '(at - first) % 2 === 0 ? frequency : -frequency',
      '(at - first) % 2 === 0 ? -frequency : frequency',
    ],
  ]),
  ...of('wrong scale', 'impacts/contact-energies', [['released-by-e', '1 / (e * e)', '1 / e']]),
  ...of('sign', 'event-driven/decision/friction-coupling', [
    [
      'friction-drives',
      'modes[row] === LOWER ? -mu[row] : mu[row]',
      'modes[row] === LOWER ? mu[row] : -mu[row]',
    ],
  ]),
  ...of('sign', 'event-driven/rows/relation-rows', [
    [
      'curvature-turned-round',
      'for (let r = 0; r < relation.size; r++) out[row + r] = y[r];',
      'for (let r = 0; r < relation.size; r++) out[row + r] = -y[r];',
    ],
  ]),
];

const steps: readonly Fault[] = [
  ...of('sign', 'integrators/euler-moreau', [
    [
      'residual-added',
      'rhs[at + i] = context.inputOffset[dof + i] - rhs[at + i]',
      'rhs[at + i] = context.inputOffset[dof + i] + rhs[at + i]',
    ],
  ]),
  ...of('wrong scale', 'integrators/euler-moreau', [
    ['theta-lost-in-the-matrix', 'const weight = context.h[0] * theta;', 'const weight = context.h[0];'],
    [
      'old-rate-twice',
      'theta * rate1[at + i] + (1 - theta) * rate0[at + i]',
      'theta * rate1[at + i] + theta * rate0[at + i] + (1 - theta) * rate0[at + i]',
    ],
  ]),
  ...of('wrong scale', 'integrators/moreau-jean-linear', [
    [
      'stiffness-without-h',
      'h * theta * (h * theta) * this.#stiffness[dof]',
      'h * theta * theta * this.#stiffness[dof]',
    ],
    [
      'position-by-the-end',
      'h * (theta * state[v + i] + (1 - theta) * start[v + i]);',
      'h * (state[v + i]);',
    ],
    ['force-of-the-start-only', 'h * (theta * force1[i] + (1 - theta) * force0[i]);', 'h * force0[i];'],
    [
      'impulse-times-h',
      "return multiplier === 'impulse' ? 1 : this.context.h[0];",
      'return this.context.h[0];',
    ],
  ]),
  ...of('stale factor', 'integrators/moreau-jean-linear', [
    ['force-never-taken-over', 'if (this.#forces.length > 0) this.#force0.set(this.#force1);', ''],
    ['base-never-taken-over', 'this.#basePosition0.set(this.#basePosition1);', ''],
  ]),
  ...of('wrong scale', 'integrators/half-steps', [
    [
      'whole-step-at-the-end',
      'state[q + i] = middle[q + i] + half * state[v + i];',
      'state[q + i] = middle[q + i] + 2 * half * state[v + i];',
    ],
    [
      'force-at-the-middle-halved',
      'rhs[i] = moved - h[0] * force[i];',
      'rhs[i] = moved - 0.5 * h[0] * force[i];',
    ],
  ]),
  ...of('lost row', 'time-stepping/one-step', [
    [
      'friction-stays-out',
      'for (let f = 1; f <= this.#friction[k]; f++) active[row + f] = isActive;',
      'for (let f = 1; f <= this.#friction[k]; f++) active[row + f] = 0;',
    ],
    ['no-forecast', 'gap[row] + forecast[row] * h * gapVelocity[row] <= limit', 'gap[row] <= limit'],
    [
      'last-row-unposed',
      'for (let i = 0; i < this.activeCount; i++) {',
      'for (let i = 0; i < this.activeCount - 1; i++) {',
    ],
    [
      'restitution-left-out',
      'q[i] = base[row] + sum + restitution[row] * reference[row];',
      'q[i] = base[row] + sum;',
    ],
  ]),
  ...of('lost row', 'time-stepping/delassus', [
    ['no-feedthrough', 'operator.values[place] += values[k];', 'operator.values[place] += 0 * values[k];'],
    [
      'response-of-the-last-row-lost',
      'for (let row = 0; row < lambda.length; row++) {\n      const factor',
      'for (let row = 0; row < lambda.length - 1; row++) {\n      const factor',
    ],
  ]),
  ...of('stale factor', 'time-stepping/newton-iteration', [
    ['newton-ends-early', 'context.residual[0] <= tolerance ||', 'context.residual[0] <= 1e6 * tolerance ||'],
    ['inputs-uncompared', 'this.#compareInputs();', ''],
  ]),
  ...of('stale factor', 'time-stepping/half-steps', [
    [
      'end-projected-along-the-start',
      'if (!this.#linearise(clock, state)) return false;\n    for (let k = 0; k < this.#groups.length; k++) {\n      const group = this.#groups[k];\n      group.measureRate(clock, state, this.#worst);\n      group.solve();',
      'for (let k = 0; k < this.#groups.length; k++) {\n      const group = this.#groups[k];\n      group.measureRate(clock, state, this.#worst);\n      group.solve();',
    ],
    [
      'velocity-left-unprojected',
      'group.push(state, v);\n      group.enter(this.#impulse);',
      'group.enter(this.#impulse);',
    ],
    ['joint-impulse-of-the-start-lost', 'lambda[rows[k]] += this.#impulse[rows[k]];', ''],
  ]),
  ...of('cone for a pyramid', 'problems/law-reduction', [
    ['half-the-cone', '[3, 0, mu],', '[3, 0, 0.5 * mu],'],
    ['one-sided-friction', '[3, 2, -1],', '[3, 2, 0],'],
  ]),
];

const bodies: readonly Fault[] = [
  ...of('sign', 'spatial/bodies/rigid-body', [
    [
      'gyroscopic-turned-round',
      'addCross(omega, at, momentum, 0, -factor, out, outAt);',
      'addCross(omega, at, momentum, 0, factor, out, outAt);',
    ],
    [
      'contact-lever-turned-round',
      'addCross(arm, 0, frame, axis, sign, turned, 0);',
      'addCross(arm, 0, frame, axis, -sign, turned, 0);',
    ],
  ]),
  ...of('lost term', 'spatial/bodies/rigid-body', [
    ['contacts-without-levers', 'out[entry + 3 + i] += turned[i];', 'out[entry + 3 + i] += 0 * turned[i];'],
  ]),
  ...of('stale factor', 'spatial/bodies/rigid-body', [
    ['inertia-of-the-start', 'law(end, inertia.fill(0));', 'law(start, inertia.fill(0));'],
  ]),
  ...of('wrong scale', 'spatial/bodies/rotation-step', [
    [
      'turned-by-a-whole-step',
      'rotateByVector(this.#given, 0, -0.5 * h, target, 0, target, 0);',
      'rotateByVector(this.#given, 0, -h, target, 0, target, 0);',
    ],
    ['moment-twice', 'target[i] += h * moment[momentAt + i];', 'target[i] += 2 * h * moment[momentAt + i];'],
  ]),
  ...of('wrong scale', 'contact-dynamics/schemes/half-steps', [
    [
      'second-half-too-long',
      'return this.system.advance(q, u, 0.5 * h)',
      'return this.system.advance(q, u, 0.55 * h)',
    ],
    ['load-of-the-start', 'this.#middle[0] = clock[0] + 0.5 * h;', 'this.#middle[0] = clock[0];'],
  ]),
  ...of('lost term', 'spatial/bodies/pseudo-rigid', [
    ['no-lateral-strain', '(k % 4 === 0 ? pressure : 0)', '(k % 4 === 0 ? 0 * pressure : 0)'],
  ]),
  ...of('sign', 'spatial/rows', [
    [
      'axis-turned-the-other-way',
      'first.addAxisGradient(axis, this.#between, 0, 1, out, at, space);',
      'first.addAxisGradient(axis, this.#between, 0, -1, out, at, space);',
    ],
  ]),
  ...of('lost row', 'spatial/rows', [
    [
      'two-rows-of-three',
      'for (let i = 0; i < 3; i++) out[row + i] = second.point[i] - first.point[i];',
      'for (let i = 0; i < 2; i++) out[row + i] = second.point[i] - first.point[i];',
    ],
  ]),
  ...of('lost row', 'contact-dynamics/contacts/contact-frames', [
    [
      'second-body-feels-nothing',
      'if (second >= 0)\n      this.#addSide',
      'if (second > 1e9)\n      this.#addSide',
    ],
  ]),
  ...of('order dependence', 'contact-dynamics/delassus-blocks', [
    [
      'blocks-untransposed',
      'values[to * d * d + c * d + r] = values[from * d * d + r * d + c];',
      'values[to * d * d + r * d + c] = values[from * d * d + r * d + c];',
    ],
  ]),
  ...of('lost row', 'contact-dynamics/contacts/active-frames', [
    ['open-contacts-held', 'gap > slack &&', 'gap > slack + 1e-3 &&'],
  ]),
  ...of('sign', 'contact-dynamics/joint-rows', [
    [
      'limits-without-restitution',
      'q[at] = free + this.restitution * before;',
      'q[at] = free - this.restitution * before;',
    ],
  ]),
  ...of('lost row', 'contact-dynamics/joint-rows', [
    ['limits-let-go', 'return value <= room ||', 'return value + 0.05 <= room ||'],
  ]),
  ...of('wrong scale', 'contact-dynamics/step-aims', [
    ['half-the-friction', 'mu[row] = law.friction;', 'mu[row] = 0.5 * law.friction;'],
    ['restitution-forgotten', 'const normal = isNewton ? law.restitution : 0;', 'const normal = 0;'],
  ]),
  ...of('stale factor', 'contact-dynamics/contact-dynamics', [
    ['joints-not-asked-after-contacts', 'mobility.restrict(this.#impulse, reactions.impulses);', ''],
    [
      'old-geometry-of-joints',
      'if (this.#expected === null) mobility.update(this.jointPositions);',
      'if (this.#expected === null && this.steps === 0) mobility.update(this.jointPositions);',
    ],
  ]),
  ...of('cone for a pyramid', 'problems/friction-contact', [
    [
      'pyramid-of-friction',
      'const tangent = Math.sqrt(x1 * x1 + x2 * x2);',
      'const tangent = Math.abs(x1) + Math.abs(x2);',
    ],
    [
      'associated-friction',
      'const x0 = r0 - u0 - shift * Math.sqrt(u1 * u1 + u2 * u2);',
      'const x0 = r0 - u0;',
    ],
  ]),
  ...of('sign', 'solvers/friction/local-slide', [
    ['slides-with-the-slip', 'work[ANSWER + 1] = mu * normal * d1;', 'work[ANSWER + 1] = -mu * normal * d1;'],
  ]),
  ...of('sign', 'multibody/rows', [
    [
      'pin-of-the-mirrored-body',
      'second.addGradient(0, 1, out, (row + 1) * width);',
      'second.addGradient(0, -1, out, (row + 1) * width);',
    ],
  ]),
  ...of('lost term', 'multibody/rows', [
    ['no-centripetal-term', 'out[row] = first.centripetal[0] - second.centripetal[0];', 'out[row] = 0;'],
  ]),
  ...of('wrong scale', 'multibody/rows', [
    [
      'pin-rolls-on-its-own-radius',
      'first.addAngleGradient(-(pin + clearance), out, at);',
      'first.addAngleGradient(-pin, out, at);',
    ],
  ]),
];

/**
 * In code that runs of the gallery do execute, in the place of others that are no faults: that change no bit
 * of any, or only the path of a solver that looks at its answer, or digits below those that the tolerance
 * leaves.
 */
const further: readonly Fault[] = [
  ...of('wrong scale', 'smooth/dop853', [
    ['weight-with-two-digits-exchanged', 'const B9 = 0.3111643669578199;', 'const B9 = 0.3111646369578199;'],
  ]),
  ...of('sign', 'smooth/dop853', [
    [
      'dense-output-with-two-digits-exchanged',
      'const A14_8 = -0.2462390374708025;',
      'const A14_8 = -0.2462309374708025;',
    ],
  ]),
  ...of('stale factor', 'event-driven/flow/free-motion', [
    ['base-stands-still', 'member.base?.subtract(clock, work);', ''],
    [
      'mass-of-the-start',
      'if (isConstant || form.order === 1) continue;',
      'if (isConstant || form.order === 1 || x[0] > 0.1) continue;',
    ],
  ]),
  ...of('wrong scale', 'event-driven/flow/free-motion', [
    [
      'base-over-twice-the-time',
      'const distance = this.#clock[0] - start;',
      'const distance = 2 * (this.#clock[0] - start);',
    ],
  ]),
  ...of('stale factor', 'event-driven/rows/row-events', [
    [
      'multipliers-a-place-too-far',
      'lambdas[k * count + r] = lambda[r] = flow.lambda[r];',
      'lambdas[this.#next * count + r] = lambda[r] = flow.lambda[r];',
    ],
  ]),
  ...of('stale factor', 'event-driven/flow/mode-flights', [
    [
      'flight-of-other-modes',
      'for (let row = 0; row < modes.length; row++) if',
      'for (let row = 1; row < modes.length; row++) if',
    ],
  ]),
  ...of('off by one', 'smooth-arcs/form-polynomial', [
    ['degree-too-low', 'if (size > 0) degree = k;', 'if (size > 0) degree = Math.max(0, k - 1);'],
  ]),
  ...of('lost row', 'contact-dynamics/mobility', [
    [
      'joints-push-one-body',
      'for (let c = 0; c < n; c++) out[c] += multipliers[r] * this.#jacobian[r * n + c];',
      'for (let c = 0; c < n / 2; c++) out[c] += multipliers[r] * this.#jacobian[r * n + c];',
    ],
  ]),
  ...of('sign', 'collision/narrow-phase/plane-pairs', [
    [
      'contact-point-on-the-other-side',
      'relative[k] + point[k] - (gap + radius) * normal[k]',
      'relative[k] + point[k] + (gap + radius) * normal[k]',
    ],
  ]),
  ...of('lost row', 'collision/narrow-phase/plane-pairs', [
    [
      'last-corner-unseen',
      'for (let k = 0; k < vertexCount; k++) {',
      'for (let k = 0; k < vertexCount - 1; k++) {',
    ],
  ]),
  ...of('stale factor', 'contact-dynamics/rest', [
    ['brought-to-rest-too-soon', 'u[entries[c]] = 0;', 'u[entries[c]] *= 0.999;'],
  ]),
  ...of('wrong scale', 'spatial/projection', [
    [
      'positions-projected-too-far',
      'problem.values[r * rows + s] = sum;',
      'problem.values[r * rows + s] = 0.9 * sum;',
    ],
  ]),
  ...of('sign', 'time-stepping/rows', [
    [
      'surfaces-move-backwards',
      'this.base.set(y, row);\n    this.#rate.set(y, row);\n    if (!isLinearised) return;',
      'for (let r = 0; r < y.length; r++) this.base[row + r] = -y[r];\n    this.#rate.set(y, row);\n    if (!isLinearised) return;',
    ],
  ]),
  ...of('wrong scale', 'time-stepping/half-steps', [
    [
      'impulses-entered-twice',
      'impulses[row + r] -= x[first + r];',
      'impulses[row + r] -= 2 * x[first + r];',
    ],
  ]),
];

/** In contacts by scripts, and in what has a row in a step of bodies. */
const scripted: readonly Fault[] = [
  ...of('sign', 'contact-dynamics/contacts/scripted-contacts', [
    ['scripted-normal-turned-round', 'values[to + 3 + i] = n;', 'values[to + 3 + i] = -n;'],
  ]),
  ...of('wrong scale', 'contact-dynamics/contacts/scripted-contacts', [
    ['scripted-normal-too-long', 'values[to + 3 + i] = n;', 'values[to + 3 + i] = 1.1 * n;'],
    ['scripted-gap-halved', 'gap += n * (other - one);', 'gap += 0.5 * n * (other - one);'],
  ]),
  ...of('lost row', 'contact-dynamics/contacts/scripted-contacts', [
    [
      'scripted-contact-lost',
      'for (let c = 0; c < size; c++) {\n      const at',
      'for (let c = 1; c < size; c++) {\n      const at',
    ],
  ]),
  ...of('stale factor', 'contact-dynamics/contacts/scripted-contacts', [
    [
      'scripted-contact-of-the-start',
      'geometry.find(q, kinematicBodies);',
      'if (!this.#areKnown) geometry.find(q, kinematicBodies);',
    ],
  ]),
  ...of('lost row', 'contact-dynamics/contacts/active-frames', [
    [
      'closed-contacts-left-out',
      'const place = contacts.places[c];\n    this.#reservePlace(place);',
      'const place = contacts.places[c];\n    this.#reservePlace(place);\n    if (place >= 0) return;',
    ],
  ]),
];

/** In control blocks, and in when and what they sample. */
const sampled: readonly Fault[] = [
  ...of('skipped pulse', 'control/sampled-control', [
    ['every-second-sample', 'this.#next[k]++;', 'this.#next[k] += 2;'],
  ]),
  ...of('stale factor', 'control/sampled-control', [
    ['inputs-of-the-sample-before', 'this.#read(k, false);\n      block.step', 'block.step'],
  ]),
  ...of('lost term', 'control/sampled-control', [
    ['memories-never-stepped', 'block.step(this.#memories[k], this.#inputs[k], this.#outputs[k]);', ''],
  ]),
  ...of('sign', 'model/control/state-feedback', [
    ['feedback-with-other-sign', 'K.map((value) => -value)', 'K.map((value) => value)'],
  ]),
  ...of('wrong scale', 'model/control/quantiser', [
    ['cut-off-for-rounded', 'Math.floor(inputs[i] / step + 0.5)', 'Math.floor(inputs[i] / step)'],
  ]),
  ...of('lost term', 'model/control/sliding-mode-control', [
    ['control-without-its-prediction', 'addProduct(psi, out, n, m, next);', ''],
  ]),
  ...of('wrong scale', 'model/control/pid', [
    ['derivative-halved', 'const rate = kd / period;', 'const rate = kd / (2 * period);'],
  ]),
];

export const faults: readonly Fault[] = [...events, ...steps, ...bodies, ...further, ...scripted, ...sampled];
