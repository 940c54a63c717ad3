import { createPinia } from 'pinia';
import { type Component, createApp } from 'vue';
import { provideContacts } from './animation/contacts';
import { runContacts } from './animation/run-contacts';
import App from './App.vue';
import { i18n } from './i18n';
import { useSettingsStore } from './stores/settings';
import { installHost, type Host } from './transport/host';
import './theme/fonts';
import './theme/tokens.css';
import './theme/base.css';
import './theme/controls.css';

/**
 * Mounts the window on `#app`, served by `host`. The settings come first: a window that changed its theme,
 * size and panes just after it was shown would flicker.
 */
export async function start(host: Host): Promise<void> {
  installHost(host);
  provideContacts(runContacts);
  const app = createApp(App as Component)
    .use(createPinia())
    .use(i18n);
  await useSettingsStore().load();
  app.mount('#app');
}
