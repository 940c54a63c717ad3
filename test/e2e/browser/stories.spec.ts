/** What users come for, from an empty window to the answer, in the browser. */
import { STORIES } from '../stories';
import { openText } from '../support/open-text';
import { test } from './fixtures';

for (const { title, tell } of STORIES) {
  test(title, async ({ workbench }) => {
    test.slow();
    const { page } = workbench;
    await tell({
      workbench,
      page,
      openFile: (name, text) => openText(page, name, text),
    });
  });
}
