/** German texts of the examples gallery. */
import type { enGallery } from '../en-gallery';
import type { Translated } from '../translated';

export const deGallery: Translated<typeof enGallery> = {
  gallery: {
    title: 'Beispiele',
    description: 'Jedes Beispiel öffnet sich als neues Modell, das sich ändern und speichern lässt.',
    open: 'Öffnen',
    search: 'Beispiele suchen',
    topics: 'Gebiete',
    all: 'Alle',
    found: '{number} Beispiel | {number} Beispiele',
    explain: 'Erläutern',
    explainOne: '{title} erläutern',
    back: 'Alle Beispiele',
    source: 'Quellen',
    aboutModel: 'Über dieses Modell',
    bare: 'Das Modell hat noch keine Beschreibung. Im Inspektor des Modells lässt sich eine hinzufügen.',
    group: {
      circuits: 'Schaltungen',
      mechanics: 'Mechanik mit Stößen',
      space: '3D-Körper',
      control: 'Gleitregime und Regelung',
      biology: 'Biologie',
      smooth: 'Glatte Systeme',
      other: 'Weitere',
    },
  },
};
