/**
 * One crystal on one stage: holds the view, draws after changes, and picks atoms. A crystal at rest is drawn finely, a
 * moving one only as finely as smooth motion allows.
 */
import type { Vec3 } from '@unitcell/numerics';
import { channels } from './colors.ts';
import { createCrystalRenderer, type CrystalRenderer, type Detail, type Rgb } from './crystal-renderer.ts';
import { type Drawing, drawingOf } from './drawing.ts';
import { drawOverlay, isTriadOnly, triadRoom, type Writing } from './overlay.ts';
import type { Scene } from './scene.ts';
import {
  fitView,
  isNearlySameCell,
  pickBall,
  type Projection,
  rotatedBy,
  rotationAlong,
  type Stage,
  standardRotation,
  type View,
} from './view.ts';
import { ballsOf, type Visible } from './visible.ts';

/**
 * If a frame takes longer than this from request to drawing, later frames are drawn more coarsely. Aims at 30 frames
 * per second.
 */
const SLOW_FRAME_MS = 34;
/** Without a new frame for this time the crystal counts as at rest. */
const REST_MS = 160;

/** How coarsely a moving crystal is drawn, derived from the waiting time of frames. */
export class Pace {
  /** −1: as fine as at rest; higher levels are coarser, up to `coarsest`. */
  level = -1;
  private readonly coarsest: number;
  /** When the pending frame was first requested; null if none is pending. */
  private asked: number | null = null;

  constructor(coarsest: number) {
    this.coarsest = coarsest;
  }

  /** Call it when the crystal is moved; `now` in ms. */
  ask(now: number): void {
    this.asked ??= now;
  }

  /**
   * Call it when a frame begins. The browser delays a frame while earlier ones are still being drawn; a pause between
   * two moves does not count as a delay.
   * @returns ms without motion after which the crystal counts as at rest
   */
  begin(now: number): number {
    const waited = this.asked === null ? 0 : now - this.asked;
    this.asked = null;
    if (waited > SLOW_FRAME_MS) this.level = Math.min(this.level + 1, this.coarsest);
    return Math.max(REST_MS, 2 * waited);
  }
}

export interface Shown {
  readonly scene: Scene;
  readonly visible: Visible;
  readonly projection: Projection;
  readonly writing: Omit<Writing, 'scene' | 'atoms'>;
}

/** Canvas pixels per pixel of the stage at rest: scaling down from a higher resolution smooths edges. */
const FINEST = 2;
const MAX_PIXELS = 6_000_000;
/** Resolution while moving as a share of the screen's own, from a fast computer to one without a graphics card. */
const COARSENESS = [1, 0.75, 0.5] as const;
/**
 * px; while moving, balls smaller than this are drawn as points and their bonds as lines, or not at all if that is too
 * slow.
 */
const SMALL_BALL_PX = 12;
/** Å; approximate radius of a caesium ball. */
const LARGEST_BALL = 0.75;
const ZOOM_LIMITS = [0.25, 25] as const;

/** `still`: drawing in 3D has not started, and the static drawing is shown. */
export type StageState = 'still' | 'ready' | 'failed' | 'lost';

export class StageController {
  private readonly canvas: HTMLCanvasElement;
  private readonly paper: HTMLCanvasElement;
  private readonly onState: (state: StageState) => void;
  private renderer: CrystalRenderer | null = null;
  private shown: Shown | null = null;
  private drawing: Drawing | null = null;
  private view: View | null = null;
  private fitted: View | null = null;
  private stage: Stage = { width: 1, height: 1 };
  private state: StageState = 'still';
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  /** One level more than resolutions: at the coarsest level the bonds of small balls are omitted. */
  private readonly pace = new Pace(COARSENESS.length);

  constructor(canvas: HTMLCanvasElement, paper: HTMLCanvasElement, onState: (state: StageState) => void) {
    this.canvas = canvas;
    this.paper = paper;
    this.onState = onState;
    canvas.addEventListener('webglcontextlost', this.lose);
    canvas.addEventListener('webglcontextrestored', this.restore);
  }

  private enter(state: StageState): void {
    if (state === this.state) return;
    this.state = state;
    this.onState(state);
  }

  /** Switches to drawing in 3D, which is ready with the first frame. */
  begin(): void {
    if (this.state === 'still' && !this.renderer) this.start();
  }

  private start(): void {
    try {
      this.renderer = createCrystalRenderer(this.canvas);
      if (this.drawing) this.renderer.load(this.drawing);
      this.requestFrame(false);
    } catch {
      this.fail();
    }
  }

  /** Switches back to the static drawing. */
  private fail(): void {
    this.renderer = null;
    this.enter('failed');
  }

  private readonly lose = (event: Event): void => {
    event.preventDefault();
    this.renderer = null;
    this.enter('lost');
  };

  private readonly restore = (): void => this.start();

  /**
   * Shows a crystal. Keeps the view unless the crystal or the projection changed; while atoms move, keeps only the
   * rotation.
   */
  show(shown: Shown): void {
    const before = this.shown;
    this.shown = shown;
    if (before?.visible !== shown.visible) {
      this.drawing = drawingOf(shown.visible);
      this.renderer?.load(this.drawing);
    }
    if (before?.scene !== shown.scene || before.projection !== shown.projection)
      this.fit(before !== null && isNearlySameCell(before.scene.axes, shown.scene.axes));
    this.requestFrame(false);
  }

  private fit(keepsRotation: boolean): void {
    if (!this.shown) return;
    const { scene, visible, projection } = this.shown;
    const rotation = keepsRotation && this.view ? this.view.rotation : standardRotation(scene.axes);
    this.fitted = fitView(ballsOf(visible), rotation, this.stage, projection);
    this.view = this.fitted;
  }

  resize(stage: Stage): void {
    if (stage.width === this.stage.width && stage.height === this.stage.height) return;
    this.stage = stage;
    this.fit(true);
    this.requestFrame(false);
  }

  reset(): void {
    this.fit(false);
    this.requestFrame(false);
  }

  lookAlong(uvw: Vec3): void {
    if (!this.shown || !this.view) return;
    this.begin();
    this.view = { ...this.view, rotation: rotationAlong(this.shown.scene.axes, uvw) };
    this.fit(true);
    this.requestFrame(false);
  }

  rotate(degreesX: number, degreesY: number): void {
    if (!this.view) return;
    this.begin();
    this.view = { ...this.view, rotation: rotatedBy(this.view.rotation, degreesX, degreesY) };
    this.requestFrame(true);
  }

  pan(dx: number, dy: number): void {
    if (!this.view) return;
    this.begin();
    this.view = { ...this.view, shift: [this.view.shift[0] + dx, this.view.shift[1] + dy] };
    this.requestFrame(true);
  }

  zoom(factor: number): void {
    if (!this.view || !this.fitted) return;
    this.begin();
    const [least, most] = ZOOM_LIMITS.map((limit) => limit * (this.fitted?.scale ?? 1));
    const scale = Math.min(most ?? Infinity, Math.max(least ?? 0, this.view.scale * factor));
    const grown = scale / this.view.scale;
    this.view = { ...this.view, scale, shift: [this.view.shift[0] * grown, this.view.shift[1] * grown] };
    this.requestFrame(true);
  }

  /** Index in the scene of the atom at a position, px from the upper left corner. */
  pick(x: number, y: number, tolerance: number): number | undefined {
    if (!this.view || !this.shown) return undefined;
    const { atoms } = this.shown.visible;
    const { width, height } = this.stage;
    const found = pickBall(atoms, this.view, x - width / 2, height / 2 - y, tolerance);
    return found === undefined ? undefined : atoms[found]?.index;
  }

  /** The stage as a PNG, with `scale` pixels per pixel of the stage. */
  async picture(scale: number, isTransparent: boolean): Promise<Blob> {
    this.begin();
    const { width, height } = this.stage;
    const sheet = document.createElement('canvas');
    [sheet.width, sheet.height] = [Math.round(width * scale), Math.round(height * scale)];
    const context = sheet.getContext('2d');
    if (!context || !this.shown) throw new Error('no canvas');
    if (!isTransparent) {
      context.fillStyle = this.shown.writing.colors.ground;
      context.fillRect(0, 0, sheet.width, sheet.height);
    }
    this.drawBodies(Math.min(2 * scale, Math.sqrt((4 * MAX_PIXELS) / (width * height))));
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.canvas, 0, 0, sheet.width, sheet.height);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.write(context);
    this.requestFrame(false);
    return new Promise((resolve, reject) => {
      sheet.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
    });
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.canvas.removeEventListener('webglcontextlost', this.lose);
    this.canvas.removeEventListener('webglcontextrestored', this.restore);
    this.renderer?.dispose();
  }

  private requestFrame(isMoving: boolean): void {
    clearTimeout(this.rest);
    cancelAnimationFrame(this.frame);
    if (isMoving) this.pace.ask(performance.now());
    this.frame = requestAnimationFrame(() => {
      const restMs = this.pace.begin(performance.now());
      try {
        this.drawFrame(isMoving);
      } catch {
        // Drivers report a failed compilation only with the first frame.
        this.fail();
      }
      if (isMoving) this.rest = setTimeout(() => this.requestFrame(false), restMs);
    });
  }

  private drawFrame(isMoving: boolean): void {
    const { width, height } = this.stage;
    const own = globalThis.devicePixelRatio || 1;
    const finest = Math.min(Math.max(FINEST, own), Math.sqrt(MAX_PIXELS / (width * height)));
    const isSmall = (this.view?.scale ?? Infinity) * LARGEST_BALL < SMALL_BALL_PX;
    const { level } = this.pace;
    if (!isMoving || level < 0) this.drawBodies(finest);
    else {
      const ratio = own * (COARSENESS[level] ?? COARSENESS.at(-1) ?? 1);
      this.drawBodies(ratio, !isSmall ? 'fine' : level < COARSENESS.length ? 'quick' : 'bare');
    }
    if (this.renderer) this.enter('ready');
    this.drawPaper(own);
  }

  /** The canvas is no larger than its content, because a large one costs each frame as much as the crystal. */
  private drawPaper(own: number): void {
    const context = this.paper.getContext('2d');
    if (!context || !this.shown) return;
    const room = isTriadOnly(this.shown.writing) ? triadRoom(this.stage) : Infinity;
    const [width, height] = [Math.min(room, this.stage.width), Math.min(room, this.stage.height)];
    const [w, h] = [Math.round(width * own), Math.round(height * own)];
    if (this.paper.width !== w || this.paper.height !== h) {
      [this.paper.width, this.paper.height] = [w, h];
      Object.assign(this.paper.style, { inset: 'auto auto 0 0', width: `${width}px`, height: `${height}px` });
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, w, h);
    context.setTransform(own, 0, 0, own, 0, own * (height - this.stage.height));
    this.write(context);
  }

  private drawBodies(ratio: number, detail: Detail = 'fine'): void {
    if (!this.renderer || !this.view || !this.shown) return;
    const { ink, ground } = this.shown.writing.colors;
    const rgb = (color: string): Rgb => {
      const [r, g, b] = channels(color);
      return [r / 255, g / 255, b / 255];
    };
    this.renderer.draw(this.view, this.stage, ratio, { ink: rgb(ink), ground: rgb(ground) }, detail);
  }

  private write(context: CanvasRenderingContext2D): void {
    if (!this.view || !this.shown) return;
    const { scene, visible, writing } = this.shown;
    drawOverlay(context, this.view, this.stage, { ...writing, scene, atoms: visible.atoms });
  }
}
