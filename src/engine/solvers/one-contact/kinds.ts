/** What a contact does under a force, as numbers for workspaces. */

export const TAKE_OFF = 0;
export const STICK = 1;
export const SLIDE = 2;
