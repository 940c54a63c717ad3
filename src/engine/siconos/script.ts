/**
 * A model as a Python script that builds and runs it in Siconos: parameters first, then the functions of the
 * model, its systems and interactions, the simulation, and a table of the states. What Siconos has no
 * counterpart for is refused by name.
 */
import { inPlainNumbers } from '../document/expressions';
import { evaluateParameters } from '../document/parameters';
import type {
  DocumentIssue,
  InteractionDocument,
  ModelDocument,
  ParameterDocument,
  SystemDocument,
} from '../document/types';
import { readScripts, ScriptLinks } from '../script/link';
import { withScriptFunctions } from '../script/generated';
import { HELPERS, mathLines } from './helpers';
import { PythonNames, identifier, pythonComment, pythonDocstring, pythonString } from './python/names';
import { translateScript } from './python/translate-script';
import { BODY_IMPORTS, bodyLines, hasBodies } from './bodies';
import { CONTROL_IMPORTS, controlLines, isControlled } from './control';
import { lawWriterOf, lawWriters, relationWriters, systemWriters } from './elements';
import {
  type Linearity,
  areRowsAtEnd,
  integratorLines,
  problemOf,
  newtonLines,
  simulationLines,
  warnOfObservables,
  warnOfSettings,
} from './simulation';
import {
  type LawWriter,
  ModelWriter,
  NoCounterpart,
  type RelationRows,
  type RelationWriter,
  type SystemWriter,
  readWhole,
} from './writer';

export type SiconosScript =
  | { readonly ok: true; readonly text: string; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly issues: readonly DocumentIssue[] };

/** Names of the script itself. */
const OWN_NAMES: readonly string[] = [
  ...[
    'math',
    'sys',
    'csv',
    'np',
    'sk',
    'sn',
    'p',
    'Parameters',
    'SimpleNamespace',
    'h',
    't0',
    't_end',
    'steps',
    'step',
  ],
  ...[
    'model',
    'integrator',
    'problem',
    'simulation',
    'positions',
    'columns',
    'rows',
    'row',
    'file',
    'table',
    'signals',
    'named',
    'link',
    'kept',
    'lengths',
    'read',
  ],
  ...[
    'controllers',
    'observers',
    'LinearSensor',
    'ControlZOHSimulation',
    'ControlLsodarSimulation',
    'joints',
  ],
  ...Object.keys(HELPERS),
  'lifted',
];

interface Part {
  readonly system: SystemDocument;
  readonly writer: SystemWriter;
  readonly name: string;
}

class ScriptBuilder {
  readonly #issues: DocumentIssue[] = [];
  readonly #names = new PythonNames(OWN_NAMES);
  readonly #parameterNames = new Map<string, string>();
  readonly #functionNames = new Map<string, string>();
  readonly #math = new Set<string>();
  readonly #functionLines: string[] = [];
  readonly #writer: ModelWriter;
  readonly #values: Record<string, number>;

  constructor(private readonly document: ModelDocument) {
    this.#values = evaluateParameters(document.parameters).values;
    for (const { name } of document.parameters) this.#parameterNames.set(name, this.#names.claim(name));
    this.#writer = new ModelWriter({
      values: this.#values,
      parameterNames: this.#parameterNames,
      functionNames: this.#functionNames,
    });
  }

  build(): SiconosScript {
    const { document } = this;
    this.#translate();
    if (isControlled(document)) return this.#controlled();
    if (hasBodies(document)) return this.#ofBodies();
    const parts = this.#parts();
    const order = parts.at(0)?.writer.order ?? 2;
    if (parts.some(({ writer }) => writer.order !== order))
      this.#refuse(
        '/systems',
        '',
        'Siconos steps systems of first and of second order in different simulations.',
        'Divide the model into two documents.',
      );
    const linear: Linearity = {
      systems: parts.every(({ system, writer }) => writer.isLinear(system)),
      relations: document.interactions.every(
        ({ relation }) => relationWriters.get(relation.type)?.isLinear ?? true,
      ),
    };
    const rows = { areLinear: linear.relations, atEnd: areRowsAtEnd(document) };
    const systems = parts.flatMap((part, i) => this.#system(part, i, rows));
    const interactions = document.interactions.flatMap((one, i) => this.#interaction(one, i, parts));
    const simulation = this.#attempt('/simulation', '', () => this.#simulation(order, linear)) ?? [];
    warnOfSettings(document, this.#writer);
    if (this.#issues.length > 0) return { ok: false, issues: this.#issues };
    return {
      ok: true,
      text: this.#text([], [...MODEL_START, ...systems, '', ...interactions, '', ...simulation], STEP_ROWS),
      warnings: this.#writer.warnings,
    };
  }

  #controlled(): SiconosScript {
    const { document } = this;
    const lines = controlLines(document, this.#writer, this.#names, (...place) => this.#attempt(...place));
    warnOfObservables(document, this.#writer);
    if (this.#issues.length > 0) return { ok: false, issues: this.#issues };
    const text = this.#text(CONTROL_IMPORTS, ['signals = []', ...lines], CONTROL_ROWS);
    return { ok: true, text, warnings: this.#writer.warnings };
  }

  #ofBodies(): SiconosScript {
    const { document } = this;
    const lines = bodyLines(document, this.#writer, this.#names, (...place) => this.#attempt(...place));
    warnOfSettings(document, this.#writer);
    if (this.#issues.length > 0) return { ok: false, issues: this.#issues };
    return {
      ok: true,
      text: this.#text(BODY_IMPORTS, [...MODEL_START, ...lines], STEP_ROWS),
      warnings: this.#writer.warnings,
    };
  }

  #refuse(pointer: string, element: string, message: string, remedy: string): void {
    const where = element === '' ? {} : { element };
    this.#issues.push({ severity: 'error', code: 'no-counterpart', pointer, ...where, message, remedy });
  }

  #attempt<T>(pointer: string, element: string, write: () => T): T | null {
    try {
      return write();
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      const message = element === '' ? error.message : `“${element}”: ${error.message}`;
      this.#refuse(pointer, element, message, error.remedy);
      return null;
    }
  }

  #translate(): void {
    const { scripts } = this.document;
    const { read } = readScripts(scripts);
    const links = new ScriptLinks(read, new Set(scripts.map(({ name }) => name)));
    const own = read.filter(({ index }) => scripts[index].role === 'functions');
    // What scripts import is written beside them, once for all that import it.
    links.groups(own.map(({ script }) => script.name)).forEach(({ script }) => {
      const translated = translateScript(script, this.#names);
      this.#functionLines.push(...translated.lines);
      for (const [name, python] of translated.functions) this.#functionNames.set(name, python);
      for (const name of translated.math) this.#math.add(name);
      for (const { message } of translated.missing) this.#writer.warnings.push(message);
    });
  }

  #parts(): Part[] {
    return this.document.systems.flatMap((system, i) => {
      const writer = systemWriters.get(system.type);
      if (writer !== undefined) return [{ system, writer, name: this.#names.claim(system.id) }];
      this.#refuse(
        `/systems/${i}`,
        system.id,
        `“${system.id}” is of type ${system.type}, which this export does not write.`,
        `Describe it as one of ${[...systemWriters.keys()].join(', ')}.`,
      );
      return [];
    });
  }

  #system({ system, writer, name }: Part, index: number, rows: RelationRows): string[] {
    const to = this.#writer.forElement(system.id);
    const written = this.#attempt(`/systems/${index}`, system.id, () =>
      readWhole(system, (read) => writer.write(read, to, rows)),
    );
    if (written === null) return [];
    return [
      `${name} = ${written.object}`,
      ...(written.calls ?? []).map((call) => `${name}.${call}`),
      `model.insertDynamicalSystem(${name})`,
      `signals += [${this.#systemSignals(system, writer, name)}]`,
    ];
  }

  #systemSignals(system: SystemDocument, writer: SystemWriter, name: string): string {
    const n = writer.size(system);
    const states =
      writer.order === 1
        ? [['x', 'x']]
        : [
            ['q', 'q'],
            ['v', 'velocity'],
          ];
    return states
      .flatMap(([letter, call]) =>
        Array.from({ length: n }, (_, i) => {
          const signal = pythonString(`${system.id}.${letter}${n > 1 ? `[${i}]` : ''}`);
          return `(${signal}, lambda: ${name}.${call}()[${i}])`;
        }),
      )
      .join(', ');
  }

  /** Writers of an interaction, and the systems it links; null after a refusal. */
  #known(
    interaction: InteractionDocument,
    index: number,
    parts: readonly Part[],
  ): { relation: RelationWriter; law: LawWriter; linked: Part[] } | null {
    const { id } = interaction;
    const relation = relationWriters.get(interaction.relation.type);
    const law = lawWriterOf(interaction.law);
    const pointer = `/interactions/${index}`;
    if (relation === undefined)
      this.#refuse(
        `${pointer}/relation`,
        id,
        `“${id}” has a relation of type ${interaction.relation.type}, which this export does not write.`,
        `Describe it as one of ${[...relationWriters.keys()].join(', ')}.`,
      );
    if (law === undefined)
      this.#refuse(
        `${pointer}/law`,
        id,
        `“${id}” has a law of type ${interaction.law.type}, which this export does not write.`,
        `Choose one of ${[...lawWriters.keys()].join(', ')}.`,
      );
    if (interaction.while !== undefined)
      this.#refuse(
        `${pointer}/while`,
        id,
        `“${id}” comes and goes by a condition, which this export does not write.`,
        'Remove the condition, and call link and removeInteraction between steps of the written script.',
      );
    const linked = interaction.systems.flatMap((name) => parts.filter(({ system }) => system.id === name));
    if (linked.length > 2)
      this.#refuse(
        `${pointer}/systems`,
        id,
        `“${id}” links ${linked.length} systems; an interaction of Siconos links two at most.`,
        'Make one system of them.',
      );
    // A system that is refused is named itself.
    if (relation === undefined || law === undefined || linked.length !== interaction.systems.length)
      return null;
    return { relation, law, linked };
  }

  #interaction(interaction: InteractionDocument, index: number, parts: readonly Part[]): string[] {
    const known = this.#known(interaction, index, parts);
    if (known === null) return [];
    const { relation, law, linked } = known;
    const { id } = interaction;
    const to = this.#writer.forElement(id);
    const columns = linked.reduce((sum, { system, writer }) => sum + writer.size(system), 0);
    const size = relation.size(interaction.relation);
    const group = law.rows ?? size;
    const lines: string[] = [];
    for (let from = 0; from < size; from += group) {
      const rows = { from, to: Math.min(from + group, size) };
      const written = this.#attempt(`/interactions/${index}`, id, () => ({
        relation: readWhole(interaction.relation, (read) => relation.write(read, columns, rows, to)),
        law: readWhole(interaction.law, (read) => law.write(read, rows.to - rows.from, interaction, to)),
      }));
      if (written === null) return lines;
      const name = this.#names.claim(size > group ? `${id}_${from / group}` : id);
      const relationName = this.#names.claim(`${name}_relation`);
      lines.push(
        `${relationName} = ${written.relation.object}`,
        ...(written.relation.calls ?? []).map((call) => `${relationName}.${call}`),
        `${name} = link(${[written.law, relationName, ...linked.map((part) => part.name)].join(', ')})`,
        `signals += [${multiplierSignals(id, name, law, rows, size)}]`,
      );
    }
    return lines;
  }

  #simulation(order: 1 | 2, linear: Linearity): string[] {
    const needed = new Set(
      this.document.interactions.flatMap(({ law }) => {
        const writer = lawWriterOf(law);
        return writer === undefined ? [] : [writer.problem];
      }),
    );
    return [
      ...integratorLines(this.document, order, linear, this.#writer),
      `problem = ${problemOf(needed)}`,
      // Pivoting methods are exact up to rounding; the number decides only when Siconos complains.
      'problem.numericsSolverOptions().dparam[sn.SICONOS_DPARAM_TOL] = 1e-10',
      ...simulationLines(this.document, this.#writer),
      ...newtonLines(this.document, linear),
      ...(linear.relations
        ? ['simulation.setComputeResiduY(False)', 'simulation.setComputeResiduR(False)']
        : []),
    ];
  }

  #parameterLines(): string[] {
    const { parameters } = this.document;
    const order = inOrder(parameters.map(({ name, value }) => ({ name, value })));
    return order.map((name) => {
      const parameter = parameters.find((one) => one.name === name);
      if (parameter === undefined) return '';
      const said = [parameter.unit, parameter.description].filter(
        (text) => text !== undefined && text !== '',
      );
      const comment = said.length > 0 ? `  # ${pythonComment(said.join(', '))}` : '';
      return `${this.#parameterNames.get(name) ?? name} = ${this.#parameterValue(parameter)}${comment}`;
    });
  }

  /** As it is written; with suffixes or units the number, which counts in the unit of the parameter. */
  #parameterValue({ name, value }: ParameterDocument): string {
    const isPlain = typeof value === 'number' || inPlainNumbers(value) === value;
    return this.#writer.number(isPlain ? value : (this.#values[name] ?? value));
  }

  /** @param rows lines that write the rows of the table */
  #text(imports: readonly string[], model: readonly string[], rows: readonly string[]): string {
    const { document } = this;
    const { simulation } = document;
    const number = this.#writer.number;
    const settings = [
      `t0 = ${number(simulation.t0)}  # s`,
      `t_end = ${number(simulation.tEnd)}  # s`,
      `h = ${number(simulation.h)}  # s`,
      'steps = round((t_end - t0) / h)',
    ];
    const parameters = this.#parameterLines();
    const isDual = this.#writer.helpers.includes('Dual');
    const math = mathLines(this.#math, isDual, this.#writer.helper);
    const helpers = this.#writer.helpers.flatMap((name) => ['', '', ...HELPERS[name].lines]);
    const fields = [...this.#parameterNames].map(([name, python]) => `${identifier(name)}=${python}`);
    const functions =
      this.#functionLines.length === 0
        ? []
        : ['', `p = SimpleNamespace(${fields.join(', ')})`, ...this.#functionLines, '', ''];
    const description = document.description ?? '';
    const about = [
      document.title,
      ...(description === '' ? [] : ['', description]),
      '',
      'A model for Siconos (https://nonsmooth.gricad-pages.univ-grenoble-alpes.fr/siconos/), version 4.4 or later.',
      'Writes the states and multipliers of each step to a table: python3 THIS_FILE [TABLE.csv]',
      ...this.#writer.warnings.map((warning) => `Note: ${warning}`),
    ];
    return [
      `"""${pythonDocstring(about.join('\n'))}`,
      '"""',
      '',
      'import csv',
      'import math',
      'import sys',
      ...(functions.length > 0 ? ['from types import SimpleNamespace'] : []),
      '',
      'import numpy as np',
      ...imports,
      'import siconos.kernel as sk',
      'import siconos.numerics as sn',
      '',
      '# Parameters',
      ...parameters,
      '',
      '# Simulation',
      ...settings,
      ...helpers,
      ...(math.length > 0 ? ['', '', ...math] : []),
      ...functions,
      ...(functions.length === 0 ? ['', ''] : []),
      ...model,
      '',
      ...TABLE(
        identifier(document.title.toLowerCase().replace(/[^a-z0-9]+/g, '-')).replace(/^[_-]+|[_-]+$/g, ''),
        rows,
      ),
      '',
    ].join('\n');
  }
}

const MODEL_START: readonly string[] = [
  '# The model. A last step could be lost to rounding, hence the longer end.',
  'model = sk.NonSmoothDynamicalSystem(t0, t_end + h)',
  'signals, kept = [], []',
  '',
  '',
  'def link(law, relation, *systems):',
  '    """An interaction of the model; the kernel does not own laws and relations that come from Python."""',
  '    interaction = sk.Interaction(law, relation)',
  '    kept.append((law, relation, interaction))',
  '    model.link(interaction, *systems)',
  '    return interaction',
  '',
  '',
];

/** Rows of the table: by the loop over the steps, and as the simulation of control has kept them. */
const STEP_ROWS: readonly string[] = [
  '    for step in range(steps):',
  '        simulation.computeOneStep()',
  '        table.writerow([repr(float(value)) for value in (simulation.nextTime(), *(read() for _, read in signals))])',
  '        simulation.nextStep()',
];
const CONTROL_ROWS: readonly string[] = [
  '    simulation.run()',
  '    for row in np.array(simulation.data())[1 : steps + 1]:',
  '        table.writerow([repr(float(value)) for value in (row[0], *(read(row) for _, read in signals))])',
];

/** The table. */
const TABLE = (name: string, rows: readonly string[]): string[] => [
  `with open(sys.argv[1] if len(sys.argv) > 1 else ${pythonString(`${name.replaceAll('_', '-')}.csv`)}, "w", newline="") as file:`,
  '    table = csv.writer(file)',
  '    table.writerow(["t", *(name for name, _ in signals)])',
  ...rows,
];

function multiplierSignals(
  id: string,
  name: string,
  law: LawWriter,
  { from, to }: { from: number; to: number },
  size: number,
): string {
  const signal = law.level === 1 ? 'impulse' : 'lambda';
  const count = law.rows ?? 1;
  const friction =
    count === 3
      ? ['normalImpulse', 'tangentialImpulse1', 'tangentialImpulse2']
      : ['normalImpulse', 'tangentialImpulse'];
  return Array.from({ length: to - from }, (_, i) => {
    const group = size > count && count > 1 ? `[${(from + i - (i % count)) / count}]` : '';
    const named =
      count > 1 ? `${friction[i % count]}${group}` : `${signal}${size > 1 ? `[${from + i}]` : ''}`;
    return `(${pythonString(`${id}.${named}`)}, lambda: ${name}.lambda_(${law.level})[${i}])`;
  }).join(', ');
}

/** Parameters, each after those its expression names. */
function inOrder(parameters: readonly { name: string; value: string | number }[]): string[] {
  const done: string[] = [];
  const visit = ({ name, value }: { name: string; value: string | number }): void => {
    if (done.includes(name)) return;
    const words =
      typeof value === 'string' ? new Set(value.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []) : new Set<string>();
    for (const other of parameters) if (other.name !== name && words.has(other.name)) visit(other);
    done.push(name);
  };
  parameters.forEach(visit);
  return done;
}

/**
 * Writes the script of a model whose report has no errors.
 * @param document with the elements of builder scripts, and without those scripts
 */
export const siconosScript = (document: ModelDocument): SiconosScript =>
  new ScriptBuilder(withScriptFunctions(document)).build();
