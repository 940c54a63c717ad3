import type { BifurcationView } from '@engine/document/types';
import { GitFork } from '@lucide/vue';
import type { ViewKind } from '../shared/offer';

/** Analyses that it can show. */
const SHOWN: ReadonlySet<string> = new Set(['sweep', 'branch']);

export const bifurcation: ViewKind<BifurcationView> = {
  type: 'bifurcation',
  title: 'views.bifurcation.title',
  icon: GitFork,
  share: 1.4,
  needs: { analyses: 'texts', y: 'text' },
  create: (id, { document }) => ({
    type: 'bifurcation',
    id,
    analyses: (document.analyses ?? []).filter(({ type }) => SHOWN.has(type)).map((one) => one.id),
    y: '',
  }),
};
