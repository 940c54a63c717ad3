/** The second half of the activity analysis: what is accompanied by a shadow in the derivative. */
import type { Analysis } from './analysis';
import type { Thing, Value } from './values';

/** If one value has a shadow, all have. */
function markAlike(values: readonly Value[], mark: (value: Value) => void): void {
  if (values.some(({ isShadowed }) => isShadowed)) values.forEach(mark);
}

/**
 * Which values and objects have shadows. Whatever may be active has one. Where a shadowed and another object may
 * stand in the same place, both have one, so that the generated code never has to ask.
 */
export function decideShadows(analysis: Analysis): void {
  const { values, things } = analysis.store;
  let isChanged = true;
  const mark = (subject: { isShadowed: boolean }): void => {
    if (subject.isShadowed) return;
    subject.isShadowed = true;
    isChanged = true;
  };
  while (isChanged) {
    isChanged = false;
    for (const thing of things) if (holdsShadow(analysis, thing)) mark(thing);
    for (const functions of analysis.alternatives.values()) {
      // Their derivatives are called with the same arguments.
      const facts = functions.map((info) => analysis.factsOf(info));
      markAlike(
        facts.map(({ returns }) => returns),
        mark,
      );
      for (const i of facts[0].parameters.keys())
        markAlike(
          facts.flatMap(({ parameters }) => parameters.slice(i, i + 1)),
          mark,
        );
    }
    for (const value of values) {
      if (!value.isShadowed && (value.isActive || [...value.objects].some(({ isShadowed }) => isShadowed)))
        mark(value);
      if (value.isShadowed) for (const thing of value.objects) mark(thing);
    }
  }
}

function holdsShadow(analysis: Analysis, thing: Thing): boolean {
  if (thing.elements.isShadowed) return true;
  for (const field of thing.fields.values()) if (field.isShadowed) return true;
  if (thing.info === null) return false;
  for (const binding of thing.info.captured) if (analysis.store.variable(binding).isShadowed) return true;
  const facts = analysis.facts.get(thing.info);
  return (
    facts !== undefined && (facts.returns.isShadowed || facts.parameters.some(({ isShadowed }) => isShadowed))
  );
}
