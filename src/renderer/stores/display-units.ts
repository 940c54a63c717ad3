/**
 * The units that values of the present document are shown in. What is chosen stands in the document; here are
 * the factors, as the host knows them.
 */
import type { ConvertedUnit, UnitChoice } from '@contract/methods';
import { defineStore } from 'pinia';
import { computed, shallowReactive, watch } from 'vue';
import { useHost } from '../transport/host';
import { chosenUnit, displayUnitsOf, type UnitPair, unitPairs } from '@figures/display-units';
import { asItIs, type ShownUnit } from '@figures/shown-units';
import { shownWords } from '../units/shown';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';

/** Why a chosen unit is not shown, and what to do. */
export interface UnitTrouble {
  message: string;
  remedy: string;
}

const keyOf = ({ from, to }: UnitPair): string => `${from}\n${to}`;

export const useDisplayUnitsStore = defineStore('displayUnits', () => {
  const documents = useDocumentStore();
  /** answers of the host; what a unit is does not change */
  const known = shallowReactive(new Map<string, ConvertedUnit>());
  const choicesKnown = new Map<string, Promise<UnitChoice[]>>();
  const asked = new Set<string>();
  /** what shows values follows this alone, not every edit of the model */
  const chosen = computed(() => documents.model.displayUnits);
  const pairs = computed(() => unitPairs(documents.model));

  /** Asks for what is not known yet; the units of the model are shown until the answer is there. */
  async function learn(wanted: readonly UnitPair[]): Promise<void> {
    const missing = wanted.filter((pair) => !known.has(keyOf(pair)) && !asked.has(keyOf(pair)));
    if (missing.length === 0) return;
    for (const pair of missing) asked.add(keyOf(pair));
    try {
      const answers = await useHost().dispatcher.dispatch('units.convert', { pairs: missing });
      missing.forEach((pair, k) => {
        const answer = answers[k];
        if (answer !== undefined) known.set(keyOf(pair), answer);
      });
    } catch (error) {
      useNoticesStore().failure(error);
    } finally {
      for (const pair of missing) asked.delete(keyOf(pair));
    }
  }

  watch(pairs, learn, { immediate: true });

  const { of, ofParameter } = displayUnitsOf(
    () => chosen.value,
    (pair) => {
      const found = known.get(keyOf(pair));
      return found !== undefined && 'factor' in found ? found.factor : undefined;
    },
  );

  /** Unit that is chosen for a unit of the model, or for one parameter; undefined where none is. */
  const chosenFor = (unit: string, parameter?: string): string | undefined =>
    chosenUnit(chosen.value, unit, parameter);

  /** How the value of the parameter of that name is shown; as a bare number where the model has none. */
  function ofParameterNamed(name: string): ShownUnit {
    const parameter = documents.model.parameters.find((one) => one.name === name);
    return parameter === undefined ? asItIs('') : ofParameter(parameter);
  }

  /**
   * Value of the parameter of that name for a narrow place: with its unit only where that is not the model's.
   */
  function parameterWords(name: string, value: number): string {
    const shown = ofParameterNamed(name);
    return shownWords(value, shown.factor === 1 ? asItIs('') : shown);
  }

  /** Why the chosen unit is not shown; null where it is. */
  function trouble(unit: string, parameter?: string): UnitTrouble | null {
    const to = chosenFor(unit, parameter);
    const found = to === undefined ? undefined : known.get(keyOf({ from: unit, to }));
    return found === undefined || 'factor' in found ? null : found;
  }

  /**
   * Whether values in one unit can be shown in another.
   * @throws {MoreauError} when the host does not answer
   */
  async function convert(from: string, to: string): Promise<ConvertedUnit> {
    const pair = { from, to };
    const [answer] = known.has(keyOf(pair))
      ? [known.get(keyOf(pair))]
      : await useHost().dispatcher.dispatch('units.convert', { pairs: [pair] });
    const found = answer ?? { message: '', remedy: '' };
    known.set(keyOf(pair), found);
    return found;
  }

  /** Units that values in a unit are commonly shown in, itself first. */
  async function choices(unit: string): Promise<UnitChoice[]> {
    const asking = choicesKnown.get(unit) ?? useHost().dispatcher.dispatch('units.choices', { unit });
    choicesKnown.set(unit, asking);
    try {
      const found = await asking;
      // Chosen next, most likely: then nothing has to be asked before it is shown.
      for (const { unit: to, factor } of found) known.set(keyOf({ from: unit, to }), { factor });
      return found;
    } catch (error) {
      choicesKnown.delete(unit);
      useNoticesStore().failure(error);
      return [];
    }
  }

  return { of, ofParameter, ofParameterNamed, parameterWords, chosenFor, trouble, convert, choices };
});
