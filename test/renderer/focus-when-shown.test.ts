import { focusWhenShown } from '@renderer/components/focus-when-shown';
import { beforeEach, describe, expect, it, vi } from 'vitest';

let frames: FrameRequestCallback[];

/** Lets one frame pass. */
function frame(): void {
  const due = frames.splice(0);
  for (const callback of due) callback(0);
}

const field = (): HTMLElement | null => document.getElementById('field');

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  document.body.innerHTML = '<button id="before"></button>';
  document.getElementById('before')!.focus();
  return () => vi.unstubAllGlobals();
});

describe('focus for what is not there yet', () => {
  it('is taken as soon as it is, and once', () => {
    const then = vi.fn();
    focusWhenShown(field, then);
    frame();
    expect(document.activeElement?.id).toBe('before');
    document.body.insertAdjacentHTML('beforeend', '<input id="field" />');
    frame();
    expect(document.activeElement?.id).toBe('field');
    document.getElementById('before')!.focus();
    frame();
    expect(document.activeElement?.id).toBe('before');
    expect(then).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a press of the pointer', new Event('pointerdown', { bubbles: true })],
    ['the tab key', new KeyboardEvent('keydown', { key: 'Tab', bubbles: true })],
  ])('is not taken from a user who has gone elsewhere by %s', (_, event) => {
    focusWhenShown(field);
    document.body.dispatchEvent(event);
    document.body.insertAdjacentHTML('beforeend', '<input id="field" />');
    frame();
    expect(document.activeElement?.id).toBe('before');
    expect(frames).toEqual([]);
  });

  it('waits through what is typed, and not for ever', () => {
    focusWhenShown(field);
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
    expect(frames).toHaveLength(1);
    for (let i = 0; i < 100; i++) frame();
    expect(frames).toEqual([]);
  });
});
