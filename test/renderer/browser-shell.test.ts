import { describe, expect, it } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '@contract/methods';
import { BrowserShell, readDroppedFiles } from '@renderer/transport/browser-shell';

const dropped = (file: unknown): DataTransfer => ({ files: [file] }) as unknown as DataTransfer;

describe('shell of the browser door', () => {
  it('keeps the name of an opened file', async () => {
    const file = new File(['{}'], 'cam.moreau.json');
    expect(await Promise.all(readDroppedFiles(dropped(file)))).toEqual([
      { handle: null, name: 'cam.moreau.json', text: '{}' },
    ]);
  });

  it('refuses a file that is too large before it is read', async () => {
    let read = false;
    const file = {
      name: 'large.json',
      size: MAX_DOCUMENT_BYTES + 1,
      text: () => {
        read = true;
        return Promise.resolve('');
      },
    };
    await expect(Promise.all(readDroppedFiles(dropped(file)))).rejects.toMatchObject({
      details: { code: 'file-too-large' },
    });
    expect(read).toBe(false);
  });

  it('reads a file again as long as the page may', async () => {
    const shell = new BrowserShell();
    await shell.call('shell.clearRecent', {});
    const gone = { name: 'gone.json', size: 2, text: () => Promise.resolve('{}') };
    await Promise.all(readDroppedFiles(dropped(gone)));
    await Promise.all(readDroppedFiles(dropped(new File(['{}'], 'cam.moreau.json'))));
    const [cam, other] = await shell.call('shell.recent', {});
    expect([cam?.name, other?.name]).toEqual(['cam.moreau.json', 'gone.json']);
    const again = await shell.call('shell.openRecent', { handle: cam?.handle ?? '' });
    expect(again).toEqual({ handle: null, name: 'cam.moreau.json', text: '{}' });
    gone.text = () => Promise.reject(new DOMException('changed', 'NotReadableError'));
    await expect(shell.call('shell.openRecent', { handle: other?.handle ?? '' })).rejects.toMatchObject({
      details: { code: 'file-changed' },
    });
    expect(await shell.call('shell.recent', {})).toHaveLength(1);
  });

  it('says that a page cannot write to a file', async () => {
    const saving = new BrowserShell().call('shell.save', { handle: 'x', text: '' });
    await expect(saving).rejects.toMatchObject({ details: { code: 'not-in-browser' } });
  });

  it('shows the unsaved marker in the title of the tab', async () => {
    await new BrowserShell().call('shell.setDocument', { name: 'Cam', dirty: true });
    expect(document.title).toBe('● Cam · Moreau');
  });
});
