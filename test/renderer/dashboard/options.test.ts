/** Axes and styles of time series: what goes without saying is not written down. */
import type { PlotAxis, SignalInfo } from '@engine/document/types';
import { expect, it } from 'vitest';
import { withAxisOption, withSignalOn, withStyle } from '@renderer/document/view-axes';

const infos = [
  ['q', 'm'],
  ['x', 'm'],
  ['v', 'm/s'],
].map(([name, unit]): SignalInfo => ({ name, unit, kind: 'position', description: '' }));
const signals = ['q', 'v', 'x'];

it('a signal is put on another axis, and back', () => {
  const apart = withSignalOn(signals, infos, undefined, 'x', 2);
  expect(apart).toEqual([{ signals: ['q'] }, { signals: ['v'] }, { signals: ['x'] }]);
  expect(withSignalOn(signals, infos, apart, 'x', 0)).toBeUndefined();
  const together = withSignalOn(signals, infos, [{ isLog: true }], 'v', 0);
  expect(together).toEqual([{ isLog: true, signals: ['q', 'x', 'v'] }]);
});

it('an axis has options of its own, which go with it', () => {
  const ends = withAxisOption(signals, infos, undefined, 1, { min: -1, max: 1 });
  expect(ends).toEqual([{}, { min: -1, max: 1 }]);
  const log = withAxisOption(signals, infos, ends, 0, { isLog: true });
  expect(log).toEqual([{ isLog: true }, { min: -1, max: 1 }]);
  const none = withAxisOption(signals, infos, log, 1, { min: undefined, max: undefined });
  expect(none).toEqual([{ isLog: true }]);
  expect(withAxisOption(signals, infos, none, 0, { isLog: undefined })).toBeUndefined();
  const kept: PlotAxis[] = [{ signals: ['v'], min: 0 }];
  expect(withSignalOn(signals, infos, kept, 'x', 0)).toEqual([
    { min: 0, signals: ['v', 'x'] },
    { signals: ['q'] },
  ]);
});

it('a curve has a style of its own', () => {
  const dashed = withStyle([{ signals: ['q', 'v'], width: 3 }], 'v', { line: 'dashed' });
  expect(dashed).toEqual([
    { signals: ['q'], width: 3 },
    { signals: ['v'], line: 'dashed', width: 3 },
  ]);
  const plain = withStyle(dashed, 'v', { line: 'solid', width: undefined });
  expect(plain).toEqual([{ signals: ['q'], width: 3 }]);
  expect(withStyle(plain, 'q', { width: undefined })).toBeUndefined();
  expect(withStyle(undefined, 'q', { hasMarkers: true })).toEqual([{ signals: ['q'], hasMarkers: true }]);
});
