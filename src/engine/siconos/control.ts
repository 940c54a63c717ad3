/**
 * Sampled controls for the control toolbox of Siconos: linear plants, each with one controller and with
 * observers, stepped by its simulation of control. What is outside of that is refused where it stands.
 */
import type {
  Expression,
  FieldValue,
  ModelDocument,
  SparseMatrixValue,
  SystemDocument,
} from '../document/types';
import { blockTypes } from '../model/control/registry';
import { systemWriters } from './elements';
import { pythonString, type PythonNames } from './python/names';
import { type Attempt, functionName, type ModelWriter, NoCounterpart, rowCount } from './writer';

export const isControlled = ({ systems }: ModelDocument): boolean =>
  systems.some(({ type }) => blockTypes.has(type));

/** What a controller or an observer reads: an object of the script. */
interface Sensor {
  readonly name: string;
  readonly plant: Plant;
  /** whether y is the whole state, in its order */
  readonly isState: boolean;
}

interface Plant {
  readonly system: SystemDocument;
  readonly name: string;
  readonly index: number;
  /** entries of the state, and of the control */
  readonly n: number;
  readonly m: number;
  /** names of its controls, in the order of the columns of T */
  readonly controls: readonly string[];
  /** column of x[0] in the table of Siconos; its controls follow the state */
  column: number;
}

interface Controller {
  readonly lines: string[];
  /** columns of the table of Siconos that it has, and its outputs by them */
  readonly width: number;
  outputs(first: number): string[];
  /** lines after the simulation has been initialised */
  readonly last?: string[];
}

const signalName = (id: string, of: string, i: number, count: number): string =>
  `${id}.${of}${count > 1 ? `[${i}]` : ''}`;
const namesOf = (id: string, of: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => signalName(id, of, i, count));
const expressionsOf = (value: FieldValue | undefined): string[] =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' ? one.trim() : JSON.stringify(one)))
    : [];
const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);

/** Whether it is a whole number of times, but for rounding. */
const isWhole = (ratio: number): boolean =>
  Math.abs(ratio - Math.round(ratio)) < 1e-9 && Math.round(ratio) !== 0;

/** Controllers: how each is made from its sensor and its plant's matrix of the control. */
const MAKERS: Readonly<
  Record<string, (script: ControlScript, block: SystemDocument, plant: Plant, name: string) => Controller>
> = {
  PID: (script, block, plant, name) => {
    const { to } = script;
    if (block.lower !== undefined || block.upper !== undefined)
      throw new NoCounterpart('Its control has bounds.', 'Remove the bounds; PID of Siconos has none.');
    const reference = (block.reference as Expression[])[0];
    if (typeof reference === 'string' && !Number.isFinite(evaluated(() => to.evaluate(reference))))
      throw new NoCounterpart(
        'Its reference changes in time.',
        'Give it a number or an expression of parameters.',
      );
    const gains = [block.kp, block.ki ?? 0, block.kd ?? 0].map((gain) => to.number(gain as Expression));
    return {
      lines: [
        `${name} = controllers.PID(${script.sensor(block, 'measured', plant).name}, ${script.controlMatrix(plant)})`,
        `${name}.setK(np.array([${gains.join(', ')}], dtype=float))`,
        `${name}.setRef(${to.number(reference)})`,
      ],
      width: 1,
      outputs: (first) => [`row[${first}]`],
      // Initialised, it has the time step for its sampling period.
      last: [`${name}.setDeltaT(${to.number(block.every as Expression)})`],
    };
  },
  SlidingModeControl: (script, block, plant, name) => {
    script.checkModel(block, plant);
    const kind = block.method === 'explicit' ? 'ExplicitLinearSMC' : 'LinearSMC';
    const { to } = script;
    return {
      lines: [
        `${name} = controllers.${kind}(${script.state(block, plant).name}, ${script.controlMatrix(plant)})`,
        `${name}.setCsurface(${to.matrix(block.C ?? [], plant.m, plant.n)})`,
        `${name}.setAlpha(${to.number((block.alpha ?? 1) as Expression)})`,
        `${name}.setTheta(${to.number((block.theta ?? 0.5) as Expression)})`,
        `${name}.noUeq(${block.equivalent === 'no' ? 'True' : 'False'})`,
      ],
      width: plant.m,
      outputs: (first) => plant.controls.map((_, i) => `row[${first + i}]`),
    };
  },
  SlidingModeOT2: (script, block, plant, name) => {
    script.checkModel(block, plant);
    const { to } = script;
    const surface = script.dense(block.C, 1, 1);
    if (plant.n !== 1 || to.evaluate(block.alpha as Expression) !== 2 || surface[0] !== 1)
      throw new NoCounterpart(
        'LinearSMCOT2 of Siconos keeps its controls within 2, and has the sum of the entries of C for C Ψ / h.',
        'For a plant with one state set C = 1 and the bound to 2, or choose SlidingModeControl.',
      );
    return {
      lines: [
        `${name} = controllers.LinearSMCOT2(${script.state(block, plant).name})`,
        `${name}.setB(${script.controlMatrix(plant)})`,
        `${name}.setCsurface(${to.matrix(block.C ?? [], 1, 1)})`,
      ],
      width: 1,
      outputs: (first) => [`row[${first}]`],
    };
  },
  Twisting: (script, block, plant, name) => {
    if (block.method !== 'explicit')
      throw new NoCounterpart(
        'The implicit twisting control of Siconos needs a build with lp_solve, which that of Debian is not.',
        'Set its discretisation to explicit.',
      );
    const T = plant.n === 2 && plant.m === 1 ? script.dense(plant.system.T, 2, 1) : [];
    if (!isSame(T, [0, 1]))
      throw new NoCounterpart(
        'The twisting control of Siconos acts on the second of two states, with T = (0, 1).',
        'State the plant as a variable and its rate, and scale the control.',
      );
    const { to } = script;
    const [gain, beta] = [block.gain, block.beta ?? 0.5].map((value) => to.number(value as Expression));
    return {
      lines: [
        `${name} = controllers.ExplicitTwisting(${script.state(block, plant).name}, ${gain}, ${beta})`,
        `${name}.setCsurface(np.eye(2))`,
      ],
      // The table has both multipliers.
      width: 2,
      outputs: (first) => [`(${gain}) * (row[${first}] + (${beta}) * row[${first + 1}])`],
    };
  },
};

const OBSERVERS: ReadonlySet<string> = new Set(['LuenbergerObserver', 'SlidingReducedOrderObserver']);
const WRITTEN = [...Object.keys(MAKERS), ...OBSERVERS, 'LinearSensor'].join(', ');

/** The value of an expression; not a number where it names signals. */
function evaluated(evaluate: () => number): number {
  try {
    return evaluate();
  } catch {
    return NaN;
  }
}

class ControlScript {
  readonly to;
  readonly #plants: Plant[] = [];
  readonly #lines: string[] = [];
  readonly #last: string[] = [];
  readonly #signals: string[] = [];
  readonly #blocks: readonly SystemDocument[];
  readonly #sensors = new Map<string, Sensor>();

  constructor(
    private readonly document: ModelDocument,
    private readonly writer: ModelWriter,
    private readonly names: PythonNames,
    private readonly attempt: Attempt,
  ) {
    this.to = writer.forElement('');
    this.#blocks = document.systems.filter(({ type }) => blockTypes.has(type));
  }

  write(): string[] {
    const { document } = this;
    document.interactions.forEach(({ id }, i) =>
      this.attempt(`/interactions/${i}`, id, () => {
        throw new NoCounterpart(
          'The simulation of control of Siconos has no interactions but those of its controls.',
          'Export the model without controls, or without this interaction.',
        );
      }),
    );
    this.#each(
      (system) => !blockTypes.has(system.type),
      (system) => this.#plant(system),
    );
    this.#each(
      ({ type }) => type === 'LinearSensor',
      (block) => this.#linearSensor(block),
    );
    let column = 1;
    for (const plant of this.#plants) {
      plant.column = column;
      const width = this.#controller(plant);
      column += plant.n + width;
    }
    this.#each(
      ({ id, type }) =>
        type in MAKERS &&
        !this.#plants.some(({ controls }) => controls.includes(`${id}.u`) || controls.includes(`${id}.u[0]`)),
      () => {
        throw new NoCounterpart(
          'It is no plant’s control.',
          'Name its outputs in the field u of a plant, all of them and in their order.',
        );
      },
    );
    this.#observers();
    this.#each(
      ({ type }) => blockTypes.has(type) && !WRITTEN.split(', ').includes(type),
      ({ type }) => {
        throw new NoCounterpart(
          `It is of type ${type}, which the control toolbox of Siconos lacks.`,
          `Use ${WRITTEN}.`,
        );
      },
    );
    const loop = this.attempt('/simulation', '', () => this.#simulation()) ?? [];
    return [...loop, ...this.#lines, 'simulation.initialize()', ...this.#last, ...this.#signals];
  }

  #each(chosen: (system: SystemDocument) => boolean, write: (system: SystemDocument) => void): void {
    this.document.systems.forEach((system, i) => {
      if (chosen(system)) this.attempt(`/systems/${i}`, system.id, () => write(system));
    });
  }

  #every(block: SystemDocument): number {
    return this.to.evaluate(block.every as Expression);
  }

  /** Whole samples fall on steps there, or its states are wrong. */
  #period(block: SystemDocument): string {
    const { to } = this;
    const { t0, h } = this.document.simulation;
    const [every, from] = [this.#every(block), to.evaluate((block.offset ?? 0) as Expression)];
    if (!isWhole(every / to.evaluate(h)))
      throw new NoCounterpart(
        'Its sampling period is not a multiple of the time step, and Siconos is wrong between.',
        'Choose a time step h that divides the sampling period.',
      );
    if (!isWhole((to.evaluate(t0) - from) / every) && to.evaluate(t0) !== from)
      throw new NoCounterpart(
        'It has no sample at the start, where Siconos takes the first one.',
        'Leave the time of a sample at the start of the run.',
      );
    return to.number(block.every as Expression);
  }

  #plant(system: SystemDocument): void {
    const writer = systemWriters.get(system.type);
    if (system.type !== 'FirstOrderLinear' || writer === undefined)
      throw new NoCounterpart(
        `It is of type ${system.type}; controllers and observers of Siconos have linear plants.`,
        'Linearise it to a system of type FirstOrderLinear.',
      );
    const { u, T, controlSize: _, ...rest } = system;
    if (functionName(rest.A) !== null || functionName(rest.b) !== null || rest.mass !== undefined)
      throw new NoCounterpart(
        'It has a mass matrix, or matrices that change in time, beside sampled controls.',
        'Give A and b as numbers, multiplied by the inverse of the mass matrix.',
      );
    if (u !== undefined && (typeof u !== 'object' || !('signals' in u)))
      throw new NoCounterpart(
        'Its control is not that of a controller.',
        'Put the control into b, or name the outputs of a controller.',
      );
    const controls = u === undefined ? [] : expressionsOf(u.signals);
    const name = this.names.claim(system.id);
    const index = this.document.systems.indexOf(system);
    const n = Number(system.n);
    this.#plants.push({ system: { ...rest, T }, name, index, n, m: controls.length, controls, column: 0 });
    this.#lines.push(
      `${name} = ${writer.write(rest, this.to, { areLinear: true, atEnd: false }).object}`,
      `simulation.addDynamicalSystem(${name})`,
    );
  }

  controlMatrix({ system, n, m }: Plant): string {
    return this.to.matrix(system.T ?? [], n, m);
  }

  /** Numbers of a matrix, row by row. */
  dense(value: FieldValue | undefined, rows: number, columns: number): number[] {
    const result = Array.from({ length: rows * columns }, () => 0);
    if (Array.isArray(value))
      (value as Expression[][]).forEach((row, i) =>
        row.forEach((entry, j) => (result[i * columns + j] = this.to.evaluate(entry))),
      );
    else if (value !== undefined)
      for (const [i, j, entry] of (value as SparseMatrixValue).entries)
        result[i * columns + j] += this.to.evaluate(entry);
    return result;
  }

  /** The toolbox knows no model but the plant itself. */
  checkModel(block: SystemDocument, { system, n, m }: Plant): void {
    const pairs = [
      [block.A, system.A, n],
      [block.B, system.T, m],
    ] as const;
    for (const [own, given, columns] of pairs)
      if (!isSame(this.dense(own, n, columns), this.dense(given, n, columns)))
        throw new NoCounterpart(
          'Its model of the plant differs from the plant, which is the model that Siconos takes.',
          'Give it A and B of the plant.',
        );
  }

  #linearSensor(block: SystemDocument): void {
    if (block.u !== undefined || block.D !== undefined)
      throw new NoCounterpart('It passes controls through.', 'Remove D and u.');
    const inputs = expressionsOf(block.x);
    const plant = this.#plants.find(({ system, n }) => isSame(inputs, namesOf(system.id, 'x', n)));
    if (plant === undefined)
      throw new NoCounterpart(
        'It measures something else than the whole state of one plant.',
        'List all states of a plant in their order, and choose by C.',
      );
    const rows = rowCount(block.C);
    const name = this.names.claim(block.id);
    const C = this.dense(block.C, rows, plant.n);
    const isState = rows === plant.n && C.every((entry, k) => entry === (k % (plant.n + 1) === 0 ? 1 : 0));
    this.#lines.push(
      `${name} = LinearSensor(${plant.name}, ${this.to.matrix(block.C ?? [], rows, plant.n)})`,
      `simulation.addSensor(${name}, ${this.#period(block)})`,
    );
    const note = 'Outputs of sensors are not in the table of the script.';
    if (!this.writer.warnings.includes(note)) this.writer.warnings.push(note);
    this.#sensors.set(namesOf(block.id, 'y', rows).join(), { name, plant, isState });
  }

  /** What a block reads of its plant by the field `key`. */
  sensor(block: SystemDocument, key: string, plant: Plant): Sensor {
    const inputs = expressionsOf(block[key]);
    const known = this.#sensors.get(inputs.join());
    if (known?.plant === plant) return known;
    const states = namesOf(plant.system.id, 'x', plant.n);
    if (inputs.length === 0 || inputs.some((input) => !states.includes(input)))
      throw new NoCounterpart(
        'It reads something else than states of its plant or all outputs of one sensor.',
        `Read ${states.join(', ')}, or a sensor of them; Siconos has no sensors of other signals.`,
      );
    const rows = inputs.map((input) => `[${states.map((state) => (state === input ? 1 : 0)).join(', ')}]`);
    const name = this.names.claim(`${block.id}_sensor`);
    this.#lines.push(
      `${name} = LinearSensor(${plant.name}, np.array([${rows.join(', ')}], dtype=float))`,
      `simulation.addSensor(${name}, ${this.#period(block)})`,
    );
    return { name, plant, isState: isSame(inputs, states) };
  }

  /** The sensor of a controller that takes the whole state. */
  state(block: SystemDocument, plant: Plant): Sensor {
    const sensor = this.sensor(block, 'x', plant);
    if (sensor.isState) return sensor;
    throw new NoCounterpart(
      'It reads a part of the state, or in another order.',
      'Read all states of its plant in their order.',
    );
  }

  /** @returns columns that the controller of a plant has in the table of Siconos */
  #controller(plant: Plant): number {
    const { controls, system, index } = plant;
    for (let i = 0; i < plant.n; i++)
      this.#signal(signalName(system.id, 'x', i, plant.n), `row[${plant.column + i}]`);
    if (controls.length === 0) return 0;
    const written = this.attempt(`/systems/${index}/u`, system.id, () => {
      const block = this.#driver(plant);
      if (block !== undefined && block.type in MAKERS) return block;
      throw new NoCounterpart(
        'Its control is not the output of one controller that Siconos has.',
        `Name all outputs of one of ${Object.keys(MAKERS).join(', ')}, in their order.`,
      );
    });
    if (written === null) return 0;
    const made = this.attempt(`/systems/${this.document.systems.indexOf(written)}`, written.id, () => {
      const name = this.names.claim(written.id);
      const controller = MAKERS[written.type](this, written, plant, name);
      this.#lines.push(...controller.lines, `simulation.addActuator(${name}, ${this.#period(written)})`);
      return controller;
    });
    if (made === null) return 0;
    this.#last.push(...(made.last ?? []));
    made
      .outputs(plant.column + plant.n)
      .forEach((read, i) => this.#signal(signalName(written.id, 'u', i, controls.length), read));
    return made.width;
  }

  #signal(name: string, read: string): void {
    this.#signals.push(`signals += [(${pythonString(name)}, lambda row: ${read})]`);
  }

  #observers(): void {
    const columns: { id: string; n: number; width: number }[] = [];
    this.#each(
      ({ type }) => OBSERVERS.has(type),
      (block) => {
        const inputs = expressionsOf(block.measured);
        const plant = this.#plants.find(
          (one) =>
            this.#sensors.get(inputs.join())?.plant === one ||
            inputs.some((input) => namesOf(one.system.id, 'x', one.n).includes(input)),
        );
        if (plant === undefined)
          throw new NoCounterpart('It measures no plant.', 'Measure states of a plant, or a sensor of them.');
        if (!isSame(expressionsOf(block.control), plant.controls))
          throw new NoCounterpart(
            'Its control is not that of the plant it measures.',
            'Name the controls of the plant, all of them and in their order.',
          );
        if (plant.system.b !== undefined)
          throw new NoCounterpart(
            'Its plant has a source b, which observers of Siconos take for known.',
            'Remove b, or the observer.',
          );
        this.checkModel(block, plant);
        const driver = this.#driver(plant);
        if (driver !== undefined && !isWhole(this.#every(driver) / this.#every(block)))
          throw new NoCounterpart(
            'The control changes within its sampling period, of which Siconos takes the last one.',
            'Sample it as often as the controller of its plant, or a whole number of times as often.',
          );
        const rows = rowCount(block.C);
        const name = this.names.claim(block.id);
        const start = `np.array(${this.to.vector(block.x0, plant.n)}, dtype=float)`;
        const C = this.to.matrix(block.C ?? [], rows, plant.n);
        // Its innovation is C x̂ − y.
        const L = `-${this.to.matrix(block.L ?? [], plant.n, rows)}`;
        this.#lines.push(
          `${name} = observers.${block.type}(${this.sensor(block, 'measured', plant).name}, ${start}, ${C}, ${L})`,
          `simulation.addObserver(${name}, ${this.#period(block)})`,
        );
        columns.push({ id: block.id, n: plant.n, width: plant.n + this.#width(plant) + rows });
      },
    );
    // The models of observers are the last ones in the table of Siconos; controllers have some, too.
    let before = columns.reduce((sum, { width }) => sum + width, 0);
    for (const { id, n, width } of columns) {
      for (let i = 0; i < n; i++) this.#signal(signalName(id, 'xHat', i, n), `row[${i - before}]`);
      before -= width;
    }
  }

  #width(plant: Plant): number {
    return this.#driver(plant)?.type === 'Twisting' ? 2 : plant.m;
  }

  /** The block whose outputs are the controls of a plant. */
  #driver({ controls }: Plant): SystemDocument | undefined {
    return this.#blocks.find(({ id }) => isSame(controls, namesOf(id, 'u', controls.length)));
  }

  #simulation(): string[] {
    const { simulation } = this.document;
    const [integrator] = simulation.integrators;
    const isExact = this.#plants.every(({ system }) => system.b === undefined);
    if (simulation.scheme === 'time-stepping' && integrator?.type !== 'ZeroOrderHold')
      throw new NoCounterpart(
        'The simulation of control of Siconos integrates plants exactly between samples.',
        'Choose the integrator ZeroOrderHold.',
      );
    // With a source that by zero-order hold is wrong there.
    const kind = isExact ? 'ZOH' : 'Lsodar';
    if (!isExact && this.#plants.length > 1)
      throw new NoCounterpart(
        'Siconos integrates a plant with a source b alone.',
        'Remove b, or leave one plant.',
      );
    return [
      '# One step more, as Siconos does not sample at the end.',
      `simulation = Control${kind}Simulation(t0, t_end + h, h)`,
      'simulation.setSaveOnlyMainSimulation(False)',
    ];
  }
}

/** What a script of sampled controls has in place of a model and its loop. */
export const CONTROL_IMPORTS: readonly string[] = [
  'import siconos.control.controller as controllers',
  'import siconos.control.observer as observers',
  'from siconos.control.sensor import LinearSensor',
  'from siconos.control.simulation import ControlLsodarSimulation, ControlZOHSimulation',
];

/** Lines of plants, controllers and observers; their signals are functions of a row of Siconos’ table. */
export const controlLines = (
  document: ModelDocument,
  writer: ModelWriter,
  names: PythonNames,
  attempt: Attempt,
): string[] => new ControlScript(document, writer, names, attempt).write();
