/** Renaming of things other parts of the document refer to by name. */
import type { Expression, ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { replaceName as replaceAlone } from './expression-names';
import { parameterUses, replaceUses } from './parameter-uses';
import { isElements } from './sizes';

const isMember = (step: string): boolean => step.endsWith(']');

/** A path as a pattern: `beads.m` is that of each `beads[3].m`, too. */
const pathPattern = (path: string): string =>
  path
    .split('.')
    .map((step) =>
      isMember(step) ? step.replace(/[[\]]/g, String.raw`\$&`) : String.raw`${step}(?:\[\d+\])?`,
    )
    .join(String.raw`\.`);

/** The path `to` in place of what was found of `from`, whose members of arrays keep their places. */
function pathAfter(found: string, from: string, to: string): string {
  const [before, after, steps] = [from.split('.'), to.split('.'), found.split('.')];
  let same = 0;
  while (same < Math.min(before.length, after.length) && before[same] === after[same]) same++;
  return after
    .map((step, k) => {
      // What they begin with stands where it stood, the rest is counted from the end.
      const fromEnd = k - after.length + before.length;
      const at = k < same ? k : fromEnd < same ? -1 : fromEnd;
      const [, place = ''] = /(\[\d+\])$/.exec(steps[at] ?? '') ?? [];
      return isMember(before[at] ?? '') ? step : step + place;
    })
    .join('.');
}

/** A path, such as `leg1.Q1`, in front of a point or as `v(leg1.out)`. */
export function replacePath(content: string, from: string, to: string): string {
  const path = pathPattern(from);
  const pattern = `(?<![\\w.])${path}(?=\\.)|(?<=(?<![\\w.])[vi]\\(\\s*)${path}(?=\\s*\\))`;
  return content.replaceAll(new RegExp(pattern, 'g'), (found) => pathAfter(found, from, to));
}

/** What signals begin with: the name of an element, or a path. */
const replaceName = (expression: string, from: string, to: string): string =>
  (/[.[]/.test(from) ? replacePath : replaceAlone)(expression, from, to);

/** Gives the signals of views and of the recording, and what integrators name, another beginning. */
function replaceBeginnings(document: ModelDocument, from: string, to: string): void {
  const path = pathPattern(from);
  const begun = new RegExp(String.raw`^${path}(?=\.)`);
  replaceSignals(document, (signal) => signal.replace(begun, (found) => pathAfter(found, from, to)));
  const whole = new RegExp(String.raw`^${path}(?=\.|$)`);
  for (const { systems } of document.simulation.integrators)
    systems?.forEach((name, i) => {
      systems[i] = name.replace(whole, (found) => pathAfter(found, from, to));
    });
}

function replaceSignals(document: ModelDocument, rename: (signal: string) => string): void {
  for (const view of document.views) {
    // Signals stand under these keys in every kind of view.
    const members = view as unknown as Record<string, unknown>;
    for (const key of ['x', 'y', 'z'])
      if (typeof members[key] === 'string') members[key] = rename(members[key]);
    if ('signals' in view) view.signals = view.signals.map(rename);
    if (view.type === 'time-series')
      for (const part of [...(view.axes ?? []), ...(view.styles ?? [])])
        if (part.signals !== undefined) part.signals = part.signals.map(rename);
  }
  const recording = document.simulation.recording;
  if (recording?.signals !== undefined) recording.signals = recording.signals.map(rename);
}

/** Fields of analyses that name signals, alone or among other words. */
const SIGNAL_TEXTS = ['signals', 'measures', 'xState', 'yState'] as const;

/** A name in what analyses ask and what diagrams show, such as “max ball.q”. */
function replaceInAnalyses(document: ModelDocument, from: string, to: string): void {
  for (const analysis of document.analyses ?? []) {
    for (const key of SIGNAL_TEXTS) {
      const value = analysis[key];
      if (typeof value === 'string') analysis[key] = replaceName(value, from, to);
    }
    const axes = analysis['axes'];
    if (!isElements(axes)) continue;
    for (const axis of axes)
      if (typeof axis['state'] === 'string') axis['state'] = replaceName(axis['state'], from, to);
  }
  for (const view of document.views)
    if (view.type === 'bifurcation' || view.type === 'heat-map') view.y = replaceName(view.y, from, to);
}

/** The parameters that an analysis varies. */
function renameVaried(document: ModelDocument, from: string, to: string): void {
  for (const analysis of document.analyses ?? []) {
    for (const key of ['parameter', 'xParameter', 'yParameter'])
      if (analysis[key] === from) analysis[key] = to;
    const axes = analysis['axes'];
    if (!isElements(axes)) continue;
    for (const axis of axes) if (axis['parameter'] === from) axis['parameter'] = to;
  }
}

/** Signals of an element in what control blocks read and drive, and in conditions of interactions. */
function replaceInBlocks({ systems, interactions }: ModelDocument, from: string, to: string): void {
  const renamed = (expression: Expression): Expression =>
    typeof expression === 'string' ? replacePath(expression, from, to) : expression;
  for (const system of systems)
    for (const [key, value] of Object.entries(system)) {
      if (typeof value !== 'object') continue;
      if ('signals' in value) value.signals = value.signals.map(renamed);
      else if (Array.isArray(value) && value.some((entry) => typeof entry === 'string'))
        system[key] = (value as Expression[]).map(renamed);
    }
  for (const { while: presence, law } of interactions) {
    const parts = isElements(law['laws']) ? law['laws'].map((part) => part['while']) : [];
    for (const given of [presence, ...parts]) {
      if (typeof given !== 'object' || !('condition' in given) || !Array.isArray(given.condition)) continue;
      given.condition = (given.condition as Expression[]).map(renamed);
    }
  }
}

/** A component or wire, with the ends of wires, lines and gates that name it. */
function renameInCircuit(document: ModelDocument, from: string, to: string): void {
  const { components = [], instances = [], wires = [], layout } = document;
  for (const instance of instances) {
    if (instance.id === from) instance.id = to;
    for (const [name, value] of Object.entries(instance.values ?? {}))
      if (typeof value === 'string' && instance.values !== undefined)
        instance.values[name] = replacePath(value, from, to);
  }
  for (const component of components) {
    if (component.id === from) component.id = to;
    for (const [key, value] of Object.entries(component)) {
      if (key === 'id' || key === 'type') continue;
      if (typeof value === 'string') component[key] = replacePath(value, from, to);
      else if (Array.isArray(value) && value.some((entry) => typeof entry === 'string'))
        component[key] = (value as Expression[]).map((entry) => {
          if (typeof entry !== 'string') return entry;
          return entry === from ? to : replacePath(entry, from, to);
        });
    }
  }
  for (const wire of wires) {
    if (wire.id === from) wire.id = to;
    wire.ends.forEach((end, i) => {
      if (new RegExp(String.raw`^${from}(?:\[\d+\])?\.`).test(end))
        wire.ends[i] = to + end.slice(from.length);
    });
  }
  const lines = layout.wires?.[from];
  if (layout.wires === undefined || lines === undefined) return;
  delete layout.wires[from];
  layout.wires[to] = lines;
}

/** Renames what signals begin with, such as `leg1.Q1`, wherever they are named. */
export function renameSignals(document: ModelDocument, from: string, to: string): void {
  replaceInBlocks(document, from, to);
  for (const component of document.components ?? [])
    for (const [key, value] of Object.entries(component))
      if (typeof value === 'string' && key !== 'id' && key !== 'type') {
        const renamed = replacePath(value, from, to);
        if (renamed !== value) component[key] = renamed;
      }
  for (const section of document.simulation.sections ?? [])
    if (typeof section['g'] === 'string') section['g'] = replaceName(section['g'], from, to);
  replaceInAnalyses(document, from, to);
  for (const observable of document.observables)
    if (observable.expression !== undefined)
      observable.expression = replaceName(observable.expression, from, to);
  replaceBeginnings(document, from, to);
}

/**
 * Renames a system, interaction, component or wire and everything that refers to it: links of interactions,
 * layout, observables, and signal names (`id.q`, `id.v[2]`) in views and in the recording.
 */
export function renameElement(document: ModelDocument, from: string, to: string): void {
  replaceInBlocks(document, from, to);
  renameInCircuit(document, from, to);
  for (const system of document.systems) {
    if (system.id === from) system.id = to;
    if (system.type === 'Reset' && system['of'] === from) system['of'] = to;
  }
  for (const interaction of document.interactions) {
    if (interaction.id === from) interaction.id = to;
    interaction.systems = interaction.systems.map((id) => (id === from ? to : id));
  }
  for (const section of document.simulation.sections ?? []) {
    if (section['contact'] === from) section['contact'] = to;
    if (typeof section['g'] === 'string') section['g'] = replaceName(section['g'], from, to);
  }
  replaceInAnalyses(document, from, to);
  for (const observable of document.observables) {
    if (observable.system === from) observable.system = to;
    if (observable.expression !== undefined) {
      observable.expression = replaceName(observable.expression, from, to);
    }
  }
  for (const view of document.views) {
    if (view.type === 'animation' && view.follow === from) view.follow = to;
    if ('interactions' in view) view.interactions = view.interactions?.map((id) => (id === from ? to : id));
  }
  const place = document.layout.nodes[from];
  if (place !== undefined) {
    delete document.layout.nodes[from];
    document.layout.nodes[to] = place;
  }
  for (const { members } of document.layout.groups ?? []) {
    const at = members.indexOf(from);
    if (at >= 0) members[at] = to;
  }
  replaceBeginnings(document, from, to);
}

/**
 * Renames a parameter and its uses in every expression and script of the document.
 * @param source the document the draft is of: reading a draft makes copies
 */
export function renameParameter(
  document: ModelDocument,
  from: string,
  to: string,
  catalogue: Catalogue | null = null,
  source: ModelDocument = document,
): void {
  const uses = parameterUses(source, catalogue, from).filter(({ isSure }) => isSure);
  replaceUses(document, uses, from, to);
  for (const parameter of document.parameters) if (parameter.name === from) parameter.name = to;
  renameVaried(document, from, to);
  const shown = document.displayUnits?.parameters;
  const unit = shown?.[from];
  if (shown !== undefined && unit !== undefined) {
    delete shown[from];
    shown[to] = unit;
  }
}

/** Renames an observable and the views that show it. */
export function renameObservable(document: ModelDocument, from: string, to: string): void {
  for (const observable of document.observables) if (observable.name === from) observable.name = to;
  for (const section of document.simulation.sections ?? [])
    if (typeof section['g'] === 'string') section['g'] = replaceName(section['g'], from, to);
  replaceInAnalyses(document, from, to);
  replaceSignals(document, (signal) => (signal === from ? to : signal));
}

/** Renames a script. Nothing refers to scripts by name: their functions are known by their own names. */
export function renameScript(document: ModelDocument, from: string, to: string): void {
  for (const script of document.scripts) if (script.name === from) script.name = to;
}
