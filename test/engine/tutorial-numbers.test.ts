/** Numbers that the first tutorial promises are those of its example. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { example } from './support/example';
import { run } from './support/run';

it('the first impact of the first tutorial is at the time and with the velocities that it tells', () => {
  const text = readFileSync('docs/tutorials/first-session.md', 'utf8').replaceAll('−', '-');
  const name = /\(example:([\w-]+)\)/.exec(text)![1];
  const told =
    /first impact is at t = (\S+) s\. .* is (\S+) m\/s before it and (\S+) m\/s after it: .* = (\S+) times/
      .exec(text)!
      .slice(1);
  const document = example(name);
  // What the tutorial shows comes of the other scheme than the one that the example is set to.
  expect(document.simulation.scheme).toBe('time-stepping');
  expect(text.indexOf('command:run.startOther')).toBeLessThan(text.indexOf('command:view.events'));
  const { session } = run(document, { scheme: 'event-driven', tEnd: 0.05, sandbox: createSandbox });
  const { time, before, after, kind } = session.eventRecords[0];
  expect(kind).toBe('impact');
  const found = [time, before, after, -after / before];
  told.forEach((digits, k) => {
    const places = digits.split('.')[1].length;
    expect(found[k].toFixed(places), digits).toBe(digits);
  });
});
