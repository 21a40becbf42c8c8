/**
 * The shaders. A ball is a square whose pixels each compute their position on the sphere; a stick is a strip shaded as
 * a cylinder; a line has a width in pixels. Depth is linear, so that all of them intersect correctly.
 */

const COMMON = `#version 300 es
precision highp float;
uniform mat3 rotation;
uniform vec3 pivot;
uniform vec2 halfStage;
uniform vec2 shift;
uniform float scale;
uniform float nearness;
uniform float range;
`;

const VERTEX = `${COMMON}
float enlarged(float z) { return 1.0 / (1.0 - z * nearness); }
vec3 seen(vec3 point) { return rotation * (point - pivot); }
vec2 placed(vec3 p) { return shift + p.xy * scale * enlarged(p.z); }
vec4 clipped(vec2 px, float z) { return vec4(px / halfStage, -z / range, 1.0); }
`;

const HAZE = `uniform vec3 ground;
vec3 hazy(vec3 color, float z) {
  float back = clamp(0.5 - z / (range * 1.3), 0.0, 1.0);
  return mix(color, ground, 0.42 * back * back);
}
`;

/** Soft light from the upper left, a pale sky, and haze towards the back. */
const FRAGMENT = `${COMMON}${HAZE}
uniform vec3 ink;
out vec4 painted;
vec3 lit(vec3 color, vec3 normal, float gloss) {
  float key = max(0.0, dot(normal, vec3(-0.41, 0.56, 0.72)));
  float sky = 0.5 + 0.5 * normal.y;
  vec3 shade = color * (0.50 + 0.13 * sky + 0.44 * key);
  float shine = pow(max(0.0, dot(normal, vec3(-0.24, 0.33, 0.913))), 42.0);
  return mix(shade, vec3(1.0), gloss * shine);
}
float depthOf(float z) { return 0.5 - 0.5 * z / range; }
`;

/**
 * A distant ball is a single point, with one vertex instead of four. The vertex computes everything but the
 * light.
 */
const DOT_VERTEX = `${VERTEX}${HAZE}
uniform float ratio;
in vec4 place;
in vec4 color0;
flat out vec3 tint;
void main() {
  vec3 p = seen(place.xyz);
  tint = hazy(color0.rgb, p.z);
  gl_PointSize = 2.0 * place.w * scale * enlarged(p.z) * ratio;
  gl_Position = clipped(placed(p), p.z);
}`;

/** A point is flat: all its pixels have the depth of the ball's centre, so that the card can skip hidden pixels. */
const DOT_FRAGMENT = `#version 300 es
precision mediump float;
flat in vec3 tint;
out vec4 painted;
void main() {
  vec2 at = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
  float square = dot(at, at);
  if (square > 1.0) discard;
  painted = vec4(tint * (0.95 - 0.4 * square + 0.3 * dot(at, vec2(-0.41, 0.56))), 1.0);
}`;

const ballVertex = (sectors: number): string => `${VERTEX}
in vec4 place;
in vec2 corner;
out vec2 at;
${Array.from({ length: sectors }, (_, at) => `in vec4 color${at}; flat out vec4 tint${at};`).join('\n')}
flat out vec2 body;
flat out float px;
void main() {
  vec3 p = seen(place.xyz);
  px = place.w * scale * enlarged(p.z);
  body = vec2(p.z, place.w);
  ${Array.from({ length: sectors }, (_, at) => `tint${at} = color${at};`).join('\n')}
  at = corner;
  gl_Position = clipped(placed(p) + corner * px, p.z);
}`;

const ballFragment = (sectors: number): string => `${FRAGMENT}
${Array.from({ length: sectors }, (_, at) => `flat in vec4 tint${at};`).join('\n')}
in vec2 at;
flat in vec2 body;
flat in float px;
void main() {
  float square = dot(at, at);
  if (square > 1.0) discard;
  float height = sqrt(1.0 - square);
  float z = body.x + height * body.y;
  gl_FragDepth = depthOf(z);
  vec3 color = tint0.rgb;
  ${
    sectors === 1
      ? ''
      : `float around = fract(atan(at.x, at.y) / 6.2831853 + 1.0);
  ${Array.from({ length: sectors - 1 }, (_, k) => `if (around > tint${k}.a) color = tint${k + 1}.rgb;`).join('\n')}`
  }
  float rim = smoothstep(1.0 - min(2.4 / px, 0.4), 1.0 - min(0.8 / px, 0.1), sqrt(square));
  vec3 body3 = lit(color, vec3(at, height), 0.42);
  painted = vec4(hazy(mix(body3, color * 0.22 + ink * 0.06, rim * 0.85), z), 1.0);
}`;

const STICK_VERTEX = `${VERTEX}
uniform float radius;
uniform float isLine;
in vec3 from;
in vec3 to;
in vec2 corner;
in vec4 color0;
in vec4 color1;
flat out vec3 across;
flat out vec3 outward;
flat out vec4 tint0;
flat out vec4 tint1;
out float side;
out float end;
out float z;
flat out float px;
void main() {
  vec3 a = seen(from), b = seen(to);
  vec3 along = normalize(b - a);
  across = length(along.xy) < 1e-4 ? vec3(1.0, 0.0, 0.0) : normalize(vec3(-along.y, along.x, 0.0));
  outward = cross(across, along);
  if (outward.z < 0.0) outward = -outward;
  vec3 p = corner.y < 0.0 ? a : b;
  side = corner.x * (1.0 - isLine);
  end = corner.y;
  tint0 = color0;
  tint1 = color1;
  px = radius * scale * enlarged(p.z);
  z = p.z;
  gl_Position = clipped(placed(p) + across.xy * side * px, p.z);
}`;

const STICK_FRAGMENT = `${FRAGMENT}
flat in vec3 across;
flat in vec3 outward;
flat in vec4 tint0;
flat in vec4 tint1;
flat in float px;
in float side;
in float end;
in float z;
void main() {
  vec3 normal = across * side + outward * sqrt(max(0.0, 1.0 - side * side));
  float rim = smoothstep(1.0 - min(1.6 / px, 0.7), 1.0, abs(side));
  vec3 color = mix(end < 0.0 ? tint0.rgb : tint1.rgb, vec3(0.62), 0.12);
  painted = vec4(hazy(mix(lit(color, normal, 0.2), color * 0.25, rim * 0.7), z), 1.0);
}`;

const FACE_VERTEX = `${VERTEX}
in vec3 from;
in vec3 normal;
in vec4 color0;
flat out vec3 facing;
flat out vec4 tint0;
out float z;
void main() {
  vec3 p = seen(from);
  facing = rotation * normal;
  tint0 = color0;
  z = p.z;
  gl_Position = clipped(placed(p), p.z);
}`;

const FACE_FRAGMENT = `${FRAGMENT}
flat in vec3 facing;
flat in vec4 tint0;
in float z;
void main() {
  vec3 color = lit(mix(tint0.rgb, vec3(1.0), 0.06), facing.z < 0.0 ? -facing : facing, 0.25) * 0.9 + tint0.rgb * 0.16;
  // Like glass: most transparent where a face is seen head-on, and more transparent at the back than at the front.
  float opacity = facing.z < 0.0 ? 0.3 : mix(0.88, 0.6, facing.z);
  painted = vec4(hazy(color, z) * opacity, opacity);
}`;

const LINE_VERTEX = `${VERTEX}
uniform float width;
in vec3 from;
in vec3 to;
in vec2 corner;
out float z;
void main() {
  vec3 a = seen(from), b = seen(to);
  vec2 along = placed(b) - placed(a);
  vec2 side = length(along) < 1e-3 ? vec2(0.0) : normalize(vec2(-along.y, along.x));
  vec3 p = corner.y < 0.0 ? a : b;
  z = p.z;
  gl_Position = clipped(placed(p) + side * corner.x * 0.5 * width, p.z + 0.02);
}`;

const LINE_FRAGMENT = `${FRAGMENT}
uniform float strength;
in float z;
void main() { painted = vec4(hazy(mix(ground, ink, strength), z), 1.0); }`;

export type BatchKind = 'balls' | 'shared' | 'sticks' | 'faces' | 'edges' | 'cell';
/** `dots` are balls seen from afar. */
export type ProgramKind = BatchKind | 'dots';

export const SHADERS: Readonly<Record<ProgramKind, readonly [vertex: string, fragment: string]>> = {
  balls: [ballVertex(1), ballFragment(1)],
  dots: [DOT_VERTEX, DOT_FRAGMENT],
  shared: [ballVertex(4), ballFragment(4)],
  sticks: [STICK_VERTEX, STICK_FRAGMENT],
  faces: [FACE_VERTEX, FACE_FRAGMENT],
  edges: [LINE_VERTEX, LINE_FRAGMENT],
  cell: [LINE_VERTEX, LINE_FRAGMENT],
};
