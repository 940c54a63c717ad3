/** Which two models are compared place by place. */
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { useDialogsStore } from './dialogs';
import { useRunsStore } from './runs';

export const useModelDifferenceStore = defineStore('model-difference', () => {
  const runs = useRunsStore();
  /** ids of runs; empty for the present model */
  const a = shallowRef('');
  const b = shallowRef('');

  /**
   * Compares a run with another one: with the one that is shown, or, of that one, with the one drawn behind it; with the
   * present model where there is none.
   */
  function show(runId: string | null = runs.currentId): void {
    const others = [runs.currentId, ...runs.compared.map((run) => run.runId)];
    a.value = others.find((other) => other !== runId) ?? '';
    b.value = runId ?? '';
    useDialogsStore().open = 'model-difference';
  }

  return { a, b, show };
});
