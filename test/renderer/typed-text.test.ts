import { readdirSync, readFileSync } from 'node:fs';
import TypedText from '@renderer/components/TypedText.vue';
import { mount } from '@vue/test-utils';
import { describe, expect, it } from 'vitest';
import { defineComponent, nextTick, ref } from 'vue';

/** A field in something that is redrawn, as beside a curve that grows. */
function mountField(accepts: boolean) {
  const value = ref('0.1');
  const redraws = ref(0);
  const handed: string[] = [];
  const wrapper = mount(
    defineComponent({
      components: { TypedText },
      setup: () => ({
        value,
        redraws,
        take: (typed: string) => {
          handed.push(typed);
          if (accepts) value.value = typed;
        },
      }),
      template: '<p>{{ redraws }}</p><TypedText :value="value" :data-redraws="redraws" @change="take" />',
    }),
  );
  const input = wrapper.get('input').element;
  const redraw = async (): Promise<void> => {
    redraws.value++;
    await nextTick();
  };
  const type = (text: string): void => {
    input.value = text;
    input.dispatchEvent(new Event('input'));
  };
  const finish = async (): Promise<void> => {
    input.dispatchEvent(new Event('change'));
    await nextTick();
  };
  return { input, handed, redraw, type, finish };
}

describe('a text that is being typed', () => {
  it('stays through redraws and is handed over when it is finished', async () => {
    const { input, handed, redraw, type, finish } = mountField(true);
    type('0.');
    await redraw();
    expect(input.value).toBe('0.');
    type('0.4');
    await redraw();
    expect(input.value).toBe('0.4');
    expect(handed).toEqual([]);
    await finish();
    expect(handed).toEqual(['0.4']);
    expect(input.value).toBe('0.4');
  });

  it('gives way to the value where it was refused', async () => {
    const { input, handed, type, finish } = mountField(false);
    type('a day');
    await finish();
    expect(handed).toEqual(['a day']);
    expect(input.value).toBe('0.1');
  });

  it('is kept by every field of the window that hands over when it is finished', () => {
    const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.vue'))
      .flatMap((file) =>
        [...readFileSync(`src/${file}`, 'utf8').matchAll(/<(?:input|textarea)\b(?:"[^"]*"|[^">])*>/g)]
          .map(([tag]) => tag)
          .filter((tag) => tag.includes(':value=') && !/@input|type="(?:radio|checkbox)"/.test(tag))
          .map(() => file),
      );
    expect(found).toEqual([]);
  });
});
