/** Which two models are compared place by place. */
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { useDialogsStore } from './dialogs';
import { useRunsStore } from './runs';

/** In place of the id of a run: the model as it is in the window. */
export const PRESENT_MODEL = 'present';

export const useModelDifferenceStore = defineStore('model-difference', () => {
  const runs = useRunsStore();
  /** ids of runs, or `PRESENT_MODEL` */
  const a = shallowRef(PRESENT_MODEL);
  const b = shallowRef(PRESENT_MODEL);

  /**
   * Compares a run with another one: with the one that is shown, or, of that one, with the one drawn behind
   * it; with the present model where there is none.
   */
  function show(runId: string | null = runs.currentId): void {
    const others = [runs.currentId, ...runs.compared.map((run) => run.runId)];
    a.value = others.find((other) => other !== runId) ?? PRESENT_MODEL;
    b.value = runId ?? PRESENT_MODEL;
    useDialogsStore().open = 'model-difference';
  }

  return { a, b, show };
});
