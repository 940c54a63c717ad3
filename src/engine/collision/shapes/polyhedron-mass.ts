/**
 * Volume, centre and inertia of a polyhedron by the divergence theorem: the faces are cut into triangles, and each triangle (a, b, c)
 * spans with a vertex of the polyhedron as origin a tetrahedron of signed volume V = a·(b × c)/6, whose moments are exact:
 *
 *     ∫ x dV   = V (a + b + c)/4,
 *     ∫ x ᵗx dV = V (a ᵗa + b ᵗb + c ᵗc + s ᵗs)/20,    s = a + b + c.
 *
 * With C the second moments about the centre, I = ρ (tr C · 1 − C). The origin is on the polyhedron, so that far from its frame's origin
 * nothing cancels. B. Mirtich, J. Graphics Tools 1(2), 1996, doi:10.1080/10867651.1996.10487458 has the same integrals.
 */
import type { MassProperties } from './mass-properties';
import type { Polytope } from './polytope';

/** @param density kg/m³ */
export function polyhedronMass(core: Polytope, density: number): MassProperties {
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
