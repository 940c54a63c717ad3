import { createPinia } from 'pinia';
import { type Component, createApp } from 'vue';
import { provideContacts } from './animation/contacts';
import { runContacts } from './animation/run-contacts';
import App from './App.vue';
import { i18n } from './i18n';
import { installHost, type Host } from './transport/host';
import './theme/fonts';
import './theme/tokens.css';
import './theme/base.css';
import './theme/controls.css';

/** Mounts the window on `#app`, served by `host`. */
export function start(host: Host): void {
  installHost(host);
  provideContacts(runContacts);
  createApp(App as Component)
    .use(createPinia())
    .use(i18n)
    .mount('#app');
}
