/**
 * What the engine offers: element definitions, examples, formats of data, version. Loaded once a connection
 * stands.
 */
import type { AppInfo, DataFormatInfo, ExampleInfo } from '@contract/methods';
import type { SchemeName } from '@engine/document/types';
import type { Catalogue, ElementDefinition } from '@engine/model/definition';
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { useHost } from '../transport/host';

/** Groups of definitions in the catalogue. */
export type DefinitionGroup = Exclude<keyof Catalogue, 'plugins'>;

export const useCatalogueStore = defineStore('catalogue', () => {
  const catalogue = shallowRef<Catalogue | null>(null);
  const app = shallowRef<AppInfo | null>(null);
  const examples = shallowRef<ExampleInfo[]>([]);
  const dataFormats = shallowRef<DataFormatInfo[]>([]);

  /** Asks the host. @throws {MoreauError} when it does not answer */
  async function load(): Promise<void> {
    const { dispatcher } = useHost();
    [app.value, catalogue.value, examples.value, dataFormats.value] = await Promise.all([
      dispatcher.dispatch('app.info', {}),
      dispatcher.dispatch('catalogue', {}),
      dispatcher.dispatch('examples.list', {}),
      dispatcher.dispatch('data.formats', {}),
    ]);
  }

  /** The definition of a type; undefined for one this engine does not know. */
  function definition(category: DefinitionGroup, type: string): ElementDefinition | undefined {
    return catalogue.value?.[category].find((candidate) => candidate.type === type);
  }

  /** What a scheme is called; its name in documents where this engine does not know it. */
  const schemeTitle = (scheme: SchemeName): string => definition('schemes', scheme)?.title ?? scheme;

  return { catalogue, app, examples, dataFormats, load, definition, schemeTitle };
});
