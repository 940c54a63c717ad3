import { createPinia } from 'pinia';
import { type Component, createApp } from 'vue';
import { provideContacts } from './animation/contacts';
import { runContacts } from './animation/run-contacts';
import App from './App.vue';
import { i18n, speak } from './i18n';
import { useNoticesStore } from './stores/notices';
import { useSettingsStore } from './stores/settings';
import { installHost, type Host } from './transport/host';
import './theme/fonts';
import './theme/tokens.css';
import './theme/base.css';
import './theme/controls.css';

/**
 * Mounts the window on `#app`, served by `host`. The settings come first, and the texts of their language: a
 * window that changed its theme, size, panes and words just after it was shown would flicker.
 */
export async function start(host: Host): Promise<void> {
  installHost(host);
  provideContacts(runContacts);
  const app = createApp(App as Component)
    .use(createPinia())
    .use(i18n);
  const settings = useSettingsStore();
  await settings.load();
  await speak(settings.values['appearance.language']).catch(useNoticesStore().failure);
  app.mount('#app');
}
