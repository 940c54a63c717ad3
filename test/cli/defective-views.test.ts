/** Defects of views are reported and keep nothing from being computed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { moreau } from './support';

const folder = mkdtempSync(join(tmpdir(), 'moreau-views-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a model with views that cannot be drawn is valid and runs, and is reported each of them', async () => {
  const document = JSON.parse(readFileSync('resources/examples/bouncing-ball.moreau.json', 'utf8')) as object;
  const views = [
    { type: 'section', id: 'strobe', section: '', x: 'ball.q', y: 'ball.v' },
    { type: 'carpet', id: 'odd' },
    { type: 'table', id: 'numbers', signals: 'all of them' },
  ];
  const file = join(folder, 'ball.moreau.json');
  writeFileSync(file, JSON.stringify({ ...document, views }));
  const checked = await moreau(['validate', file]);
  expect(checked.code).toBe(0);
  for (const place of ['/views/0/section', '/views/1/type', '/views/2/signals'])
    expect(checked.out + checked.notes).toContain(place);
  const { code, out } = await moreau(['run', file, '--t-end', '0.1', '--json']);
  expect(code).toBe(0);
  const { status, warnings } = JSON.parse(out) as { status: string; warnings: string[] };
  expect(status).toBe('done');
  // Everything that is warned of when the model is checked is in the outcome of its run, too.
  const { issues } = JSON.parse((await moreau(['validate', file, '--json'])).out) as {
    issues: { message: string }[];
  };
  expect(issues.length).toBeGreaterThanOrEqual(views.length);
  for (const { message } of issues) expect(warnings.join('\n')).toContain(message);
});
