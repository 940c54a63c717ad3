/** A start that violates a joint: the problem offers to project it, as one step that can be undone. */
import { flushPromises, mount } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { useCommands } from '@renderer/commands/definitions';
import { projectInitialState } from '@renderer/document/initial-state';
import ProblemsList from '@renderer/shell/ProblemsList.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { useReportStore } from '@renderer/stores/report';
import { openCamFollower } from './setup';

/** Two masses that a bar of length `length` holds together, 1.4 m apart at the start. */
async function openCarts(length = 1): Promise<void> {
  const documents = useDocumentStore();
  const cart = (id: string, q0: number): object => ({
    id,
    type: 'LagrangianLinearTI',
    ndof: 1,
    mass: [[1]],
    q0: [q0],
    v0: [0],
  });
  documents.edit('carts', (draft) => {
    Object.assign(draft, {
      systems: [cart('left', 0), cart('right', 1.4)],
      interactions: [
        {
          id: 'bar',
          systems: ['left', 'right'],
          relation: { type: 'LagrangianLinear', H: [[-1, 1]], b: [-length] },
          law: { type: 'Equality', level: 'position' },
        },
      ],
      observables: [],
      scripts: [],
      views: [],
    });
  });
  await useReportStore().refresh();
}

const starts = (): unknown => useDocumentStore().model.systems.map(({ q0 }) => q0);

beforeEach(async () => {
  await openCamFollower();
});

describe('a start that violates a joint', () => {
  it('is projected by the button beside the problem, and restored by undo', async () => {
    await openCarts();
    const list = mount(ProblemsList);
    expect(list.text()).toContain('violate “bar”');
    await list.get('button.mend').trigger('click');
    await flushPromises();
    expect(starts()).toEqual([[expect.closeTo(0.2, 12)], [expect.closeTo(1.2, 12)]]);
    await useReportStore().refresh();
    await flushPromises();
    expect(list.find('button.mend').exists()).toBe(false);
    expect(useNoticesStore().notices.at(-1)?.message).toBe(
      'The initial state was moved onto the joints: positions by up to 0.2.',
    );
    expect(useDocumentStore().undoLabel).toBe('Project initial state');
    useDocumentStore().undo();
    expect(starts()).toEqual([[0], [1.4]]);
  });

  it('is left alone where nothing is violated, with a word about it', async () => {
    await openCarts(1.4);
    await projectInitialState();
    expect(starts()).toEqual([[0], [1.4]]);
    expect(useNoticesStore().notices.at(-1)?.message).toContain('satisfies all joints');
  });

  it('is left alone where the model has errors, which are to be corrected first', async () => {
    await openCarts();
    useDocumentStore().edit('break', (draft) => {
      const [system] = draft.systems;
      if (system !== undefined) system.q0 = ['nope'];
    });
    await projectInitialState();
    expect(starts()).toEqual([['nope'], [1.4]]);
    expect(useNoticesStore().notices.at(-1)).toMatchObject({
      message: 'The model cannot be examined as it is.',
      remedy: 'Correct its errors first.',
    });
  });

  it('is offered once for all joints, and as a command only where there are joints', async () => {
    const command = useCommands();
    expect(command.isEnabled('edit.projectInitialState')).toBe(false);
    await openCarts();
    useDocumentStore().edit('wall', (draft) => {
      const [bar] = draft.interactions;
      if (bar !== undefined)
        draft.interactions.push({
          ...bar,
          id: 'wall',
          systems: ['right'],
          relation: { type: 'LagrangianLinear', H: [[1]], b: [-1] },
        });
    });
    await useReportStore().refresh();
    const list = mount(ProblemsList);
    expect(list.text()).toContain('violate “bar”');
    expect(list.text()).toContain('violate “wall”');
    expect(list.findAll('button.mend')).toHaveLength(1);
    expect(command.isEnabled('edit.projectInitialState')).toBe(true);
  });

  it('is not written over an edit made meanwhile', async () => {
    await openCarts();
    const projecting = projectInitialState();
    useDocumentStore().edit('move', (draft) => {
      const [system] = draft.systems;
      if (system !== undefined) system.q0 = [0.3];
    });
    await projecting;
    expect(starts()).toEqual([[0.3], [1.4]]);
  });
});
