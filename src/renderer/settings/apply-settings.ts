/** What settings change outside of components: the page itself, the window around it, and its native menu. */
import { watch } from 'vue';
import { useCommands } from '../commands/definitions';
import { nativeMenus } from '../commands/menus';
import { setSignificantDigits } from '../components/numbers';
import { speak } from '../i18n';
import { useNoticesStore } from '../stores/notices';
import { useSettingsStore } from '../stores/settings';
import { useHost } from '../transport/host';

/** Keeps page and window as the settings say, for as long as the calling component lives. */
export function applySettings(): void {
  const settings = useSettingsStore();
  const { door, shell, features } = useHost();
  const root = document.documentElement;
  const now = { immediate: true };

  // The window is mounted in its language.
  watch(
    () => settings.values['appearance.language'],
    (language) => void speak(language).catch(useNoticesStore().failure),
  );
  watch(
    () => settings.values['appearance.zoom'],
    (percent) => {
      // The desktop zooms its contents; a page cannot ask its browser to, and scales itself.
      if (door === 'browser') {
        root.style.setProperty('zoom', String(percent / 100));
        root.style.setProperty('--page-zoom', String(percent / 100));
      } else shell.call('shell.setZoom', { factor: percent / 100 }).catch(() => undefined); // the size stays as it is
    },
    now,
  );
  watch(
    () => settings.values['appearance.density'],
    (density) => (root.dataset['density'] = density),
    now,
  );
  watch(
    () => settings.values['appearance.motion'],
    (motion) => (root.dataset['motion'] = motion),
    now,
  );
  watch(() => settings.values['appearance.digits'], setSignificantDigits, now);
  if (!features.nativeMenu) return;
  const commands = useCommands();
  watch(
    () => nativeMenus(commands),
    (sections, before) => {
      if (JSON.stringify(sections) === JSON.stringify(before)) return;
      shell
        .call('shell.setMenu', {
          sections: sections.map(({ group, label, entries }) => ({ group, label, entries })),
        })
        .catch(() => undefined); // every command is still in the palette
    },
    now,
  );
}
