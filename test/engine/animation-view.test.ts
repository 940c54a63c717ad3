/** The view of an animation in a document: what may stand in it, and that it is written as it was read. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import { structuralIssues } from '@engine/document/structure';
import type { AnimationView, ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { readFileSync } from 'node:fs';

const base = JSON.parse(
  readFileSync('resources/examples/bouncing-ball.moreau.json', 'utf8'),
) as ModelDocument;
const withView = (view: object): ModelDocument => ({ ...base, views: [view as AnimationView] });

const FULL: AnimationView = {
  loop: true,
  speed: 0.5,
  forceScale: 2,
  overlays: ['grid', 'cones'],
  follow: 'ball',
  camera: { target: [0, 0, 1], position: [1, -2, 3.5] },
  title: 'From the side',
  id: 'scene',
  type: 'animation',
};

describe('the view of an animation', () => {
  it('is written in a fixed order and read back', () => {
    const text = writeDocument(withView(FULL));
    const { document, issues } = readDocument(text);
    expect(issues).toEqual([]);
    expect(document?.views).toEqual([FULL]);
    expect(Object.keys(document?.views[0] ?? {})).toEqual([
      ...['type', 'id', 'title', 'camera', 'follow', 'overlays', 'forceScale', 'speed', 'loop'],
    ]);
    expect(Object.keys((document?.views[0] as AnimationView).camera ?? {})).toEqual(['position', 'target']);
    expect(writeDocument(document!)).toBe(text);
  });

  it('needs nothing but its id', () => {
    expect(structuralIssues(withView({ type: 'animation', id: 'a' }))).toEqual([]);
  });

  it.each([
    [{ camera: { position: [0, 0], target: [0, 0, 0] } }, '/views/0/camera/position'],
    [{ camera: { position: [0, 0, 'x'], target: [0, 0, 0] } }, '/views/0/camera/position/2'],
    [{ overlays: ['rain'] }, '/views/0/overlays/0'],
    [{ speed: 0 }, '/views/0/speed'],
    [{ forceScale: -1 }, '/views/0/forceScale'],
    [{ follow: 'two words' }, '/views/0/follow'],
    [{ signals: [] }, '/views/0'],
  ])('says where %j is wrong', (change, pointer) => {
    const issues = structuralIssues(withView({ type: 'animation', id: 'a', ...change }));
    expect(issues.some((issue) => issue.severity === 'warning' && issue.pointer.startsWith(pointer))).toBe(
      true,
    );
  });
});
