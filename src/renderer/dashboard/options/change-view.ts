/** Changes of how a view is drawn, each one undoable step. */
import type { ViewDocument } from '@engine/document/types';
import { materialiseViews, viewName } from '../../document/views';
import { text } from '../../i18n';
import { useDocumentStore } from '../../stores/document';
import { useReportStore } from '../../stores/report';

type Of<T extends ViewDocument['type']> = Extract<ViewDocument, { type: T }>;

/** Sets members of a view; undefined takes one away. @param label what is changed */
export function changeView<T extends ViewDocument['type']>(
  view: Of<T>,
  label: string,
  change: { readonly [K in keyof Of<T>]?: Of<T>[K] | undefined },
): void {
  changeMembers(view, label, change);
}

/** The same of members that a form knows by name. */
export function changeMembers(
  view: ViewDocument,
  label: string,
  change: Readonly<Record<string, unknown>>,
): void {
  const { signals } = useReportStore();
  const name = viewName(view);
  useDocumentStore().edit(text('plotOptions.edit', { label, name }), (draft) => {
    materialiseViews(draft, signals);
    const target = draft.views.find(({ id }) => id === view.id) as Record<string, unknown> | undefined;
    if (target === undefined) return;
    for (const [key, value] of Object.entries(change)) {
      if (value === undefined) delete target[key];
      else if (JSON.stringify(target[key]) !== JSON.stringify(value)) target[key] = value;
    }
  });
}
