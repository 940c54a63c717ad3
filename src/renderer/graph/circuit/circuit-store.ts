/** The circuit of the document as it is drawn: components with their places, and the lines of the wires. */
import type { ComponentDocument, ModelDocument, NodePlace } from '@engine/document/types';
import type { ElementDefinition } from '@engine/model/definition';
import { componentBox, type Point, type Rectangle } from '@figures/circuit/geometry';
import { carriedLines } from '@figures/circuit/lines';
import { type DrawnWire, drawWires, pinAt, type PlacedComponent } from '@figures/circuit/wires';
import { placeComponents } from '@figures/circuit/arrange';
import {
  arrayOf,
  drawnEnd,
  instanceComponent,
  memberPins,
  ownDefinitions,
  ownType,
  placeable as placeableSubmodels,
  portDefinitions,
  portType,
} from '@figures/circuit/own-components';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { useCatalogueStore } from '../../stores/catalogue';
import { useDrawingStore } from '../../stores/drawing';

/** A component in the drawing. */
export interface DrawnComponent extends PlacedComponent {
  readonly definition: ElementDefinition | undefined;
  readonly index: number;
  readonly box: Rectangle;
  /** drawn by a script: shown, not changed */
  readonly isBuilt?: boolean;
}

/** Components that are being dragged, and by how much. */
export interface ComponentDrag {
  readonly ids: ReadonlySet<string>;
  readonly by: Point;
}

/** Components that builder scripts draw, at most: more are not looked at one by one. */
const MOST_BUILT = 2000;

/** What the lines of wires depend on: these objects stay the same while it does. */
interface Geometry {
  readonly key: string;
  readonly wires: ModelDocument['wires'];
  readonly nodes: ModelDocument['layout']['nodes'];
  readonly laid: ModelDocument['layout']['wires'];
  readonly catalogue: unknown;
}

const NOTHING: ReadonlyMap<string, DrawnComponent> = new Map();

const moved = (one: DrawnComponent, by: Point): DrawnComponent => ({
  ...one,
  place: { ...one.place, x: one.place.x + by.x, y: one.place.y + by.y },
});

export const useCircuitStore = defineStore('circuit', () => {
  const documents = useDrawingStore();
  const catalogue = useCatalogueStore();
  const drag = shallowRef<ComponentDrag | null>(null);

  const known = computed(
    () => new Map((catalogue.catalogue?.components ?? []).map((one) => [one.type, one])),
  );
  const submodels = computed(() => documents.model.submodels);
  /** what builder scripts draw; instances stand among the components, as they do in a drawing */
  const scripted = computed(() => {
    const drawings = documents.report.built?.drawings ?? [];
    const wires = drawings.flatMap((one) => one.wires);
    const pins = memberPins(wires);
    const own = new Set((documents.model.components ?? []).map(({ id }) => id));
    const components = drawings
      .flatMap((one) => [
        ...one.components,
        ...one.instances.map((instance) => instanceComponent(instance, pins)),
      ])
      .filter(({ id }) => !own.has(id));
    return components.length > MOST_BUILT ? { components: [], wires: [] } : { components, wires };
  });
  const arrays = computed((before: readonly string[] = []) => {
    const types = [...(documents.model.components ?? []), ...scripted.value.components].map(
      ({ type }) => type,
    );
    const found = [...new Set(types)].filter((type) => arrayOf(type) !== null);
    return found.join('\n') === before.join('\n') ? before : found;
  });
  /** those of the engine, of the document’s own, and of the ports of what is drawn */
  const definitions = computed<ReadonlyMap<string, ElementDefinition>>(() => {
    const all = submodels.value;
    if (all === undefined) return known.value;
    const definitionOf = (type: string): ElementDefinition | undefined => known.value.get(type);
    const { submodel } = documents;
    const ports = submodel === null ? [] : portDefinitions(submodel, all, definitionOf);
    return new Map([...known.value, ...ownDefinitions(all, definitionOf, arrays.value), ...ports]);
  });
  /** components of one’s own, and inside of them ports, as the palette has them */
  const placeable = computed(() => {
    const { submodel } = documents;
    const own = placeableSubmodels(submodels.value ?? [], submodel?.id ?? null);
    const types = [...(submodel === null ? [] : [portType()]), ...own.map(({ id }) => ownType(id))];
    return types.flatMap((type) => definitions.value.get(type) ?? []);
  });
  const hasComponents = computed(
    () => (documents.model.components?.length ?? 0) + scripted.value.components.length > 0,
  );

  /** places of all components: those of the document, and computed ones for what has none */
  const places = computed<ReadonlyMap<string, NodePlace>>(() => {
    const { components = [], wires = [], layout } = documents.model;
    return placeComponents(components, wires, layout.nodes, (type) => definitions.value.get(type));
  });

  const components = computed<ReadonlyMap<string, DrawnComponent>>(() => {
    const all = new Map<string, DrawnComponent>();
    documents.model.components?.forEach((component: ComponentDocument, index) => {
      const definition = definitions.value.get(component.type);
      const place = places.value.get(component.id) ?? { x: 0, y: 0 };
      all.set(component.id, { component, definition, place, index, box: componentBox(definition, place) });
    });
    return all;
  });

  /** wires of scripts by name, with the pin at which they go on one of the document’s own */
  const builtEnds = computed(() => {
    const ends = new Map<string, string[]>();
    for (const wire of scripted.value.wires)
      ends.set(wire.id, [...(ends.get(wire.id) ?? []), ...wire.ends.map(drawnEnd)]);
    for (const {
      id,
      ends: [first],
    } of documents.model.wires ?? []) {
      const list = ends.get(id);
      if (list !== undefined && first !== undefined) list.unshift(first);
    }
    return [...ends].map(([id, list]) => ({ id, ends: list }));
  });
  /** components that scripts draw, beside those of the document */
  const built = computed<ReadonlyMap<string, DrawnComponent>>(() => {
    const { components: list } = scripted.value;
    if (list.length === 0) return NOTHING;
    const { components: own = [], layout } = documents.model;
    const nodes = { ...layout.nodes, ...Object.fromEntries(places.value) };
    const found = placeComponents([...own, ...list], builtEnds.value, nodes, (type) =>
      definitions.value.get(type),
    );
    return new Map(
      list.map((component, index) => {
        const definition = definitions.value.get(component.type);
        const place = found.get(component.id) ?? { x: 0, y: 0 };
        const box = componentBox(definition, place);
        return [component.id, { component, definition, place, index, box, isBuilt: true }];
      }),
    );
  });
  const builtWires = computed<DrawnWire[]>(() =>
    built.value.size === 0
      ? []
      : drawWires({ wires: builtEnds.value, placed: new Map([...components.value, ...built.value]) }),
  );

  let last: { geometry: Geometry; wires: DrawnWire[] } | null = null;
  /** lines of all wires where nothing is being dragged */
  const still = computed<DrawnWire[]>(() => {
    const { model } = documents;
    const geometry: Geometry = {
      key: (model.components ?? []).map(({ id, type }) => `${id} ${type}`).join(','),
      wires: model.wires,
      nodes: model.layout.nodes,
      laid: model.layout.wires,
      catalogue: definitions.value,
    };
    const isSame =
      last !== null &&
      (Object.keys(geometry) as (keyof Geometry)[]).every((key) => last?.geometry[key] === geometry[key]);
    if (isSame && last !== null) return last.wires;
    const { laid } = geometry;
    const wires = drawWires({
      wires: model.wires ?? [],
      placed: components.value,
      ...(laid === undefined ? {} : { laid }),
    });
    last = { geometry, wires };
    return wires;
  });

  /** lines of all wires; during a drag those of what is dragged are laid, the others stay */
  const wires = computed<DrawnWire[]>(() => {
    if (drag.value === null) return still.value;
    const { ids, by } = drag.value;
    const placed = new Map(
      [...components.value].map(([id, one]) => [id, ids.has(id) ? moved(one, by) : one]),
    );
    const isMoved = (end: string): boolean => ids.has(end.slice(0, end.lastIndexOf('.')));
    const kept = new Map(
      (documents.model.wires ?? []).flatMap(({ id, ends }, i) => {
        const lines = still.value[i]?.lines ?? [];
        if (!ends.some(isMoved)) return [[id, lines] as const];
        if (!ends.every(isMoved)) {
          if (documents.model.layout.wires?.[id] === undefined) return [];
          const moves = ends.flatMap((end) => {
            const from = pinAt(components.value, end);
            return from === null ? [] : [{ from, by: isMoved(end) ? by : { x: 0, y: 0 } }];
          });
          return [[id, carriedLines(lines, moves)] as const];
        }
        return [[id, lines.map((line) => line.map(({ x, y }) => ({ x: x + by.x, y: y + by.y })))] as const];
      }),
    );
    return drawWires({ wires: documents.model.wires ?? [], placed, kept });
  });

  return { components, places, wires, built, builtWires, drag, hasComponents, definitions, placeable };
});
