/**
 * The inspector of every kind of view: what the document knows of it can be chosen there, and is undone in
 * one step.
 */
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { viewSchemas } from '@views/documents';
import type { ViewDocument } from '@engine/document/types';
import { viewDefect } from '@renderer/document/document-shape';
import { newView } from '@renderer/document/views';
import { addAnnotation, annotationsOf, canAnnotate } from '@renderer/dashboard/plot/annotations';
import AnnotationDialog from '@renderer/dashboard/plot/AnnotationDialog.vue';
import { optionFields } from '@views/panels';
import ViewOptions from '@renderer/dashboard/options/ViewOptions.vue';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { openCamFollower } from '../setup';

type Type = ViewDocument['type'];
const KINDS = viewSchemas.map(({ shape }) => shape.type.value);

function show(type: Type, change: Record<string, unknown> = {}): ViewDocument {
  const documents = useDocumentStore();
  const view = { ...newView(type, documents.model, useReportStore().signals), ...change };
  documents.edit('view', (draft) => {
    draft.views = [view];
  });
  return current();
}
const current = (): ViewDocument => useDocumentStore().model.views[0];

/** The form, which is given the view again after each change as the inspector does. */
function form(): { at: (id: string) => VueWrapper; set: (id: string, value: string) => Promise<void> } {
  const wrapper = mount(ViewOptions, {
    props: { view: current() },
    attachTo: document.body,
    // Its hint wants a provider, which the window has.
    global: { stubs: { IconButton: { props: ['hint'], template: '<button :title="hint" />' } } },
  });
  const again = async (): Promise<void> => {
    await wrapper.setProps({ view: current() });
    await flushPromises();
  };
  return {
    at: (id) => wrapper.get(`[data-testid="${id}"]`) as unknown as VueWrapper,
    set: async (id, value) => {
      const control = wrapper.get<HTMLInputElement>(`[data-testid="${id}"]`);
      if (control.element.type === 'checkbox') await control.setValue(value === 'on');
      else {
        await control.setValue(value);
        await control.trigger('change');
      }
      await again();
    },
  };
}

beforeEach(async () => {
  document.body.innerHTML = '';
  await openCamFollower();
});

describe('the options of a view', () => {
  it.each(KINDS.filter((type) => type !== 'time-series'))('%s: have a field for every member', (type) => {
    const { shape } = viewSchemas.find((one) => one.shape.type.value === type)!;
    // Cameras are turned in the animation itself.
    const members = Object.keys(shape).filter((key) => !['type', 'id', 'title', 'camera'].includes(key));
    const fields = optionFields(show(type));
    expect(fields.map(({ key }) => key).sort()).toEqual(members.sort());
    expect(fields.every(({ label }) => label !== '' && !label.includes('.'))).toBe(true);
    const ids = fields.map((field) => ('id' in field ? field.id : field.key));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are written where they say something, and undone in one step', async () => {
    show('spectrum');
    const before = structuredClone(current());
    const { set } = form();
    await set('option-y-min', '1e-6');
    expect(current()).toEqual({ ...before, yRange: { min: 1e-6 } });
    await set('option-log-x', 'on');
    expect(current()).toMatchObject({ isLogFrequency: true });
    await set('option-log-y', 'off');
    expect(current()).toMatchObject({ isLinear: true });
    await set('option-log-y', 'on');
    await set('option-log-x', 'off');
    await set('option-y-min', '');
    expect(current()).toEqual(before);
    useDocumentStore().undo();
    expect(current()).toMatchObject({ yRange: { min: 1e-6 } });
  });

  it('take whole numbers within their ends only', async () => {
    show('table');
    const { set, at } = form();
    for (const wrong of ['2.5', '0', '18', 'many']) {
      await set('option-digits', wrong);
      expect(at('option-digits').attributes('aria-invalid')).toBe('true');
    }
    expect(current()).not.toHaveProperty('digits');
    await set('option-digits', '3');
    expect(current()).toMatchObject({ digits: 3 });
    await set('option-numbers', 'off');
    expect(current()).toMatchObject({ hasNoNumbers: true });
  });

  it('put columns into another order', async () => {
    show('table', { signals: ['t', 'follower.q', 'follower.v'] });
    const { at } = form();
    await at('option-signals-down-0').trigger('click');
    expect(current()).toMatchObject({ signals: ['follower.q', 't', 'follower.v'] });
    expect(at('option-signals-up-0').attributes('disabled')).toBeDefined();
  });

  it('say which parts are shown; what must stay stays', async () => {
    show('certificate');
    const { set, at } = form();
    await set('option-residual-energyDrift', 'off');
    expect(current()).toMatchObject({ residuals: ['dynamics', 'complementarity', 'coneViolation'] });
    await set('option-residual-coneViolation', 'off');
    await set('option-residual-complementarity', 'off');
    await set('option-residual-dynamics', 'off');
    expect(current()).toMatchObject({ residuals: ['dynamics'] });
    expect((at('option-residual-dynamics').element as HTMLInputElement).checked).toBe(true);
    show('bifurcation');
    const diagram = form();
    await diagram.set('option-part-unstable', 'off');
    expect(current()).toMatchObject({ hides: ['unstable'] });
    await diagram.set('option-part-unstable', 'on');
    expect(current()).not.toHaveProperty('hides');
  });
});

describe('annotations', () => {
  it.each(KINDS)('%s: are added, changed and taken away where there can be any', (type) => {
    show(type);
    const can = canAnnotate(current());
    const { shape } = viewSchemas.find((one) => one.shape.type.value === type)!;
    expect(can).toBe('annotations' in shape);
    if (!can) return;
    addAnnotation(current(), { text: 'fold', x: 2, y: 3 });
    expect(annotationsOf(current())).toEqual([{ text: 'fold', x: 2, y: 3 }]);
    // What stands there can be drawn.
    expect(viewDefect(current())).toBeNull();
    expect(JSON.stringify(current())).toContain(type === 'time-series' ? '"t":2' : '"x":2');
    useDocumentStore().undo();
    expect(annotationsOf(current())).toEqual([]);
  });

  it('of a portrait are edited in the inspector', async () => {
    show('phase-portrait');
    addAnnotation(current(), { text: 'saddle', x: 0.5, y: 1 });
    const { set, at } = form();
    await set('annotation-0', 'node');
    await set('annotation-value-0', '');
    expect(annotationsOf(current())).toEqual([{ text: 'node', x: 0.5 }]);
    await at('add-annotation').trigger('click');
    expect(annotationsOf(current())[1]).toEqual({ text: 'Text', x: 0, y: 0 });
  });

  it('are asked for in a dialog', async () => {
    show('spectrum');
    const dialog = mount(AnnotationDialog, { attachTo: document.body });
    useDialogsStore().annotate(current().id);
    await flushPromises();
    const field = (id: string): HTMLInputElement => document.querySelector(`[data-testid="${id}"]`)!;
    const type = async (id: string, value: string): Promise<void> => {
      field(id).value = value;
      field(id).dispatchEvent(new Event('input'));
      field(id).dispatchEvent(new Event('change'));
      await flushPromises();
    };
    expect(field('annotate-go').disabled).toBe(true);
    await type('annotate-text', 'first harmonic');
    await type('annotate-x', '12');
    await type('annotate-y', '');
    document.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true }));
    await flushPromises();
    expect(annotationsOf(current())).toEqual([{ text: 'first harmonic', x: 12 }]);
    expect(useDialogsStore().open).toBeNull();
    dialog.unmount();
  });
});
