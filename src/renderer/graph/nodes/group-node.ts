/** The node of a group: its id, and the room in its frame. */

/** Room between a frame and its members, px. */
export const FRAME_ROOM = 20;
/** Room for the name above them, px. */
export const FRAME_HEAD = 34;

const GROUP = 'group:';

/** Id of the node that stands for a group. Elements have no such ids. */
export const groupNode = (id: string): string => GROUP + id;
export const isGroupNode = (node: string): boolean => node.startsWith(GROUP);
/** Id of the group that a node stands for. */
export const groupOf = (node: string): string => node.slice(GROUP.length);
