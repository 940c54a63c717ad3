import { describe, expect, it } from 'vitest';
import { EditHistory, MERGE_WINDOW } from '@renderer/document/history';

function counter(): { history: EditHistory<{ a: number; b: number[] }>; tick: (ms: number) => void } {
  let now = 0;
  return { history: new EditHistory({ a: 0, b: [1, 2] }, () => now), tick: (ms) => (now += ms) };
}

describe('edit history', () => {
  it('takes edits back and repeats them', () => {
    const { history } = counter();
    history.edit('one', (draft) => void (draft.a = 1));
    history.edit('two', (draft) => void draft.b.push(3));
    expect(history.undoLabel).toBe('two');
    history.undo();
    expect(history.state).toEqual({ a: 1, b: [1, 2] });
    expect(history.redoLabel).toBe('two');
    history.undo();
    expect(history.state).toEqual({ a: 0, b: [1, 2] });
    expect(history.undo()).toBe(false);
    history.redo();
    history.redo();
    expect(history.state).toEqual({ a: 1, b: [1, 2, 3] });
  });

  it('makes one step of the edits of a gesture', () => {
    const { history, tick } = counter();
    for (const value of [1, 2, 3]) {
      history.edit('slide', (draft) => void (draft.a = value), { mergeKey: 'a' });
      tick(100);
    }
    expect(history.depth).toBe(1);
    history.undo();
    expect(history.state.a).toBe(0);
    history.redo();
    expect(history.state.a).toBe(3);
  });

  it('separates gestures by time, by key and by their end', () => {
    const { history, tick } = counter();
    const set = (value: number, mergeKey: string): boolean =>
      history.edit('set', (draft) => void (draft.a = value), { mergeKey });
    set(1, 'a');
    tick(MERGE_WINDOW + 1);
    set(2, 'a');
    set(3, 'other');
    history.endGesture();
    set(4, 'other');
    expect(history.depth).toBe(4);
    history.undo();
    expect(history.state.a).toBe(3);
  });

  it('keeps no step for an edit that changes nothing', () => {
    const { history } = counter();
    expect(history.edit('same', (draft) => void (draft.a = 0))).toBe(false);
    expect(history.undoLabel).toBeNull();
  });

  it('forgets what was undone when something else is done', () => {
    const { history } = counter();
    history.edit('one', (draft) => void (draft.a = 1));
    history.undo();
    history.edit('two', (draft) => void (draft.a = 2));
    expect(history.redoLabel).toBeNull();
    history.undo();
    expect(history.state.a).toBe(0);
  });

  it('is clean again when undo returns to the saved state, and dirty beyond it', () => {
    const { history } = counter();
    history.edit('one', (draft) => void (draft.a = 1));
    expect(history.dirty).toBe(true);
    history.markSaved();
    expect(history.dirty).toBe(false);
    history.edit('two', (draft) => void (draft.a = 2));
    expect(history.dirty).toBe(true);
    history.undo();
    expect(history.dirty).toBe(false);
    history.undo();
    expect(history.dirty).toBe(true);
  });

  it('does not merge an edit into the step that was saved', () => {
    const { history } = counter();
    const set = (value: number): boolean =>
      history.edit('type', (draft) => void (draft.a = value), { mergeKey: 'a' });
    set(1);
    history.markSaved();
    set(2);
    expect(history.dirty).toBe(true);
    history.undo();
    expect(history.state.a).toBe(1);
    expect(history.dirty).toBe(false);
  });

  it('stays dirty when the saved state can no longer be reached', () => {
    const { history } = counter();
    history.edit('one', (draft) => void (draft.a = 1));
    history.markSaved();
    history.undo();
    history.edit('other', (draft) => void (draft.a = 5));
    history.undo();
    expect(history.dirty).toBe(true);
  });
});
