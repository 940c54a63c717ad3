/** Which dialog is open, and questions to the user as promises. */
import type { SettingSection } from '@contract/settings';
import type { DocumentIssue } from '@engine/document/types';
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

export type DialogName =
  | 'palette'
  | 'gallery'
  | 'about'
  | 'settings'
  | 'add-element'
  | 'recovery'
  | 'export-model'
  | 'export-data'
  | 'export-figure'
  | 'annotate'
  | 'export-analysis'
  | 'import-data'
  | 'import-netlist'
  | 'about-model'
  | 'kept-runs'
  | 'model-difference'
  | 'display-units';

export interface Choice {
  value: string;
  label: string;
  style?: 'primary' | 'danger';
}

export interface QuestionDialog {
  title: string;
  message: string;
  /** the first is what Escape means */
  choices: Choice[];
  answer: (value: string) => void;
}

export interface RefusalDialog {
  title: string;
  message: string;
  issues: DocumentIssue[];
}

/** Stands for the whole dashboard among the ids of views, which have letters. */
export const WHOLE_DASHBOARD = '-';

export const useDialogsStore = defineStore('dialogs', () => {
  const open = shallowRef<DialogName | null>(null);
  const question = shallowRef<QuestionDialog | null>(null);
  /** a text that could not be opened, with the reasons */
  const refusal = shallowRef<RefusalDialog | null>(null);

  /** section that the settings open on */
  const settingsSection = shallowRef<SettingSection>('appearance');

  function showSettings(section: SettingSection = 'appearance'): void {
    settingsSection.value = section;
    open.value = 'settings';
  }

  /** what a figure is made of at first: the id of a view, or `WHOLE_DASHBOARD`; null means the active plot */
  const figureTarget = shallowRef<string | null>(null);

  function showFigure(target: string | null = null): void {
    figureTarget.value = target;
    open.value = 'export-figure';
  }

  /** id of the view that a text is put into */
  const annotated = shallowRef('');
  /** where in it, in the units of the model; null: where the cursor or the pointer is */
  const annotatedPlace = shallowRef<{ x: number; y?: number } | null>(null);

  function annotate(viewId: string, place: { x: number; y?: number } | null = null): void {
    annotated.value = viewId;
    annotatedPlace.value = place;
    open.value = 'annotate';
  }

  /** Asks and resolves to the value of the chosen answer; the first choice when the dialog is dismissed. */
  function ask(title: string, message: string, choices: Choice[]): Promise<string> {
    return new Promise((resolve) => {
      question.value = {
        title,
        message,
        choices,
        answer: (value) => {
          question.value = null;
          resolve(value);
        },
      };
    });
  }

  return {
    open,
    question,
    refusal,
    settingsSection,
    showSettings,
    figureTarget,
    showFigure,
    annotated,
    annotatedPlace,
    annotate,
    ask,
  };
});
