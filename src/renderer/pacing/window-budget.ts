/** The budget of this window, and refreshes that keep to it. */
import { defineStore } from 'pinia';
import { markRaw, onBeforeUnmount } from 'vue';
import { windowFrames } from './frames';
import { RedrawBudget } from './redraw-budget';

const useBudgetStore = defineStore('redraw-budget', () => ({
  budget: markRaw(new RedrawBudget(windowFrames)),
}));

/** One for the whole window: all that streams in shares it. */
export const useRedrawBudget = (): RedrawBudget => useBudgetStore().budget;

export interface PacedRefresh {
  /** for what the user did, and for the end of a run */
  now: () => void;
  /** for rows that stream in */
  inTurn: () => void;
}

/** Refreshes of one component. @param refresh resolves when its answer is shown */
export function usePacedRefresh(refresh: () => Promise<void>): PacedRefresh {
  const budget = useRedrawBudget();
  const key = {};
  onBeforeUnmount(() => budget.withdraw(key));
  return {
    now: () => {
      budget.withdraw(key);
      void refresh();
    },
    inTurn: () => budget.request(key, refresh),
  };
}
