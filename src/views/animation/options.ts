import { DEFAULT_OVERLAYS } from '@figures/animation/picture';
import { OVERLAYS } from '@renderer/animation/overlays';
import { text } from '@renderer/i18n';
import { useDocumentStore } from '@renderer/stores/document';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';

const LEAST_SPEED = 1e-6;
const MOST_SPEED = 1e6;

export const animation: FieldsOf<'animation'> = () => [
  {
    as: 'several',
    key: 'overlays',
    id: 'overlay',
    label: text('animation.show'),
    choices: OVERLAYS.map((value) => ({ value, label: text(`animation.overlay.${value}`) })),
    usual: DEFAULT_OVERLAYS,
  },
  {
    as: 'choice',
    key: 'follow',
    label: text('animation.follow'),
    choices: [
      { value: '', label: text('animation.followNone') },
      ...useDocumentStore().model.systems.map(({ id }) => ({ value: id, label: id })),
    ],
    usual: '',
    // A camera is relative to the body that it follows: with another one it has to be found again.
    also: { camera: undefined },
  },
  {
    as: 'number',
    key: 'forceScale',
    label: text('plotOptions.forceScale'),
    placeholder: '1',
    min: LEAST_SPEED,
    max: MOST_SPEED,
  },
  {
    as: 'number',
    key: 'speed',
    label: text('animation.speed'),
    placeholder: '1',
    min: LEAST_SPEED,
    max: MOST_SPEED,
  },
  { as: 'switch', key: 'loop', label: text('animation.loop') },
];
