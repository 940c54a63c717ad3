/** Saving what is shown: one picture, or the pictures of a film, through the door that the window has. */
import { MoreauError } from '@contract/errors';
import { ref, shallowRef } from 'vue';
import { slug } from '../document/factory';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useHost } from '../transport/host';
import type { ExportKind, ExportedPictureSize } from './export-form';
import type { FilmPlan } from '@figures/animation/film-plan';
import { makeFilm } from './film';
import type { PaintOver, Stage } from './stage';

export interface AnimationSource {
  viewId: string;
  stage(): Stage | null;
  paint: PaintOver;
  /** Puts the poses between rows on the stage, with what belongs to their time. */
  showBetween(time: number): Promise<void>;
  /** Shows again what was shown before. */
  restore(): void;
}

/** A picture as a PNG file. @throws {MoreauError} `picture-too-large` */
async function pngOf(canvas: HTMLCanvasElement): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob !== null) return new Uint8Array(await blob.arrayBuffer());
  throw new MoreauError({
    code: 'picture-too-large',
    message: `A picture of ${canvas.width} × ${canvas.height} pixels cannot be made here.`,
    remedy: 'Choose a smaller size.',
  });
}

export function useExport(source: AnimationSource) {
  const notices = useNoticesStore();
  const kind = ref<ExportKind | null>(null);
  const progress = shallowRef<{ done: number; count: number } | null>(null);
  let giveUp: AbortController | null = null;

  function drawn({ width, height }: ExportedPictureSize): Promise<Uint8Array<ArrayBuffer>> {
    const stage = source.stage();
    if (stage === null) throw new MoreauError({ code: 'not-drawn', message: text('animation.notReady') });
    return pngOf(stage.picture(width, height, source.paint));
  }

  async function save(data: Uint8Array<ArrayBuffer>, ending: string): Promise<void> {
    const suggestedName = `${slug(useDocumentStore().model.title)}-${slug(source.viewId)}.${ending}`;
    const saved = await useHost().shell.call('shell.exportFile', { suggestedName, data });
    if (saved !== null) notices.info(text('plot.exported', { name: saved.name }));
  }

  async function exportPicture(size: ExportedPictureSize): Promise<void> {
    kind.value = null;
    try {
      await save(await drawn(size), 'png');
    } catch (error) {
      notices.failure(error);
    }
  }

  async function exportFilm(size: ExportedPictureSize, plan: FilmPlan): Promise<void> {
    const { signal } = (giveUp = new AbortController());
    try {
      const archive = await makeFilm(plan, {
        signal,
        picture: async (time) => {
          await source.showBetween(time);
          return drawn(size);
        },
        progress: (done, count) => (progress.value = { done, count }),
      });
      progress.value = null;
      if (archive !== null) {
        kind.value = null;
        await save(archive, 'zip');
      }
    } catch (error) {
      notices.failure(error);
    } finally {
      progress.value = null;
      giveUp = null;
      source.restore();
    }
  }

  /** Ends a film that is being made, else the question. */
  function close(): void {
    if (giveUp === null) kind.value = null;
    else giveUp.abort();
  }

  return { kind, progress, exportPicture, exportFilm, close };
}
