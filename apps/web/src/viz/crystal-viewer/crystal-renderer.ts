/** Draws a scene with 3Dmol. The one file that knows the library; it is loaded when a viewer appears. */
import { elementBySymbol } from '@unitcell/elements';
import { norm3, scale3, type Vec3 } from '@unitcell/numerics';
import * as $3Dmol from '3dmol';
import { polyhedronEdges, triangles } from './polyhedron-faces.ts';
import { ballRadius, LABEL_BUDGET, type Scene, type SceneAtom } from './scene.ts';

export interface DrawOptions {
  readonly hasLabels: boolean;
  readonly hasCell: boolean;
  readonly hasBonds: boolean;
  readonly hasPolyhedra: boolean;
}

export interface ViewerColors {
  readonly ink: string;
  readonly ground: string;
}

export interface CrystalRenderer {
  readonly draw: (scene: Scene, options: DrawOptions, colors: ViewerColors) => void;
  readonly reset: () => void;
  readonly resize: () => void;
  /** Degrees about the horizontal (x) or vertical (y) axis of the screen. */
  readonly turn: (degrees: number, axis: 'x' | 'y') => void;
  readonly zoom: (factor: number) => void;
  readonly picture: () => string;
  readonly dispose: () => void;
}

const BOND_RADIUS = 0.09;
const POLYHEDRON_EDGE_RADIUS = 0.014;
/** Å between the end of an axis, where an atom may sit, and its name. */
const AXIS_NAME_GAP = 0.9;
const point = ([x, y, z]: Vec3) => ({ x, y, z });

/** c upwards and a little off the axes, so that rows of atoms do not hide each other; narrow stages are filled too. */
function standardView(viewer: $3Dmol.GLViewer, element: HTMLElement): void {
  viewer.setView([0, 0, 0, 0, 0, 0, 0, 1]);
  viewer.rotate(-90, 'vx');
  viewer.rotate(-24, 'vy');
  viewer.rotate(14, 'vx');
  viewer.zoomTo();
  viewer.zoom(element.clientWidth < element.clientHeight ? 1.7 : 1.08);
}

function drawAtoms(viewer: $3Dmol.GLViewer, scene: Scene, options: DrawOptions): void {
  const isDrawn = (atom: SceneAtom): boolean => options.hasPolyhedra || !atom.isCorner;
  const drawn = scene.atoms.flatMap((atom, index) => (isDrawn(atom) ? [index] : []));
  const place = new Map(drawn.map((index, at) => [index, at]));
  const partners: number[][] = drawn.map(() => []);
  for (const [from, to] of scene.bonds) {
    const [a, b] = [place.get(from), place.get(to)];
    if (a === undefined || b === undefined) continue;
    partners[a]?.push(b);
    partners[b]?.push(a);
  }
  const model = viewer.addModel();
  model.addAtoms(
    drawn.map((index, at) => {
      const atom = scene.atoms[index] as SceneAtom;
      const [x, y, z] = atom.position;
      const bonds = partners[at] ?? [];
      return { elem: atom.element, x, y, z, bonds, bondOrder: bonds.map(() => 1), serial: at };
    }),
  );
  for (const element of new Set(scene.atoms.map((atom) => atom.element))) {
    const color = elementBySymbol(element).viewerColor;
    viewer.setStyle(
      { elem: element },
      {
        sphere: { radius: ballRadius(element), color },
        ...(options.hasBonds ? { stick: { radius: BOND_RADIUS, color } } : {}),
      },
    );
  }
}

/** Translucent faces let the ground through: a pale metal would vanish on paper. */
function darker(color: string): string {
  const channels = [1, 3, 5].map((at) => Math.round(Number.parseInt(color.slice(at, at + 2), 16) * 0.66));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** All polyhedra of an element make one mesh and all edges another: one mesh each would take seconds to draw. */
function drawPolyhedra(viewer: $3Dmol.GLViewer, scene: Scene, colors: ViewerColors): void {
  const edges = viewer.addShape({ color: colors.ink });
  for (const { vertices, faces } of scene.polyhedra)
    for (const [from, to] of polyhedronEdges(faces)) {
      const [a, b] = [vertices[from], vertices[to]];
      if (a && b) edges.addCylinder({ start: point(a), end: point(b), radius: POLYHEDRON_EDGE_RADIUS });
    }
  for (const [element, polyhedra] of Map.groupBy(scene.polyhedra, (polyhedron) => polyhedron.element)) {
    // Each triangle has vertices of its own, so that faces stay flat in the light.
    const drawn = polyhedra.flatMap(({ vertices, faces }) =>
      faces.flatMap((face) =>
        triangles(face).map((corners) => ({
          corners: corners.map((corner) => vertices[corner] as Vec3),
          normal: face.normal,
        })),
      ),
    );
    const corners = drawn.flatMap((triangle) => triangle.corners);
    viewer.addCustom({
      vertexArr: corners.map((corner) => new $3Dmol.Vector3(...corner)),
      normalArr: drawn.flatMap(({ normal }) => [0, 1, 2].map(() => new $3Dmol.Vector3(...normal))),
      faceArr: corners.map((_, index) => index),
      color: darker(elementBySymbol(element).viewerColor),
      opacity: 0.7,
    });
  }
}

function drawCell(viewer: $3Dmol.GLViewer, scene: Scene, colors: ViewerColors): void {
  const edges = viewer.addShape({ color: colors.ink });
  for (const [from, to] of scene.cellEdges)
    edges.addCylinder({ start: point(from), end: point(to), radius: 0.022 });
  const names = ['a', 'b', 'c'];
  for (const [index, axis] of scene.axes.entries()) {
    const outside = scale3(axis, 1 + AXIS_NAME_GAP / norm3(axis));
    addLabel(viewer, names[index] ?? '', labelStyle(outside, colors, 15));
  }
}

/** Without drawing: the library would draw the whole scene after each of its labels. */
const addLabel = (viewer: $3Dmol.GLViewer, text: string, style: ReturnType<typeof labelStyle>): void =>
  void viewer.addLabel(text, style, undefined, true);

const labelStyle = (position: Vec3, colors: ViewerColors, fontSize: number) => ({
  position: point(position),
  fontSize,
  fontColor: colors.ink,
  backgroundColor: colors.ground,
  backgroundOpacity: 0.5,
  borderThickness: 0,
  inFront: true,
  alignment: 'center',
});

function drawLabels(viewer: $3Dmol.GLViewer, scene: Scene, colors: ViewerColors): void {
  const atoms = scene.atoms.filter((atom) => !atom.isCorner).slice(0, LABEL_BUDGET);
  for (const atom of atoms) addLabel(viewer, atom.label, labelStyle(atom.position, colors, 11));
}

/** @throws Error when the browser gives no WebGL context. */
export function createCrystalRenderer(element: HTMLElement): CrystalRenderer {
  const viewer = $3Dmol.createViewer(element, {
    backgroundAlpha: 0,
    antialias: true,
    disableFog: false,
    cartoonQuality: 4,
    orthographic: true,
    nomouse: false,
  });
  if (!viewer) throw new Error('no WebGL context');
  viewer.setBackgroundColor('white', 0);
  let isFirst = true;
  return {
    draw: (scene, options, colors) => {
      viewer.removeAllModels();
      viewer.removeAllShapes();
      viewer.removeAllLabels();
      drawAtoms(viewer, scene, options);
      if (options.hasPolyhedra) drawPolyhedra(viewer, scene, colors);
      if (options.hasCell) drawCell(viewer, scene, colors);
      if (options.hasLabels) drawLabels(viewer, scene, colors);
      if (isFirst) standardView(viewer, element);
      isFirst = false;
      viewer.render();
    },
    reset: () => {
      standardView(viewer, element);
      viewer.render();
    },
    resize: () => {
      viewer.resize();
      viewer.render();
    },
    turn: (degrees, axis) => {
      viewer.rotate(degrees, `v${axis}`);
      viewer.render();
    },
    zoom: (factor) => {
      viewer.zoom(factor);
      viewer.render();
    },
    picture: () => viewer.pngURI(),
    dispose: () => {
      viewer.removeAllModels();
      viewer.removeAllShapes();
      element.replaceChildren();
    },
  };
}
