/** Names of the IPC channels, shared by the main process and the preload. */
export const CHANNEL = {
  call: 'moreau:call',
  shell: 'moreau:shell',
  hostEvent: 'moreau:host-event',
  shellEvent: 'moreau:shell-event',
  /** the window has subscribed to shell events: what waited for it can be sent */
  listening: 'moreau:listening',
} as const;
