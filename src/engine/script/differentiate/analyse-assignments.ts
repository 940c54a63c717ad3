/** The activity analysis of assignments: into variables and slots, and the taking apart of arrays and objects. */
import type * as ast from 'acorn';
import type { Analysis } from './analysis';
import { FORBIDDEN_KEYS, SIZES } from './builtins';
import { keyOf, staticKey } from './keys';
import { Refusal } from './refusal';
import type { Thing, Value } from './values';

/** Stores into a variable or slot. */
export function assign(analysis: Analysis, target: ast.AnyNode, value: Value, place: ast.AnyNode): void {
  if (target.type === 'ParenthesizedExpression') assign(analysis, target.expression, value, place);
  else if (target.type === 'Identifier') assignName(analysis, target, value, place);
  else if (target.type === 'MemberExpression') assignMember(analysis, target, value, place);
}

function assignName(analysis: Analysis, target: ast.Identifier, value: Value, place: ast.AnyNode): void {
  const binding = analysis.names.bindings.get(target);
  if (binding === undefined) return;
  if (binding.owner === null && analysis.current !== null && !analysis.channels.has(binding.name)) {
    analysis.forbid(
      place,
      'derivative-outer-state',
      `“${binding.name}” belongs to the script and keeps its value from call to call; a function with a memory has no derivative.`,
      'Declare the variable inside the function.',
    );
  }
  analysis.store.merge(analysis.store.variable(binding), value);
}

function assignMember(
  analysis: Analysis,
  target: ast.MemberExpression,
  value: Value,
  place: ast.AnyNode,
): void {
  const object = analysis.read(target.object);
  if (target.computed) analysis.read(target.property);
  const key = staticKey(target);
  for (const thing of object.objects) writeThing(analysis, thing, key, value, place);
  if (analysis.current === null) return;
  analysis.require(place, () =>
    object.objects.size === 0
      ? new Refusal(
          place,
          'derivative-unknown-target',
          'The analysis cannot tell which array or object is changed here.',
          'Declare the array inside the function.',
        )
      : null,
  );
}

/** Stores into a slot of a thing; null is a key that is computed. */
export function writeThing(
  analysis: Analysis,
  thing: Thing,
  key: string | null,
  value: Value,
  place: ast.AnyNode,
): void {
  if (thing.isOuter && analysis.current !== null) {
    analysis.forbid(
      place,
      'derivative-outer-state',
      'This changes an object of the script that outlives the call; a function with a memory has no derivative.',
      'Make the array or object inside the function.',
    );
  }
  if (key !== null && FORBIDDEN_KEYS.has(key)) {
    analysis.refuseInside(place, 'derivative-prototype', `“${key}” cannot be assigned to.`);
  }
  if (key === 'length' && thing.kind === 'array') {
    analysis.require(place, () =>
      thing.isShadowed
        ? new Refusal(
            place,
            'derivative-length',
            'The length of an array of active numbers is set here.',
            'Use push, pop or slice.',
          )
        : null,
    );
  }
  if (thing.kind === 'integer') {
    analysis.requireInactive(value, place);
    return;
  }
  if (thing.kind === 'constant') {
    analysis.opaque(place, [value], 'Storing in an object of this kind');
    return;
  }
  analysis.store.write(thing, key, value);
}

function declareName(analysis: Analysis, name: ast.Identifier, value: Value): void {
  const binding = analysis.bindingOf(name);
  if (binding !== undefined) analysis.store.merge(analysis.store.variable(binding), value);
}

/** Destructures a value. */
export function assignPattern(
  analysis: Analysis,
  pattern: ast.Pattern,
  value: Value,
  isDeclaration: boolean,
): void {
  const { store } = analysis;
  store.merge(analysis.at(pattern), value);
  switch (pattern.type) {
    case 'Identifier':
      if (isDeclaration) declareName(analysis, pattern, value);
      else assignName(analysis, pattern, value, pattern);
      return;
    case 'MemberExpression':
      assignMember(analysis, pattern, value, pattern);
      return;
    case 'AssignmentPattern': {
      const both = analysis.at(pattern);
      store.merge(both, analysis.read(pattern.right));
      assignPattern(analysis, pattern.left, both, isDeclaration);
      return;
    }
    case 'ArrayPattern':
      pattern.elements.forEach((element, i) => {
        if (element !== null) assignElement(analysis, element, value, i, isDeclaration);
      });
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties) assignProperty(analysis, property, value, isDeclaration);
      return;
    case 'RestElement': {
      // A rest parameter gathers what its calls merged into `value`.
      const rest = analysis.allocate('array', pattern, analysis.at(pattern));
      store.merge(rest.elements, value);
      assignPattern(analysis, pattern.argument, analysis.at(pattern), isDeclaration);
    }
  }
}

function assignElement(
  analysis: Analysis,
  element: ast.Pattern,
  value: Value,
  i: number,
  isDeclaration: boolean,
): void {
  const slot = analysis.at(element);
  if (element.type === 'RestElement') {
    const rest = analysis.allocate('array', element, slot);
    analysis.readEach(value, rest.elements);
    assignPattern(analysis, element.argument, slot, isDeclaration);
    return;
  }
  for (const thing of value.objects) analysis.store.read(slot, thing, String(i));
  assignPattern(analysis, element, slot, isDeclaration);
}

function assignProperty(
  analysis: Analysis,
  property: ast.AssignmentProperty | ast.RestElement,
  value: Value,
  isDeclaration: boolean,
): void {
  if (property.type === 'RestElement') {
    const slot = analysis.at(property);
    const rest = analysis.allocate('object', property, slot);
    copyFields(analysis, value, rest);
    assignPattern(analysis, property.argument, slot, isDeclaration);
    return;
  }
  const key = keyOf(property);
  if (property.computed) analysis.read(property.key);
  const slot = analysis.at(property);
  for (const thing of value.objects) {
    if (thing.kind === 'math') {
      if (key !== null && key !== key.toUpperCase()) analysis.store.add(slot, analysis.mathThing(key));
    } else if (key !== null && SIZES.has(key) && thing.kind !== 'object') continue;
    else analysis.store.read(slot, thing, key);
  }
  assignPattern(analysis, property.value, slot, isDeclaration);
}

export function copyFields(analysis: Analysis, from: Value, to: Thing): void {
  for (const thing of from.objects) {
    analysis.store.merge(to.elements, thing.elements);
    if (thing.kind === 'constant') analysis.store.add(to.elements, thing);
    for (const [key, field] of thing.fields) analysis.store.merge(analysis.store.field(to, key), field);
  }
}
