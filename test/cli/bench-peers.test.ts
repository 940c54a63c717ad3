/** Programs beside which the engine is measured find the same events; what is not installed is skipped. */
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { peerModels, withStart } from '../../src/cli/bench/peers/peer-models';
import { eventTimes } from '../../src/cli/bench/peers/peers';
import { findPeers, peersFolder } from '../../src/cli/bench/peers/programs';
import { example } from '../engine/support/example';

/** A tolerance of CVODE and a step of XPPAUT; scipy takes seconds for as many events. */
const TIGHT: Readonly<Record<string, number>> = { CVODE: 1e-12, XPPAUT: 1e-4 };

const folder = peersFolder();
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const peers = findPeers(folder).flatMap((search) =>
  search.ok && search.peer.name in TIGHT ? [search.peer] : [],
);

test.each(peerModels.map((model, k) => [model.label, model, k] as const))('%s', (_, model, k) => {
  const ours = eventTimes(withStart(example(model.example), model), model);
  const { exact } = model;
  if (exact !== null) ours.forEach((time, event) => expect(time).toBeCloseTo(exact(event), 9));
  for (const { name, run } of peers) {
    const found = run(k, TIGHT[name]);
    expect(found).not.toBeNull();
    found?.state.forEach((time, event) => expect(time).toBeCloseTo(ours[found.first + event], 5));
  }
});
