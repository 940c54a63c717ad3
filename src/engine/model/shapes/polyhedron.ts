/** Convex polyhedron by its corners: the convex hull of points. */
import { convexHull } from '../../collision/shapes/convex-hull';
import { type Polytope, polytopeBounds, solidPolytope } from '../../collision/shapes/polytope';
import {
  type MassProperties,
  type RoundedShape,
  refuseShape,
  requireDensity,
  requireFinite,
} from '../../collision/shapes/shape';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

/*
 * What a list of vertices and faces must satisfy to be a convex polyhedron: finite vertices, faces with an
 * area and in one plane, every edge between exactly two faces that pass it in opposite directions, all in one
 * piece, every vertex behind every face, and a volume.
 */

/** Relative to the size of the polyhedron: coordinates written with ten digits are planar to this. */
const PLANAR = 1e-9;
/** Keys of contacts hold two vertices in 28 bits. */
const VERTEX_LIMIT = 1 << 14;

/**
 * The outward unit normals of the faces, by Newell's method, which is exact for planar loops and a mean for
 * others.
 * @throws {EngineError} `shape-not-finite`, `polyhedron-too-few-vertices`, `polyhedron-too-many-vertices`,
 *   `polyhedron-face-invalid`, `polyhedron-face-degenerate`, `polyhedron-face-not-planar`, `polyhedron-open`,
 *   `polyhedron-orientation`
 */
function checkedNormals(v: Float64Array, faces: readonly (readonly number[])[]): Float64Array {
  requireFinite('polyhedron', 'vertices', v);
  const count = v.length / 3;
  if (!Number.isInteger(count) || count < 4)
    refuseShape(
      'polyhedron-too-few-vertices',
      `The polyhedron has ${v.length} coordinates.`,
      'Give x, y and z of four vertices at least.',
    );
  if (count > VERTEX_LIMIT)
    refuseShape(
      'polyhedron-too-many-vertices',
      `The polyhedron has ${count} vertices.`,
      `Give at most ${VERTEX_LIMIT}.`,
    );
  const size = extent(v);
  const normals = new Float64Array(3 * faces.length);
  faces.forEach((loop, f) => {
    requireLoop(loop, f, count);
    newell(v, loop, normals, 3 * f);
    const area = 0.5 * Math.hypot(normals[3 * f], normals[3 * f + 1], normals[3 * f + 2]);
    if (!(area > PLANAR * size * size))
      refuseShape(
        'polyhedron-face-degenerate',
        `Face ${f} of the polyhedron has no area.`,
        'Leave the face out, or give it three vertices that are not on one line.',
      );
    for (let k = 0; k < 3; k++) normals[3 * f + k] /= 2 * area;
    for (const vertex of loop) {
      const off = height(v, vertex, loop[0], normals, f);
      if (Math.abs(off) <= PLANAR * size) continue;
      refuseShape(
        'polyhedron-face-not-planar',
        `Vertex ${vertex} is ${off.toPrecision(3)} m off the plane of face ${f} of the polyhedron.`,
        'Divide the face into triangles, or correct the vertex.',
      );
    }
  });
  requireClosed(faces);
  return normals;
}

/**
 * @throws {EngineError} `polyhedron-not-convex`, `polyhedron-inside-out`, `polyhedron-not-solid`,
 *   `polyhedron-unused-vertex`
 */
function requireSolid(core: Polytope): void {
  const { vertices, vertexCount, faceCount, faceStart, faceVertices, normals, edgeCount } = core;
  const used = new Uint8Array(vertexCount);
  for (const vertex of faceVertices) used[vertex] = 1;
  const unused = used.indexOf(0);
  if (unused >= 0)
    refuseShape(
      'polyhedron-unused-vertex',
      `Vertex ${unused} of the polyhedron belongs to no face.`,
      'Leave it out, or give the faces that meet there.',
    );
  let behind = 0;
  let before = 0;
  let worst = 0;
  let where = [0, 0];
  for (let f = 0; f < faceCount; f++) {
    for (let k = 0; k < vertexCount; k++) {
      const off = height(vertices, k, faceVertices[faceStart[f]], normals, f);
      behind = Math.min(behind, off);
      before = Math.max(before, off);
      if (off <= worst) continue;
      worst = off;
      where = [k, f];
    }
  }
  const tolerance = PLANAR * core.size;
  if (behind >= -tolerance)
    refuseShape(
      before > tolerance ? 'polyhedron-inside-out' : 'polyhedron-not-solid',
      before > tolerance ? 'The faces of the polyhedron look inwards.' : 'The polyhedron has no volume.',
      before > tolerance
        ? 'List the vertices of each face counterclockwise as seen from outside.'
        : 'Give vertices that are not all in one plane.',
    );
  if (before > tolerance)
    refuseShape(
      'polyhedron-not-convex',
      `Vertex ${where[0]} of the polyhedron is ${worst.toPrecision(3)} m outside face ${where[1]}.`,
      'Divide the body into convex polyhedra.',
    );
  // Closed surfaces of one piece without holes have V − E + F = 2 (Euler); two pieces would have 4.
  if (vertexCount - edgeCount + faceCount !== 2)
    refuseShape(
      'polyhedron-not-solid',
      `The polyhedron has ${vertexCount} vertices, ${edgeCount} edges and ${faceCount} faces, which is no single closed surface.`,
      'Give each face once, and one body for each polyhedron.',
    );
}

function requireLoop(loop: readonly number[], f: number, count: number): void {
  const isValid =
    loop.length >= 3 &&
    new Set(loop).size === loop.length &&
    loop.every((vertex) => Number.isInteger(vertex) && vertex >= 0 && vertex < count);
  if (isValid) return;
  refuseShape(
    'polyhedron-face-invalid',
    `Face ${f} of the polyhedron is [${loop.join(', ')}].`,
    `Give three or more different vertices from 0 to ${count - 1}.`,
  );
}

function requireClosed(faces: readonly (readonly number[])[]): void {
  const passed = new Map<string, number>();
  faces.forEach((loop, f) => {
    loop.forEach((from, k) => {
      const to = loop[(k + 1) % loop.length];
      const other = passed.get(`${from}-${to}`);
      if (other !== undefined)
        refuseShape(
          'polyhedron-orientation',
          `Faces ${other} and ${f} of the polyhedron both go from vertex ${from} to vertex ${to}.`,
          'List the vertices of each face counterclockwise as seen from outside.',
        );
      passed.set(`${from}-${to}`, f);
    });
  });
  for (const [edge, f] of passed) {
    const [from, to] = edge.split('-');
    if (passed.has(`${to}-${from}`)) continue;
    refuseShape(
      'polyhedron-open',
      `The edge from vertex ${from} to vertex ${to} of face ${f} of the polyhedron has no second face.`,
      'Add the missing face.',
    );
  }
}

/** Height of a vertex over the plane of face f through vertex `base`. */
function height(v: Float64Array, vertex: number, base: number, normals: Float64Array, f: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (v[3 * vertex + k] - v[3 * base + k]) * normals[3 * f + k];
  return sum;
}

/** Σ (p_k − p_0) × (p_{k+1} − p_0): twice the area times the normal. */
function newell(v: Float64Array, loop: readonly number[], out: Float64Array, at: number): void {
  const o = 3 * loop[0];
  for (let k = 1; k + 1 < loop.length; k++) {
    const a = 3 * loop[k];
    const b = 3 * loop[k + 1];
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const l = (i + 2) % 3;
      out[at + i] +=
        (v[a + j] - v[o + j]) * (v[b + l] - v[o + l]) - (v[a + l] - v[o + l]) * (v[b + j] - v[o + j]);
    }
  }
}

function extent(v: Float64Array): number {
  let most = 0;
  for (let k = 3; k < v.length; k += 3)
    most = Math.max(most, Math.hypot(v[k] - v[0], v[k + 1] - v[1], v[k + 2] - v[2]));
  return most;
}

/*
 * Volume, centre and inertia of a polyhedron by the divergence theorem: the faces are cut into triangles, and
 * each triangle (a, b, c) spans with a vertex of the polyhedron as origin a tetrahedron of signed volume
 * V = a·(b × c)/6, whose moments are exact:
 *
 *     ∫ x dV   = V (a + b + c)/4,
 *     ∫ x ᵗx dV = V (a ᵗa + b ᵗb + c ᵗc + s ᵗs)/20,    s = a + b + c.
 *
 * With C the second moments about the centre, I = ρ (tr C · 1 − C). The origin is on the polyhedron, so that
 * far from its frame's origin nothing cancels. Mirtich 1996 has the same integrals.
 */

/** @param density kg/m³ */
function polyhedronMass(core: Polytope, density: number): MassProperties {
  const { vertices, faceCount, faceStart, faceVertices } = core;
  const corner = (vertex: number): number[] => [0, 1, 2].map((k) => vertices[3 * vertex + k] - vertices[k]);
  let volume = 0;
  const first = [0, 0, 0];
  const second = new Float64Array(9);
  for (let f = 0; f < faceCount; f++) {
    const a = corner(faceVertices[faceStart[f]]);
    for (let k = faceStart[f] + 1; k + 1 < faceStart[f + 1]; k++) {
      const b = corner(faceVertices[k]);
      const c = corner(faceVertices[k + 1]);
      const tetrahedron =
        (a[0] * (b[1] * c[2] - b[2] * c[1]) +
          a[1] * (b[2] * c[0] - b[0] * c[2]) +
          a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
      volume += tetrahedron;
      const s = [0, 1, 2].map((i) => a[i] + b[i] + c[i]);
      for (let i = 0; i < 3; i++) {
        first[i] += (tetrahedron * s[i]) / 4;
        for (let j = 0; j < 3; j++)
          second[3 * i + j] += (tetrahedron * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j])) / 20;
      }
    }
  }
  const centre = first.map((value) => value / volume);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) second[3 * i + j] -= volume * centre[i] * centre[j];
  const trace = second[0] + second[4] + second[8];
  const inertia = new Float64Array(9);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) inertia[3 * i + j] = density * ((i === j ? trace : 0) - second[3 * i + j]);
  return {
    mass: density * volume,
    centre: Float64Array.from(centre, (value, k) => value + vertices[k]),
    inertia,
  };
}

/**
 * @param vertices x0, y0, z0, x1, …, in the frame of the shape, m
 * @param faces loops of vertices, counterclockwise seen from outside
 * @throws {EngineError} naming what is wrong, with its code
 */
export function polyhedron(vertices: readonly number[], faces: readonly (readonly number[])[]): RoundedShape {
  const points = Float64Array.from(vertices);
  const normals = checkedNormals(points, faces);
  const core = solidPolytope(points, faces, normals);
  requireSolid(core);
  return {
    kind: 'polyhedron',
    dimensions: [3],
    core,
    radius: 0,
    bounds: (frame, at, out, outAt) => polytopeBounds(core, 0, frame, at, out, outAt),
    massProperties(density) {
      requireDensity(density);
      return polyhedronMass(core, density);
    },
  };
}

export const definition = shapeDefinition(
  'Polyhedron',
  'Convex polyhedron',
  'A block of any convex form, given by its corners; faces are found from them.',
  'x \\in \\operatorname{conv}\\{p_1, \\dots, p_n\\}',
  [
    {
      key: 'points',
      kind: 'matrix',
      rows: 'any',
      columns: 3,
      label: 'Corners',
      symbol: 'p',
      unit: 'm',
      required: true,
      help: 'A row x, y, z for each, in any order; four or more that do not lie in one plane.',
    },
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.defectCount;
  const points = fields.matrix('points', fields.matrixRows('points'), 3);
  if (points === null || fields.defectCount > reported) return null;
  return buildShape(fields, 'points', () => {
    const { vertices, faces } = convexHull([...points]);
    return { shape: polyhedron(vertices, faces), geometry: { kind: 'polyhedron', vertices, faces } };
  });
}
