/** How far the section of a run is from those of others, in words. */
import type { RunInfo } from '@contract/methods';
import type { SectionView } from '@engine/document/types';
import { formatNumber } from '@renderer/components/numbers';
import { text } from '@renderer/i18n';
import { useNoticesStore } from '@renderer/stores/notices';
import { useHost } from '@renderer/transport/host';

export async function sectionDistances(
  current: RunInfo | null,
  others: readonly RunInfo[],
  { section, x, y }: SectionView,
): Promise<string> {
  if (current === null) return '';
  const hasPoints = (run: RunInfo): boolean =>
    run.sections.some(({ id, points }) => id === section && points > 0);
  try {
    const words: string[] = [];
    for (const other of others.filter(hasPoints)) {
      const { distance, fromFirst, fromSecond } = await useHost().dispatcher.dispatch('run.sectionDistance', {
        first: { runId: current.runId, section },
        second: { runId: other.runId, section },
        x,
        y,
      });
      words.push(
        text('views.section.distanceIs', {
          run: other.name,
          distance: formatNumber(distance, 4),
          there: formatNumber(fromFirst, 4),
          back: formatNumber(fromSecond, 4),
        }),
      );
    }
    return words.join(' ');
  } catch (error) {
    useNoticesStore().failure(error);
    return '';
  }
}
