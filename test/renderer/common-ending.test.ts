import { commonEnding } from '@renderer/dashboard/signals/common-ending';
import { expect, it } from 'vitest';

it.each([
  [[], ''],
  [['a.v'], ''],
  [['hit.impulse', 'balls[0].contact.impulse'], '.impulse'],
  [['balls[0].contact.impulse', 'balls[1].contact.impulse'], '.contact.impulse'],
  [['a.v', 'b.i'], ''],
  [['out.v', 'out.v.x'], ''],
  [['v', 'a.v'], ''],
  [['a.v', 'a.v'], '.v'],
])('%j end with “%s”', (names, ending) => {
  expect(commonEnding(names)).toBe(ending);
});
