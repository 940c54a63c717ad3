import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import type { AnalysisDocument } from '@engine/document/types';
import { shownInfos, factorsOf, shownPortrait, shownResult } from '@figures/shown-units';
import { removeParameter, changeParameterName } from '@renderer/parameters/edits';
import ParametersPanel from '@renderer/parameters/ParametersPanel.vue';
import { useDisplayUnitsStore } from '@renderer/stores/display-units';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { showParameterUnit, showUnit } from '@renderer/units/edits';
import { occurringUnits } from '@renderer/units/occurring';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { fromShown, shownWords, toShown } from '@renderer/units/shown';
import { openCamFollower } from './setup';

beforeEach(async () => {
  await openCamFollower();
});

function panel(): VueWrapper {
  const host = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(ParametersPanel) }));
  return mount(host, { attachTo: document.body });
}

/** Gives the first parameter, `rpm`, a length. */
function makeLength(): void {
  useDocumentStore().edit('length', (draft) => {
    Object.assign(draft.parameters[0] ?? {}, { value: 0.012, unit: 'm', min: 0, max: 0.1 });
  });
}

describe('values in shown units', () => {
  it('come back as the number that was typed', () => {
    const millimetres = { unit: 'mm', factor: 1000 };
    const degrees = { unit: '°', factor: 180 / Math.PI };
    for (const typed of [12.3, 0.1, 1e-7, -33.3, 123456.789, 0]) {
      expect(toShown(fromShown(typed, millimetres), millimetres)).toBe(typed);
      expect(toShown(fromShown(typed, degrees), degrees)).toBeCloseTo(typed, 12);
    }
    expect(fromShown(12.3, millimetres)).toBe(0.0123);
    expect(fromShown(90, degrees)).toBe(Math.PI / 2);
    expect(shownWords(0.0123, millimetres)).toBe('12.3 mm');
  });

  it('are scaled in plots without a change of what was read', () => {
    const result = {
      runId: 'r',
      rows: 2,
      rowsPerBucket: 1,
      signals: [{ name: 'q', t: Float64Array.of(0, 1), y: Float64Array.of(0.5, 2) }],
    } as unknown as Parameters<typeof shownResult>[0];
    const infos = [{ name: 'q', unit: 'm', kind: 'position', description: '' }] as const;
    const of = (unit: string) => (unit === 'm' ? { unit: 'mm', factor: 1000 } : { unit, factor: 1 });
    const seen = shownResult(result, factorsOf(infos, of), 1000);
    expect([...(seen.signals[0]?.y ?? [])]).toEqual([500, 2000]);
    expect([...(seen.signals[0]?.t ?? [])]).toEqual([0, 1000]);
    expect([...(result.signals[0]?.y ?? [])]).toEqual([0.5, 2]);
    expect(shownResult(result, new Map(), 1)).toBe(result);
    expect(shownInfos(infos, of)[0]?.unit).toBe('mm');
    const points = { kind: 'points', rows: 1, x: Float64Array.of(1), y: Float64Array.of(2) } as const;
    expect(shownPortrait(points, 1000, 1)).toMatchObject({ x: Float64Array.of(1000), y: points.y });
  });
});

describe('display units of a document', () => {
  it('are one undoable step each, and leave no trace when they are taken back', async () => {
    const documents = useDocumentStore();
    makeLength();
    const before = JSON.stringify(documents.model);
    const units = useDisplayUnitsStore();
    showUnit('m', 'mm');
    await flushPromises();
    await expect.poll(() => units.of('m')).toEqual({ unit: 'mm', factor: 1000 });
    showParameterUnit('rpm', 'µm');
    await expect.poll(() => units.ofParameterNamed('rpm').unit).toBe('µm');
    expect(documents.model.parameters[0]?.value).toBe(0.012);
    expect(documents.model.displayUnits).toEqual({ units: { m: 'mm' }, parameters: { rpm: 'µm' } });
    changeParameterName('rpm', 'stroke');
    expect(documents.model.displayUnits?.parameters).toEqual({ stroke: 'µm' });
    documents.undo();
    documents.undo();
    documents.undo();
    expect(JSON.stringify(documents.model)).toBe(before);
    documents.redo();
    showUnit('m', null);
    expect(JSON.stringify(documents.model)).toBe(before);
    showParameterUnit('rpm', 'cm');
    removeParameter(0);
    expect(documents.model.displayUnits).toBeUndefined();
  });

  it('show what was typed, and store it in the unit of the model', async () => {
    makeLength();
    showUnit('m', 'mm');
    await expect.poll(() => useDisplayUnitsStore().of('m').factor).toBe(1000);
    const wrapper = panel();
    const input = wrapper.get('[data-testid="parameter-rpm-input"]');
    expect((input.element as HTMLInputElement).value).toBe('12');
    (input.element as HTMLInputElement).value = '12.3';
    await input.trigger('input');
    expect(useDocumentStore().model.parameters[0]?.value).toBe(0.0123);
    expect((input.element as HTMLInputElement).value).toBe('12.3');
    const thumb = wrapper.get('[role="slider"]');
    // The slider counts steps; what it says is the value.
    expect(Number(thumb.attributes('aria-valuemax'))).toBe(1000);
    expect(thumb.attributes('aria-valuetext')).toBe('12.3 mm');
    (input.element as HTMLInputElement).value = '2*0.01';
    await input.trigger('input');
    expect(useDocumentStore().model.parameters[0]?.value).toBe('2*0.01');
    await nextTick();
    expect(wrapper.text()).toContain('written in m');
    expect(wrapper.get('.unit-button').attributes('aria-label')).toBe('Unit of rpm, shown in mm');
  });

  it('that do not fit are said at the label, and the unit of the model is shown', async () => {
    makeLength();
    showParameterUnit('rpm', 'kg');
    const units = useDisplayUnitsStore();
    await expect.poll(() => units.trouble('m', 'rpm')?.message).toContain('another quantity');
    expect(units.ofParameterNamed('rpm')).toEqual({ unit: 'm', factor: 1 });
    const wrapper = panel();
    expect(wrapper.get('.unit-button').attributes('aria-label')).toContain('another quantity');
  });

  it('are listed for every unit that occurs', () => {
    const { model } = useDocumentStore();
    const found = occurringUnits(model, useReportStore().signals, useCatalogueStore().definition);
    const units = found.map(({ unit }) => unit);
    expect(units).toEqual(expect.arrayContaining(['rev/min', 'm', 'm/s', 's', 'kg']));
    expect(new Set(units).size).toBe(units.length);
    expect(units).not.toContain('');
    expect(found.find(({ unit }) => unit === 'rev/min')?.uses).toContain('rpm');
    expect(units).not.toContain('1/s');
    const analyses = [{ id: 'chaos', type: 'lyapunov', title: 'Chaos' }] as unknown as AnalysisDocument[];
    const more = occurringUnits({ ...model, analyses }, [], useCatalogueStore().definition);
    expect(more.find(({ unit }) => unit === '1/s')?.uses).toEqual(['Chaos']);
  });
});
