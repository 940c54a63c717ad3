/** The dialog in which a matrix is edited as text, opened from its field in the inspector. */
import { DOMWrapper, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import type { FieldValue } from '@engine/document/types';
import InspectorPane from '@renderer/inspector/InspectorPane.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from './setup';

let wrapper: VueWrapper;

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().edit('two coordinates', (draft) => {
    Object.assign(draft.systems[0] ?? {}, {
      ndof: 2,
      mass: [
        ['m', 0],
        [0, 2],
      ],
      q0: [0.4, 0.5],
      v0: [0, 0],
    });
  });
  useWorkspaceStore().select({ kind: 'element', id: 'follower' });
  const host = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(InspectorPane) }));
  wrapper = mount(host, { attachTo: document.body });
  await nextTick();
});

afterEach(() => {
  wrapper.unmount();
});

const mass = (): FieldValue | undefined => useDocumentStore().model.systems[0]?.['mass'];

/** Something in the dialog, which stands at the end of the page. */
function inDialog(selector: string): DOMWrapper<Element> {
  const element = document.querySelector(`[role="dialog"] ${selector}`);
  if (element === null) throw new Error(`the dialog has no ${selector}`);
  return new DOMWrapper(element);
}
const isOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;
const field = (): HTMLTextAreaElement =>
  inDialog('[data-testid="matrix-text"]').element as HTMLTextAreaElement;
const verdict = (): string => inDialog('[data-testid="matrix-verdict"]').text();
const applyButton = (): HTMLButtonElement =>
  inDialog('[data-testid="matrix-apply"]').element as HTMLButtonElement;

async function open(key = 'mass'): Promise<void> {
  await wrapper.get(`[data-testid="text-${key}"]`).trigger('click');
  await nextTick();
}

/** What typing and pasting come to: the text stands in the field and it says so. */
async function enter(text: string): Promise<void> {
  field().value = text;
  await inDialog('textarea').trigger('input');
}

async function apply(): Promise<void> {
  await inDialog('[data-testid="matrix-apply"]').trigger('click');
  await nextTick();
}

describe('the matrix dialog', () => {
  it('shows the matrix by rows, expressions as they are, under its label', async () => {
    await open();
    expect(field().value).toBe('m, 0\n0, 2');
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Mass matrix');
    expect(field().getAttribute('aria-label')).toBe('Text of Mass matrix');
    expect(verdict()).toBe('2 × 2');
    expect(applyButton().disabled).toBe(false);
  });

  it('puts what is typed into the document as one step, and closes', async () => {
    await open();
    await enter('m, 0.5\n0.5, 2*m');
    expect(mass()).toEqual([
      ['m', 0],
      [0, 2],
    ]);
    await apply();
    expect(isOpen()).toBe(false);
    expect(mass()).toEqual([
      ['m', 0.5],
      [0.5, '2*m'],
    ]);
    useDocumentStore().undo();
    expect(mass()).toEqual([
      ['m', 0],
      [0, 2],
    ]);
  });

  it.each([
    ['tabs, as a spreadsheet copies them', '1\t0\r\n0\t3.5\r\n'],
    ['blanks', '1 0\n0 3.5'],
    ['semicolons', '1; 0\n0; 3.5'],
    ['JSON', '[[1, 0], [0, 3.5]]'],
  ])('takes values between %s', async (_, pasted) => {
    await open();
    await enter(pasted);
    expect(verdict()).toBe('2 × 2');
    await apply();
    expect(mass()).toEqual([
      [1, 0],
      [0, 3.5],
    ]);
  });

  it.each([
    [
      'a line of another length',
      '1, 0\n0, 1, 2',
      'Line 2 and the first line have different numbers of entries.',
    ],
    ['an entry that is missing', '1\t\t0\n0\t1\t2', 'Line 1: an entry is missing'],
    ['half of a JSON text', '[[1, 0], [0', 'This is not complete JSON.'],
    ['nothing', ' \n', 'The matrix has no rows.'],
  ])('refuses %s and says where', async (_, text, words) => {
    await open();
    await enter(text);
    expect(verdict()).toContain(words);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(field().getAttribute('aria-describedby')).toBe(
      inDialog('[data-testid="matrix-verdict"]').attributes('id'),
    );
    expect(applyButton().disabled).toBe(true);
    await inDialog('textarea').trigger('keydown', { key: 'Enter', ctrlKey: true });
    expect(isOpen()).toBe(true);
    expect(mass()).toEqual([
      ['m', 0],
      [0, 2],
    ]);
  });

  it('says that a matrix is of the wrong size before it is applied, and the field offers to resize it after', async () => {
    await open();
    await enter('1, 0, 0\n0, 1, 0');
    expect(verdict()).toBe('This is 2 × 3; the field needs 2 × 2.');
    expect(applyButton().disabled).toBe(false);
    await apply();
    expect(mass()).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(wrapper.get('[data-testid="field-mass"]').text()).toContain('Resize to 2 × 2');
  });

  it('leaves an expression with an error to its cell', async () => {
    await open();
    await enter('m, 0\n0, unheard');
    await apply();
    await useReportStore().refresh();
    await nextTick();
    const cells = wrapper.findAll('[data-testid="field-mass"] input');
    expect(cells.map((cell) => cell.attributes('aria-invalid') === 'true')).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(wrapper.get('[data-testid="field-mass"]').text()).toContain('“unheard” names no parameter.');
  });

  it.each([
    ['the button', async () => inDialog('.actions .button:not(.primary)').trigger('click')],
    ['the cross', async () => inDialog('button[aria-label="Close"]').trigger('click')],
    ['the Escape key', async () => inDialog('textarea').trigger('keydown', { key: 'Escape' })],
  ])('keeps the document when it is left by %s', async (_, leave) => {
    const documents = useDocumentStore();
    const { version } = documents;
    await open();
    await enter('7, 0\n0, 7');
    await leave();
    await nextTick();
    expect(isOpen()).toBe(false);
    expect(documents.version).toBe(version);
    // What was not applied is forgotten.
    await open();
    expect(field().value).toBe('m, 0\n0, 2');
  });

  it.each(['ctrlKey', 'metaKey'])('applies by Enter with %s, and adds a line without', async (modifier) => {
    await open();
    await enter('3, 0\n0, 3');
    await inDialog('textarea').trigger('keydown', { key: 'Enter' });
    expect(isOpen()).toBe(true);
    await inDialog('textarea').trigger('keydown', { key: 'Enter', [modifier]: true });
    await nextTick();
    expect(isOpen()).toBe(false);
    expect(mass()).toEqual([
      [3, 0],
      [0, 3],
    ]);
  });

  it('changes between rows and entries, and keeps the form of what it gives back', async () => {
    await open();
    const [rows, entries] = document.querySelectorAll<HTMLInputElement>(
      '[role="dialog"] input[type="radio"]',
    );
    await new DOMWrapper(entries).trigger('change');
    expect(field().value).toBe('rows 2\n0, 0, m\n1, 1, 2');
    await enter('rows 2\n0, 0, m\n1, 2, 5');
    expect(verdict()).toBe('This is 2 × 3; the field needs 2 × 2.');
    await enter('rows 2\n1, 0, 5');
    expect(verdict()).toBe('2 × 2');
    await new DOMWrapper(rows).trigger('change');
    // Columns without entries are there all the same.
    expect(field().value).toBe('0, 0\n5, 0');
    await new DOMWrapper(entries).trigger('change');
    await apply();
    expect(mass()).toEqual({ rows: 2, entries: [[1, 0, 5]] });
  });

  it('takes a vector as a line or as a column', async () => {
    await open('q0');
    expect(field().value).toBe('0.4, 0.5');
    expect(verdict()).toBe('1 × 2');
    await enter('1\n2\n3');
    expect(verdict()).toBe('This is 1 × 3; the field needs 1 × 2.');
    await enter('1\n2');
    expect(verdict()).toBe('1 × 2');
    await apply();
    expect(useDocumentStore().model.systems[0]?.['q0']).toEqual([1, 2]);
  });
});
