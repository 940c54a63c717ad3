/** Integrators of a model, and the simulation settings in the window. */
import { readFileSync } from 'node:fs';
import { mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import type { IntegratorDocument, ModelDocument } from '@engine/document/types';
import { catalogue } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import { prepare } from '@engine/preparation/prepare';
import { emptyDocument, newSystem } from '@renderer/document/factory';
import { assignIntegrators, drawnSystems, nameOf } from '@renderer/document/integrators';
import InspectorPane from '@renderer/inspector/InspectorPane.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from './setup';

const definitions = catalogue();

/** Two linear first-order systems a, b and a Lagrangian system m. */
function mixed(integrators: IntegratorDocument[]): ModelDocument {
  const of = (type: string, id: string): ModelDocument['systems'][number] => {
    const definition = definitions.systems.find((candidate) => candidate.type === type);
    if (definition === undefined) throw new Error(`no system ${type}`);
    return newSystem(definition, id);
  };
  const document = emptyDocument(definitions, 3, 'mixed');
  document.systems = [
    of('FirstOrderLinear', 'a'),
    of('LagrangianLinearTI', 'm'),
    of('FirstOrderLinear', 'b'),
  ];
  document.simulation.integrators = integrators;
  return document;
}

describe('the integrators of a model', () => {
  it.each<[string, IntegratorDocument[]]>([
    ['none', []],
    ['one of each order', [{ type: 'EulerMoreau' }, { type: 'SchatzmanPaoli' }]],
    [
      'a named one before the rest',
      [
        { type: 'ZeroOrderHold', systems: ['b'] },
        { type: 'EulerMoreau', theta: 0.5 },
      ],
    ],
    ['a named one after the rest', [{ type: 'EulerMoreau' }, { type: 'ZeroOrderHold', systems: ['a'] }]],
    [
      'only named ones',
      [
        { type: 'ZeroOrderHold', systems: ['a', 'b'] },
        { type: 'MoreauJean', systems: ['m'] },
      ],
    ],
  ])('are assigned as the engine assigns them: %s', (_, integrators) => {
    const document = mixed(integrators);
    const { prepared, issues } = prepare(document, {
      functions: () => null,
      functionNames: [],
      derivatives: () => ({ ok: true, call: () => undefined }),
    });
    expect(issues).toEqual([]);
    const engine = document.systems.map(
      (_system, i) => prepared?.settings.integrators.find(({ systems }) => systems.includes(i))?.type,
    );
    const window = assignIntegrators(integrators, document.systems, definitions);
    expect(window.map(({ type }) => type)).toEqual(engine);
  });
});

const twin = (): ModelDocument =>
  JSON.parse(
    readFileSync('resources/examples/forecast-of-contacts-drawn.moreau.json', 'utf8'),
  ) as ModelDocument;

async function openSettings(document: ModelDocument): Promise<VueWrapper> {
  await openCamFollower();
  useDocumentStore().load(document, null);
  useWorkspaceStore().select({ kind: 'simulation' });
  const host = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(InspectorPane) }));
  const wrapper = mount(host, { attachTo: globalThis.document.body });
  await nextTick();
  return wrapper;
}

describe('the simulation settings of a drawing', () => {
  it('name what it is drawn of, and say what each mass gets', async () => {
    const wrapper = await openSettings(twin());
    useReportStore().report = reportDocument(useDocumentStore().model);
    await nextTick();
    const [late] = wrapper.findAll('[data-testid="integrator-systems"]');
    const ticks = late?.findAll('input[type="checkbox"]') ?? [];
    expect(late?.findAll('label.tick').map((label) => label.text())).toEqual(['late', 'early', 'earlier']);
    expect(ticks.map((tick) => (tick.element as HTMLInputElement).checked)).toEqual([true, false, false]);
    const systems = wrapper.findAll('[data-testid="integrator-assignment"] dt').map((term) => term.text());
    expect(systems).toEqual(['late', 'early', 'earlier']);
    expect(wrapper.get('[data-testid="integrator-assignment"]').text()).not.toContain('by default');
    await ticks[1]?.setValue(true);
    expect(useDocumentStore().model.simulation.integrators[0]?.systems).toEqual(['late', 'early']);
    wrapper.unmount();
  });

  it('call systems of several masses by these', () => {
    const document = twin();
    document.components?.push({ id: 'k', type: 'Spring', stiffness: 1 });
    document.wires?.[0]?.ends.push('k.a');
    document.wires?.[2]?.ends.push('k.b');
    document.simulation.integrators = [{ type: 'MoreauJean', systems: ['early'] }, { type: 'D1MinusLinear' }];
    const { drawn } = reportDocument(document);
    const named = drawnSystems(drawn);
    const { integrators } = document.simulation;
    expect(assignIntegrators(integrators, drawn?.systems ?? [], definitions, [], named)).toEqual([
      { system: 'late, early', type: 'MoreauJean', entry: 0 },
      { system: 'earlier', type: 'D1MinusLinear', entry: 1 },
    ]);
    expect(drawn?.systems.map(({ id }) => nameOf(id, named.get(id)?.names ?? [], integrators))).toEqual([
      'early',
      'earlier',
    ]);
  });
});

describe('the simulation settings', () => {
  let wrapper: VueWrapper;
  beforeEach(async () => {
    wrapper = await openSettings(mixed([]));
  });

  const assignment = (): string => wrapper.get('[data-testid="integrator-assignment"]').text();
  const integrators = (): IntegratorDocument[] => useDocumentStore().model.simulation.integrators;

  it('add the integrators that are missing, and say what each system gets', async () => {
    expect(assignment().match(/by default/g)).toHaveLength(3);
    await wrapper.get('[data-testid="add-integrator"]').trigger('click');
    await wrapper.get('[data-testid="add-integrator"]').trigger('click');
    expect(integrators()).toEqual([{ type: 'EulerMoreau' }, { type: 'MoreauJean' }]);
    expect(assignment()).not.toContain('by default');
    useDocumentStore().undo();
    await nextTick();
    expect(integrators()).toHaveLength(1);
  });

  it('start step control at values that are valid, and take it away whole', async () => {
    const control = wrapper.get('[data-testid="step-control"]');
    await control.setValue(true);
    const { model } = useDocumentStore();
    expect(model.simulation.stepControl).toEqual({ tolerance: 1e-4, hMin: 1e-6, hMax: 0.1 });
    expect(reportDocument(model).issues).toEqual([]);
    expect(wrapper.find('[data-testid="field-hMin"]').exists()).toBe(true);
    await control.setValue(false);
    expect(useDocumentStore().model.simulation).not.toHaveProperty('stepControl');
  });

  it('write Newton’s settings, and leave no empty section behind', async () => {
    const input = wrapper.get('[data-testid="field-maxIterations"] input');
    await input.setValue('30');
    expect(useDocumentStore().model.simulation.newton).toEqual({ maxIterations: 30 });
    await input.setValue('');
    expect(useDocumentStore().model.simulation).not.toHaveProperty('newton');
  });

  it('warn of finite differences', async () => {
    expect(wrapper.text()).not.toContain('half the digits');
    useDocumentStore().edit('differences', (draft) => {
      draft.simulation.derivatives = 'finite-differences';
    });
    await nextTick();
    expect(wrapper.text()).toContain('half the digits');
  });
});
