/** A place of a plane that was clicked: how long it is proposed. */
import { expect, it } from 'vitest';
import { effectScope, nextTick, ref } from 'vue';
import { useStartPlace } from '@renderer/dashboard/plane/use-start-place';

it('is proposed as long as its axes show the same values, however often the chart is made again', async () => {
  const chart = ref({ x: { name: 'rpm', min: 300, max: 800 }, y: { name: 'r', min: 0.4, max: 0.9 } });
  const started: unknown[] = [];
  const scope = effectScope();
  const place = scope.run(() =>
    useStartPlace(
      () => [chart.value.x.name, chart.value.y.name],
      (at) => {
        const { x, y } = chart.value;
        return [x.min + at.x * (x.max - x.min), y.min + at.y * (y.max - y.min)];
      },
      (at, isExact) => started.push(at, isExact),
    ),
  )!;
  const at = { x: 0.5, y: 0.5 };
  const changed = async (change: object): Promise<unknown> => {
    place.proposed.value = at;
    await nextTick();
    chart.value = { ...structuredClone({ x: { ...chart.value.x }, y: { ...chart.value.y } }), ...change };
    await nextTick();
    return place.proposed.value;
  };

  expect(await changed({})).toEqual(at);
  expect(place.words.value).toBe('rpm = 550, r = 0.65');
  expect(await changed({ x: { name: 'rpm', min: 300, max: 900 } })).toBeNull();
  expect(await changed({ y: { name: 'mass', min: 0.4, max: 0.9 } })).toBeNull();

  place.proposed.value = at;
  place.confirm(true);
  expect(started).toEqual([at, true]);
  expect(place.proposed.value).toBeNull();
  scope.stop();
});
