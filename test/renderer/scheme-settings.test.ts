/** The choice of the scheme and the settings of the event-driven one in the window. */
import { mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import type { SimulationDocument } from '@engine/document/types';
import { completeSettings } from '@engine/event-driven/settings';
import { reportDocument } from '@engine/preparation/report';
import InspectorPane from '@renderer/inspector/InspectorPane.vue';
import { eventFields } from '@renderer/inspector/simulation/simulation-fields';
import { valueAt, writeAt } from '@renderer/inspector/simulation/simulation-section';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import type { FakeHost } from './fake/host';
import { openCamFollower } from './setup';
import { PATIENCE } from '../support/patience';

// The whole inspector with its formulas takes this DOM a while where other work goes on.
vi.setConfig({ testTimeout: 30_000 });

let host: FakeHost;
let wrapper: VueWrapper;
beforeEach(async () => {
  host = await openCamFollower();
  useWorkspaceStore().select({ kind: 'simulation' });
  const pane = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(InspectorPane) }));
  wrapper = mount(pane, { attachTo: document.body });
  await nextTick();
});

const simulation = (): SimulationDocument => useDocumentStore().model.simulation;
const shows = (id: string): boolean => wrapper.find(`[data-testid="${id}"]`).exists();
const choose = (scheme: string): Promise<void> =>
  wrapper.get(`[data-testid="scheme-${scheme}"]`).trigger('click');
const section = (name: string): boolean => wrapper.find(`section[aria-label="${name}"]`).exists();

describe('the choice of the scheme', () => {
  it('shows what the scheme works with, and keeps what the other one had', async () => {
    const before = JSON.stringify(simulation());
    expect(shows('integrator-assignment')).toBe(true);
    expect(shows('event-settings')).toBe(false);
    await choose('event-driven');
    expect(simulation().scheme).toBe('event-driven');
    expect(shows('event-settings')).toBe(true);
    expect(section('Flight')).toBe(true);
    expect(section('Solver')).toBe(true);
    for (const id of ['integrator-assignment', 'step-control', 'field-maxIterations'])
      expect(shows(id)).toBe(false);
    expect(section('Problem')).toBe(false);
    expect(reportDocument(useDocumentStore().model).issues).toEqual([]);
    await choose('time-stepping');
    expect(JSON.stringify(simulation())).toBe(before);
  });

  it('is one undoable step with a name', async () => {
    await choose('event-driven');
    expect(useDocumentStore().undoLabel).toBe('Make Simulation Event-driven');
    useDocumentStore().undo();
    await nextTick();
    expect(simulation().scheme).toBe('time-stepping');
    expect(shows('integrator-assignment')).toBe(true);
  });

  it('is made by arrow keys', async () => {
    const card = wrapper.get('[data-testid="scheme-time-stepping"]');
    (card.element as HTMLElement).focus();
    await card.trigger('keydown', { key: 'ArrowRight' });
    await nextTick();
    // Focus moves first, and the choice follows it.
    await vi.waitFor(() => expect(simulation().scheme).toBe('event-driven'), PATIENCE);
    await nextTick();
    const other = wrapper.get('[data-testid="scheme-event-driven"]');
    expect(other.attributes('aria-checked')).toBe('true');
    expect(document.activeElement).toBe(other.element);
  });

  it('gives h the name it has in the scheme', async () => {
    expect(wrapper.get('[data-testid="field-h"]').text()).toContain('Time step');
    await choose('event-driven');
    expect(wrapper.get('[data-testid="field-h"]').text()).toContain('Row distance');
    expect(wrapper.text()).toContain('Each event is recorded with a row before and a row after it');
    useDocumentStore().edit('method', ({ simulation: draft }) => {
      draft.eventDriven = { flight: { type: 'GeneralisedAlpha' } };
    });
    await nextTick();
    expect(wrapper.get('[data-testid="field-h"]').text()).toContain('Step of the motion');
  });
});

describe('the settings of the event-driven scheme', () => {
  beforeEach(() => choose('event-driven'));

  it('are written where they belong, and leave no empty section behind', async () => {
    const input = wrapper.get('[data-testid="field-maxEventsPerStep"] input');
    await input.setValue('500');
    await wrapper.get('[data-testid="field-smallestBounce"] input').setValue('1e-9');
    expect(simulation().eventDriven).toEqual({ maxEventsPerStep: 500, smallestBounce: 1e-9 });
    await input.setValue('');
    await wrapper.get('[data-testid="field-smallestBounce"] input').setValue('');
    expect(simulation()).not.toHaveProperty('eventDriven');
  });

  it('tell what the scheme takes where the document says nothing', () => {
    const taken = completeSettings({ t0: 0, tEnd: 1, h: 1 });
    const told = eventFields().flatMap(({ field }) =>
      field.default === undefined ? [] : [[field.key, field.default]],
    );
    expect(told).toEqual([
      ['smallestBounce', taken.smallestBounce],
      ['maxEventsPerStep', taken.maxEventsPerStep],
    ]);
  });

  it('have a form of joints where there are joints, or where one is named', async () => {
    expect(section('Joints')).toBe(false);
    const documents = useDocumentStore();
    documents.edit('joint', (draft) => {
      const [contact] = draft.interactions;
      if (contact !== undefined) contact.law = { type: 'Equality' };
    });
    await nextTick();
    expect(section('Joints')).toBe(true);
    documents.undo();
    await nextTick();
    expect(section('Joints')).toBe(false);
    documents.edit('formulation', (draft) => {
      draft.simulation.eventDriven = { constraints: { type: 'Baumgarte' } };
    });
    await nextTick();
    expect(section('Joints')).toBe(true);
  });

  it('have a flight with a form of its own; the default says nothing', async () => {
    const tolerance = wrapper.get(
      'section[aria-label="Flight"] [data-testid="field-relativeTolerance"] input',
    );
    await tolerance.setValue('1e-8');
    expect(simulation().eventDriven).toEqual({ flight: { type: 'auto', relativeTolerance: 1e-8 } });
    expect(reportDocument(useDocumentStore().model).issues).toEqual([]);
    await tolerance.setValue('');
    expect(simulation()).not.toHaveProperty('eventDriven');
  });

  it('have a law of impacts at several contacts, with a form of its own; Newton’s says nothing', async () => {
    const heading = 'section[aria-label="Impacts at several contacts"]';
    expect(wrapper.find(`${heading} [data-testid="field-exponent"]`).exists()).toBe(false);
    const documents = useDocumentStore();
    documents.edit('impacts', (draft) => {
      draft.simulation.impacts = { type: 'Energetic' };
    });
    await nextTick();
    await wrapper.get(`${heading} [data-testid="field-exponent"] input`).setValue('1.2');
    expect(simulation().impacts).toEqual({ type: 'Energetic', exponent: 1.2 });
    expect(reportDocument(documents.model).issues).toEqual([]);
    // Steps do not have it: what is set has to be seen there, so that it can be changed.
    await choose('time-stepping');
    expect(wrapper.find(heading).exists()).toBe(true);
    documents.edit('impacts', (draft) => {
      delete draft.simulation.impacts;
    });
    await nextTick();
    expect(wrapper.find(heading).exists()).toBe(false);
  });

  it('take times of jumps as expressions, with what is wrong at the entry', async () => {
    const documents = useDocumentStore();
    documents.edit('jumps', (draft) => {
      draft.simulation.eventDriven = { jumps: [0.5, 'nothing'] };
    });
    const { issues } = reportDocument(documents.model);
    const { dispatch } = host.dispatcher;
    host.dispatcher.dispatch = async (method, params) => {
      const answer = await dispatch(method, params);
      return method === 'document.report' ? Object.assign(answer, { issues }) : answer;
    };
    await useReportStore().refresh();
    await nextTick();
    const field = wrapper.get('[data-testid="field-jumps"]');
    expect(field.findAll('input').map((input) => input.attributes('aria-invalid'))).toEqual([
      'false',
      'true',
    ]);
    expect(field.text()).toContain('nothing');
    await field.findAll('input')[1]?.setValue('2*pi');
    expect(simulation().eventDriven?.jumps).toEqual([0.5, '2*pi']);
    expect(reportDocument(documents.model).issues).toEqual([]);
  });
});

describe('a way inside the section', () => {
  it('is made where it is missing, and goes with its last value', () => {
    const target: Record<string, unknown> = { h: 1 };
    writeAt(target, ['a', 'b', 'c'], 5);
    expect(target).toEqual({ h: 1, a: { b: { c: 5 } } });
    expect(valueAt(target, ['a', 'b', 'c'])).toBe(5);
    expect(valueAt(target, ['x', 'y'])).toBeUndefined();
    writeAt(target, ['a', 'd'], 6);
    writeAt(target, ['a', 'b', 'c'], undefined);
    expect(target).toEqual({ h: 1, a: { d: 6 } });
  });
});
