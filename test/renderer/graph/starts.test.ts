/** Bodies that one click adds make a model that runs: without errors, and touching nothing at first. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import { addStart, BODY_STARTS } from '@renderer/document/starts';
import { emptyDocument } from '@renderer/document/factory';

const start = (key: string): (typeof BODY_STARTS)[number] => BODY_STARTS.find((one) => one.key === key)!;

describe('one-click bodies', () => {
  it.each([
    ...BODY_STARTS.map(({ key }) => [key, 'ball']),
    ['slope', 'box'],
    ['floor', 'flatBall'],
    ['slope', 'flatBox'],
    ['flatBall', 'wall'],
    ['flatBall', 'floor'],
    ['ballOnFloor', 'ballOnFloor'],
  ])('%s and then %s', (...keys) => {
    const document = emptyDocument(catalogue(), 3, 'new');
    for (const key of keys)
      addStart(
        document,
        start(key),
        [...document.systems, ...document.interactions].map(({ id }) => id),
      );
    const errors = reportDocument(document).issues.filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([]);
    const shapes = document.systems.length;
    expect(document.interactions.flatMap(({ systems }) => systems)).toHaveLength(shapes > 1 ? shapes : 0);
  });
});
