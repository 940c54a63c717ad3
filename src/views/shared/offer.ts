/** A kind of view as the window offers it; what draws it is in `dashboard/board/ViewPanel.vue`. */
import type { ModelDocument, SignalInfo, ViewDocument } from '@engine/document/types';
import type { Component } from 'vue';
import type { TextKey } from '@renderer/i18n';

/** What a new view is made of. */
interface ViewSources {
  readonly document: ModelDocument;
  /** signals of the last run, else of the next one */
  readonly signals: readonly SignalInfo[];
}

export interface ViewKind<V extends ViewDocument = ViewDocument> {
  readonly type: V['type'];
  readonly title: TextKey;
  readonly icon: Component;
  /** height of its panel, relative to that of curves */
  readonly share: number;
  /** members without which a view cannot be drawn: a text, or a list of them */
  readonly needs?: Readonly<Record<string, 'text' | 'texts'>>;
  /** A view that shows something at once, where there is something to be shown. */
  create(id: string, sources: ViewSources): V;
}
