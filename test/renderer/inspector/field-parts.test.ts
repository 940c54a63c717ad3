/** Fields of a form in groups. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { captionOf, fieldParts } from '@renderer/inspector/fields/field-parts';

describe('the fields of a joint', () => {
  it('stand in a group for each coordinate', () => {
    const cylindrical = catalogue().relations.find(({ type }) => type === 'CylindricalJoint');
    const parts = fieldParts(cylindrical?.fields ?? []);
    const groups = parts.flatMap((part) => (part.kind === 'group' ? [part] : []));
    expect(groups.map(({ heading, fields }) => [heading, fields.map(captionOf)])).toEqual([
      ['Displacement', ['Lower stop', 'Upper stop', 'Dry friction', 'Motor', 'Motor limit']],
      ['Angle', ['Lower stop', 'Upper stop', 'Dry friction', 'Motor', 'Motor limit']],
    ]);
    // Every field is shown once.
    const keys = parts.flatMap((part) =>
      part.kind === 'group' ? part.fields.map(({ key }) => key) : [part.key],
    );
    expect(keys).toEqual(cylindrical?.fields.map(({ key }) => key));
  });
});

describe('the fields of a body', () => {
  it('have its motion in a group and end with the list of its shapes', () => {
    const body = catalogue().systems.find(({ type }) => type === 'FixedBody');
    expect(fieldParts(body?.fields ?? []).map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      'field position',
      'field orientation',
      'group group-velocity',
      'list shapes',
    ]);
  });
});
