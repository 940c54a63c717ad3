/** What a window opens on, as its user has set it. */
import { watch } from 'vue';
import { useCatalogueStore } from '../stores/catalogue';
import { useDocumentStore } from '../stores/document';
import { useFilesStore } from '../stores/files';
import { useReportStore } from '../stores/report';
import { useSettingsStore } from '../stores/settings';
import { useStartPageStore } from '../stores/start-page';

/** Something that moves, for those who look at the program for the first time. */
const FIRST_EXAMPLE = 'cam-follower-358';

/** Opens the files of the last window again. @returns whether one of them is open */
async function openLast(): Promise<boolean> {
  const files = useFilesStore();
  let isOpen = false;
  for (const handle of useSettingsStore().values['window.lastFiles'])
    isOpen = (await files.openRecent(handle)) || isOpen;
  return isOpen;
}

/** Opens what the settings say, unless a file or an earlier edit is already there. */
export async function openAtStart(): Promise<void> {
  const documents = useDocumentStore();
  const report = useReportStore();
  const choice = useSettingsStore().values['files.onStart'];
  const isFresh = documents.session === 0 && !documents.dirty && documents.travels === 0;
  if (!isFresh || (choice === 'last' && (await openLast()))) {
    await report.refresh();
    return;
  }
  const { examples } = useCatalogueStore();
  const first = examples.find(({ name }) => name === FIRST_EXAMPLE) ?? examples[0];
  if (choice === 'example' && first !== undefined) {
    await useFilesStore().openFirst(first.name);
    return;
  }
  useStartPageStore().show();
  await report.refresh();
}

/** Keeps in mind which files are open, for the next window. @returns ends it */
export function rememberOpenFiles(): () => void {
  const documents = useDocumentStore();
  const settings = useSettingsStore();
  return watch(
    () => documents.documents.flatMap(({ file }) => file?.handle ?? []),
    (handles) => {
      if (handles.join() !== settings.values['window.lastFiles'].join())
        void settings.set('window.lastFiles', handles.slice(-MOST_FILES));
    },
  );
}

/** More would make a start slow. */
const MOST_FILES = 12;
