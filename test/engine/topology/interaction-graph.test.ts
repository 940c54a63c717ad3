/**
 * The interaction graph: linked-interaction map, components, index sets and block pattern while it is
 * changed.
 */
import { describe, expect, it } from 'vitest';
import { blockPattern } from '@engine/topology/describe';
import { IndexSet } from '@engine/topology/index-set';
import { InteractionGraph } from '@engine/topology/interaction-graph';
import { type Random, seeded } from '../support/random';
import { type NaiveGraph, naiveSnapshot, type Snapshot } from './naive-graph';

const LEVELS = 3;

function snapshot(graph: InteractionGraph): Snapshot {
  const systemId = (handle: number): string => graph.systemId(handle);
  const interactionId = (handle: number): string => graph.interactionId(handle);
  const pattern = blockPattern(graph);
  return {
    interactionsOf: Object.fromEntries(
      graph.systems().map((i) => [systemId(i), graph.interactionsOf(i).map(interactionId).sort()]),
    ),
    systemsOf: Object.fromEntries(
      graph.interactions().map((a) => [interactionId(a), graph.systemsOf(a).map(systemId)]),
    ),
    linked: Object.fromEntries(
      graph
        .interactions()
        .map((a) => [
          interactionId(a),
          Object.fromEntries(
            graph
              .linked(a)
              .map(({ interaction, common }) => [interactionId(interaction), common.map(systemId).sort()]),
          ),
        ]),
    ),
    components: graph
      .components()
      .map((members) => members.map(systemId).sort())
      .sort((a, b) => (a[0] < b[0] ? -1 : 1)),
    indexSets: Array.from({ length: LEVELS }, (_, k) => {
      const members = new Int32Array(graph.interactionCount);
      const count = graph.indexSet(k).write(members);
      return [...members.subarray(0, count)].map(interactionId).sort();
    }),
    pattern: [...pattern.interactions]
      .flatMap((a, k) =>
        [...pattern.columns.subarray(pattern.rowStart[k], pattern.rowStart[k + 1])].map(
          (column) => `${interactionId(a)}·${interactionId(pattern.interactions[column])}`,
        ),
      )
      .sort(),
  };
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(0, list.length - 1)];

/** Applies the same random change to both; sizes wander between nothing and some dozens. */
function change(random: Random, graph: InteractionGraph, naive: NaiveGraph, step: number): void {
  const systems = [...naive.systems];
  const interactions = [...naive.interactions.values()];
  const dice = random.uniform(0, 1);
  if (systems.length === 0 || (dice < 0.15 && systems.length < 25)) {
    naive.systems.add(`s${step}`);
    graph.insertSystem(`s${step}`);
  } else if (dice < 0.5 && interactions.length < 30) {
    const count = Math.min(systems.length, random.integer(1, 4));
    const linked = random.sample(count, systems.length).map((k) => systems[k]);
    naive.interactions.set(`i${step}`, { id: `i${step}`, systems: linked, level: 0 });
    graph.insertInteraction(
      `i${step}`,
      linked.map((id) => graph.findSystem(id)!),
    );
  } else if (dice < 0.75 && interactions.length > 0) {
    const { id } = pick(random, interactions);
    naive.interactions.delete(id);
    graph.removeInteraction(graph.findInteraction(id)!);
  } else if (dice < 0.85) {
    removeSystem(random, graph, naive, pick(random, systems));
  } else if (interactions.length > 0) {
    const interaction = pick(random, interactions);
    interaction.level = random.integer(0, LEVELS - 1);
    graph.setLevel(graph.findInteraction(interaction.id)!, interaction.level);
  }
}

function removeSystem(random: Random, graph: InteractionGraph, naive: NaiveGraph, id: string): void {
  const holding = [...naive.interactions.values()].filter(({ systems }) => systems.includes(id));
  const cascade = random.chance(0.3);
  const result = graph.removeSystem(graph.findSystem(id)!, cascade ? 'cascade' : 'refuse');
  expect(result.removed).toBe(cascade || holding.length === 0);
  expect(result.interactions).toHaveLength(holding.length);
  if (!result.removed) return;
  naive.systems.delete(id);
  for (const interaction of holding) naive.interactions.delete(interaction.id);
}

describe('10⁴ random insertions and removals', () => {
  const graph = new InteractionGraph();
  const naive: NaiveGraph = { systems: new Set(), interactions: new Map() };

  it('keep maps, components, index sets and pattern equal to a rebuild from scratch', () => {
    const random = seeded(11);
    let splits = 0;
    let largest = 0;
    for (let step = 0; step < 10_000; step++) {
      const before = graph.components().length;
      const systemsBefore = graph.systemCount;
      change(random, graph, naive, step);
      if (graph.systemCount === systemsBefore && graph.components().length > before) splits++;
      largest = Math.max(largest, graph.interactionCount);
      // Comparing costs more than changing: always at first, then at every seventh change.
      if (step < 1000 || step % 7 === 0) expect(snapshot(graph)).toEqual(naiveSnapshot(naive, LEVELS));
    }
    expect(splits).toBeGreaterThan(100);
    expect(largest).toBe(30);
  });

  it('leave a graph whose listings are those of a fresh one with the same handles', () => {
    for (const a of graph.interactions()) {
      const linked = graph.linked(a).map(({ interaction }) => interaction);
      expect(linked).toEqual([...linked].sort((x, y) => x - y));
    }
    for (const i of graph.systems()) {
      const held = [...graph.interactionsOf(i)];
      expect(held).toEqual(held.sort((x, y) => x - y));
      const component = graph.components().find((members) => members.includes(i))!;
      expect(component.every((other) => graph.componentOf(other) === graph.componentOf(i))).toBe(true);
    }
  });
});

describe('the worked example of the Siconos developer’s notes §2.1.2', () => {
  const graph = new InteractionGraph();
  const [ds1, ds2, ds3] = ['DS1', 'DS2', 'DS3'].map((id) => graph.insertSystem(id));
  const mu = graph.insertInteraction('mu', [ds1, ds3]);
  const theta = graph.insertInteraction('theta', [ds2, ds3]);

  it('has the linked-interaction map {μ: θ via DS3, θ: μ via DS3}', () => {
    expect(graph.linked(mu)).toEqual([{ interaction: theta, common: [ds3] }]);
    expect(graph.linked(theta)).toEqual([{ interaction: mu, common: [ds3] }]);
  });

  it('has the interactions {μ}, {θ}, {μ, θ} at its systems', () => {
    expect([ds1, ds2, ds3].map((i) => graph.interactionsOf(i))).toEqual([[mu], [theta], [mu, theta]]);
  });

  it('is one component, and three when θ is gone', () => {
    expect(graph.components()).toEqual([[ds1, ds2, ds3]]);
    graph.removeInteraction(theta);
    expect(graph.components()).toEqual([[ds1, ds3], [ds2]]);
    graph.removeInteraction(mu);
    expect(graph.components()).toEqual([[ds1], [ds2], [ds3]]);
  });
});

describe('index sets', () => {
  it('stay nested and follow the removal of an interaction', () => {
    const graph = new InteractionGraph();
    const ball = graph.insertSystem('ball');
    const contacts = [0, 1, 2].map((k) => graph.insertInteraction(`contact ${k}`, [ball]));
    graph.setLevel(contacts[1], 2);
    graph.setLevel(contacts[2], 1);
    const sizes = (): number[] => [0, 1, 2].map((k) => graph.indexSet(k).size);
    expect(sizes()).toEqual([3, 2, 1]);
    graph.removeInteraction(contacts[1]);
    expect(sizes()).toEqual([2, 1, 0]);
    expect(graph.indexSet(1).has(contacts[2])).toBe(true);
  });

  it('restrict the pattern of the one-step matrix', () => {
    const graph = new InteractionGraph();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => graph.insertSystem(id));
    graph.insertInteraction('ab', [a, b]);
    const bc = graph.insertInteraction('bc', [b, c]);
    const onlyC = graph.insertInteraction('c', [c]);
    graph.setLevel(bc, 1);
    graph.setLevel(onlyC, 1);
    const pattern = blockPattern(graph, graph.indexSet(1));
    expect([...pattern.interactions]).toEqual([bc, onlyC]);
    expect([...pattern.rowStart]).toEqual([0, 2, 4]);
    expect([...pattern.columns]).toEqual([0, 1, 0, 1]);
  });

  it('come in increasing order whatever the order of insertion, across words', () => {
    const random = seeded(3);
    const set = new IndexSet(1);
    const members = new Set<number>();
    for (let k = 0; k < 2000; k++) {
      const handle = random.integer(0, 300);
      const insert = random.chance(0.5);
      const revision = set.revision;
      const changed = insert ? set.insert(handle) : set.remove(handle);
      expect(changed).toBe(insert ? !members.has(handle) : members.has(handle));
      expect(set.revision !== revision).toBe(changed);
      if (insert) members.add(handle);
      else members.delete(handle);
      expect(set.size).toBe(members.size);
    }
    const out = new Int32Array(set.size);
    expect(set.write(out)).toBe(members.size);
    expect([...out]).toEqual([...members].sort((a, b) => a - b));
    expect(set.next(301)).toBe(-1);
  });
});

describe('the revision', () => {
  it('changes with every change of the graph, and not with index sets', () => {
    const graph = new InteractionGraph();
    const seen = [graph.revision];
    const ball = graph.insertSystem('ball');
    seen.push(graph.revision);
    const contact = graph.insertInteraction('contact', [ball]);
    seen.push(graph.revision);
    graph.setLevel(contact, 1);
    expect(graph.revision).toBe(seen.at(-1));
    expect(graph.removeSystem(ball)).toEqual({ removed: false, interactions: [contact] });
    expect(graph.revision).toBe(seen.at(-1));
    graph.removeInteraction(contact);
    seen.push(graph.revision);
    graph.removeSystem(ball);
    seen.push(graph.revision);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('what the graph refuses', () => {
  const graph = new InteractionGraph();
  const ball = graph.insertSystem('ball');
  const contact = graph.insertInteraction('contact', [ball]);

  it.each([
    ['a system twice', () => graph.insertSystem('ball'), 'already'],
    ['an interaction twice', () => graph.insertInteraction('contact', [ball]), 'already'],
    ['an interaction with itself', () => graph.insertInteraction('self', [ball, ball]), 'each once'],
    ['an interaction with nothing', () => graph.insertInteraction('none', []), 'one or more'],
    ['a system that is not there', () => graph.insertInteraction('other', [ball, 7]), 'no system'],
    ['the name of an interaction that is not there', () => graph.interactionId(7), 'no interaction'],
  ])('%s', (_, action, message) => {
    const { revision } = graph;
    expect(action).toThrow(message);
    expect(graph.revision).toBe(revision);
    expect(graph.interactionsOf(ball)).toEqual([contact]);
  });
});

describe('a long chain', () => {
  it('splits and joins at the cost of its smaller part', () => {
    // 2·10⁴ systems in a row; the ends are cut off and joined again 2·10⁴ times. Searching the whole each
    // time would visit 4·10⁸ systems.
    const n = 20_000;
    const graph = new InteractionGraph();
    for (let k = 0; k < n; k++) graph.insertSystem(`s${k}`);
    const links = Array.from({ length: n - 1 }, (_, k) => graph.insertInteraction(`i${k}`, [k, k + 1]));
    for (let k = 0; k < n; k++) {
      graph.removeInteraction(links[3]);
      expect(graph.componentOf(3) === graph.componentOf(4)).toBe(false);
      links[3] = graph.insertInteraction(`again ${k}`, [3, 4]);
    }
    expect(graph.components()).toHaveLength(1);
  });
});
