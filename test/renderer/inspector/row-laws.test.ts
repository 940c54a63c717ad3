/** The law of rows in the inspector: its list, and parts that come and go. */
import type { DOMWrapper, VueWrapper } from '@vue/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { expressionPlaces } from '@renderer/document/expression-places';
import { emptyDocument } from '@renderer/document/factory';
import { renameElement } from '@renderer/document/rename';
import { useDocumentStore } from '@renderer/stores/document';
import { choose, examine, inspect, type } from './mounted';

const circuit = (law: TypedElement): ModelDocument => ({
  ...emptyDocument(catalogue(), 3, 'circuit'),
  systems: [{ id: 's', type: 'FirstOrderLinear', n: 1, x0: [0], A: [[-1]] }],
  interactions: [
    {
      id: 'link',
      systems: ['s'],
      relation: {
        type: 'FirstOrderLinearTI',
        C: [[1], [1]],
        B: [[1, 1]],
        D: [
          [1, 0],
          [0, 1],
        ],
      },
      law,
    },
  ],
});
const DIODE: TypedElement = { type: 'Complementarity', name: 'D1' };
const SWITCH: TypedElement = {
  type: 'Equality',
  name: 'S1',
  while: { type: 'Condition', condition: ['s.x - 1'] },
};

let wrapper: VueWrapper | undefined;
afterEach(() => wrapper?.unmount());
const show = async (law: TypedElement): Promise<void> => {
  wrapper = await inspect(circuit(law), { kind: 'element', id: 'link' });
};
const get = (selector: string): Omit<DOMWrapper<Element>, 'exists'> => {
  if (wrapper === undefined) throw new Error('nothing is shown');
  return wrapper.get(selector);
};
const part = (index: number, id: string): Omit<DOMWrapper<Element>, 'exists'> =>
  get(`[data-testid="element-${index}"] [data-testid="${id}"]`);
const law = (): TypedElement | undefined => useDocumentStore().model.interactions[0]?.law;

describe('laws row by row', () => {
  it('are cards with their names', async () => {
    await show({ type: 'PerRow', laws: [DIODE, SWITCH] });
    expect(get('[data-testid="element-0-toggle"]').text()).toContain('D1: Complementarity');
    expect(get('[data-testid="element-1-toggle"]').text()).toContain('S1: Equality');
  });

  it('come and go by a condition that is switched on, edited and switched off', async () => {
    await show({ type: 'PerRow', laws: [DIODE, { type: 'Equality' }] });
    await part(1, 'given-while').setValue(true);
    expect(law()?.['laws']).toEqual([
      DIODE,
      { type: 'Equality', while: { type: 'Condition', condition: ['0'] } },
    ]);
    await type(part(1, 'field-condition').get('input'), '1 - t');
    await type(part(1, 'field-hysteresis').get('input'), '0.5');
    expect(law()?.['laws']).toEqual([
      DIODE,
      { type: 'Equality', while: { type: 'Condition', condition: ['1 - t'], hysteresis: 0.5 } },
    ]);
    await part(1, 'given-while').setValue(false);
    expect(law()?.['laws']).toEqual([DIODE, { type: 'Equality' }]);
  });

  it('show the defects of a condition where it is', async () => {
    await show({
      type: 'PerRow',
      laws: [DIODE, { type: 'Equality', while: { type: 'Condition', condition: ['nothing'] } }],
    });
    await examine();
    expect(part(1, 'field-condition').text()).toContain('neither a signal nor a parameter');
    expect(get('[data-testid="element-1"]').classes()).toContain('error');
  });

  it('are added, and copied without a name', async () => {
    await show({ type: 'PerRow', laws: [DIODE] });
    await choose(get('[data-testid="add-laws"]'), 'Relay');
    await get('[data-testid="element-0-duplicate"]').trigger('click');
    expect(law()?.['laws']).toEqual([DIODE, { type: 'Complementarity' }, { type: 'Relay' }]);
  });

  it('are found by the signals and parameters in their conditions', () => {
    const document = circuit({ type: 'PerRow', laws: [DIODE, SWITCH] });
    const places = expressionPlaces(document, catalogue());
    expect(places).toEqual([{ pointer: '/interactions/0/law/laws/1/while/condition/0', text: 's.x - 1' }]);
    renameElement(document, 's', 'state');
    expect(document.interactions[0]?.law['laws']).toEqual([
      DIODE,
      { ...SWITCH, while: { type: 'Condition', condition: ['state.x - 1'] } },
    ]);
  });
});
