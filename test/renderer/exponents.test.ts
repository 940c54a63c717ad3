/** The chart of Lyapunov exponents. */
import { describe, expect, it } from 'vitest';
import { exponentName, exponentsOption } from '@figures/exponents';
import { LIGHT_PLOT } from '@figures/palette';

describe('the convergence of exponents', () => {
  it('names them as they are written', () => {
    expect([0, 1, 9, 11].map(exponentName)).toEqual(['λ₁', 'λ₂', 'λ₁₀', 'λ₁₂']);
  });

  it('draws each over time, on an axis that the first moments do not stretch', () => {
    const times = Float64Array.from({ length: 100 }, (_, k) => k + 1);
    // 1000/t and −1: the first values are a thousand times what is left in the end.
    const history = Float64Array.from({ length: 200 }, (_, k) =>
      k % 2 === 0 ? 1000 / (k / 2 + 1) ** 2 : -1,
    );
    const outcome = {
      kind: 'lyapunov' as const,
      status: 'done' as const,
      times,
      history,
      exponents: Float64Array.of(0.1, -1),
      errors: Float64Array.of(0.01, 0.01),
    };
    const option = exponentsOption({
      outcome: outcome as unknown as Parameters<typeof exponentsOption>[0]['outcome'],
      theme: LIGHT_PLOT,
      width: 400,
      height: 300,
      timeName: 't  [s]',
      valueName: 'λ  [1/s]',
    }) as { series: { name: string; data: number[][] }[]; yAxis: { min: number; max: number } };
    expect(option.series.map(({ name }) => name)).toEqual(['λ₁', 'λ₂']);
    expect(option.series[1].data.every(([, value]) => value === -1)).toBe(true);
    expect(option.series[0].data).toHaveLength(100);
    expect(option.yAxis.max).toBeLessThan(50);
    expect(option.yAxis.min).toBeLessThan(-1);
  });
});
