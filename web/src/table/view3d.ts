// The cell in three dimensions. The only file that needs three.js, loaded when the table is looked
// at. Axes and metres are those of the simulation: z is up.
import {
  AmbientLight,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
  Scene as World,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { Motion } from './motion';
import type { Place, Poses, Scene, Shape } from './types';

/// Where to look from: the visitor's place, or where the robot stands, opposite.
export type ViewPlace = 'visitor' | 'side' | 'above' | 'robot';

export interface View3d {
  show(poses: Poses): void;
  lookFrom(place: ViewPlace): void;
  zoom(factor: number): void; // above 1: nearer
  close(): void;
}

const SCALE = 10_000; // whole numbers per metre and per unit of a quaternion

function put(object: Object3D, place: Place): void {
  const [x, y, z, qw, qx, qy, qz] = place as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  object.position.set(x / SCALE, y / SCALE, z / SCALE);
  object.quaternion.set(qx / SCALE, qy / SCALE, qz / SCALE, qw / SCALE).normalize();
}

function matrixOf(place: Place): Matrix4 {
  const [x, y, z, qw, qx, qy, qz] = place.map((value) => value / SCALE) as Place;
  return new Matrix4().compose(
    new Vector3(x, y, z),
    new Quaternion(qx, qy, qz, qw).normalize(),
    new Vector3(1, 1, 1),
  );
}

/// MuJoCo's sizes: radii and half lengths, round things along z.
function geometryOf(shape: Shape, size: number[], mesh?: Scene['meshes'][number]): BufferGeometry {
  const [a = 0, b = 0, c = 0] = size;
  switch (shape) {
    case 'box':
      return new BoxGeometry(2 * a, 2 * b, 2 * c);
    case 'sphere':
      return new SphereGeometry(a, 32, 20);
    case 'capsule':
      return new CapsuleGeometry(a, 2 * b, 10, 24).rotateX(Math.PI / 2);
    case 'cylinder':
      return new CylinderGeometry(a, a, 2 * b, 40).rotateX(Math.PI / 2);
    case 'plane':
      return new PlaneGeometry(2 * a, 2 * b);
    case 'mesh': {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(mesh!.vertices), 3));
      geometry.setIndex(mesh!.faces);
      return geometry;
    }
  }
}

/// Alone with positions and normals, so that shapes of every kind can be merged.
function plain(geometry: BufferGeometry): BufferGeometry {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  if (!flat.getAttribute('normal')) flat.computeVertexNormals();
  flat.deleteAttribute('uv');
  return flat;
}

function materialOf(rgba: number[]): MeshStandardMaterial {
  const [r = 0.5, g = 0.5, b = 0.5, a = 1] = rgba;
  return new MeshStandardMaterial({
    color: new Color().setRGB(r, g, b, SRGBColorSpace),
    roughness: 0.55,
    metalness: 0.05,
    transparent: a < 1,
    opacity: a,
  });
}

/// One object per body; its shapes of one colour are one mesh.
function buildBodies(scene: Scene): Group[] {
  const bodies = scene.bodies.map(({ name, place }) => {
    const group = new Group();
    group.name = name;
    put(group, place);
    return group;
  });
  const parts = new Map<string, { body: number; rgba: number[]; shapes: BufferGeometry[] }>();
  for (const geom of scene.geoms) {
    if (geom.shape === 'plane') continue; // the floor far below: the page's own ground is calmer
    const key = `${geom.body}/${geom.rgba.join()}`;
    const part = parts.get(key) ?? { body: geom.body, rgba: geom.rgba, shapes: [] };
    const mesh = geom.mesh === null ? undefined : scene.meshes[geom.mesh];
    part.shapes.push(
      plain(geometryOf(geom.shape, geom.size, mesh)).applyMatrix4(matrixOf(geom.place)),
    );
    parts.set(key, part);
  }
  for (const { body, rgba, shapes } of parts.values()) {
    const mesh = new Mesh(mergeGeometries(shapes), materialOf(rgba));
    mesh.castShadow = mesh.receiveShadow = true;
    bodies[body]!.add(mesh);
  }
  return bodies;
}

function light(world: World, scene: Scene, shadows: boolean): void {
  world.add(new HemisphereLight(0xffffff, 0xb9ab98, 1.3), new AmbientLight(0xffffff, 0.35));
  const at = new Vector3(...(scene.look_at as [number, number, number]));
  const from = new Vector3(...(scene.look_from as [number, number, number]));
  const reach = from.distanceTo(at);
  const sun = new DirectionalLight(0xfff6e8, 2.1);
  // Over the left shoulder of whoever looks.
  const aside = new Vector3()
    .subVectors(from, at)
    .cross(new Vector3(0, 0, 1))
    .normalize();
  sun.position
    .copy(from)
    .addScaledVector(aside, -0.5 * reach)
    .setZ(at.z + 1.4 * reach);
  sun.target.position.copy(at);
  sun.castShadow = shadows;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.bias = -0.0005;
  sun.shadow.normalBias = 0.001;
  Object.assign(sun.shadow.camera, {
    left: -0.8 * reach,
    right: 0.8 * reach,
    top: 0.8 * reach,
    bottom: -0.8 * reach,
    near: 0.1 * reach,
    far: 4 * reach,
  });
  world.add(sun, sun.target);
}

/// Drawing by the processor is slow: then without shadows and fine edges, and less often.
function isSlow(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

const SLOW_FRAME_MS = 90;

/// Throws when there is no WebGL.
export function openView(canvas: HTMLCanvasElement, scene: Scene): View3d {
  const slow = isSlow();
  const renderer = new WebGLRenderer({ canvas, alpha: true, antialias: !slow });
  renderer.shadowMap.enabled = !slow;
  renderer.setPixelRatio(slow ? 1 : Math.min(devicePixelRatio, 2));

  const world = new World();
  const bodies = buildBodies(scene);
  world.add(...bodies);
  const moving = bodies.filter((_, i) => scene.bodies[i]!.moves);
  light(world, scene, !slow);

  const pieces = new Map<number, Mesh>();
  const shape = plain(geometryOf(scene.piece.shape, scene.piece.size));
  const colours = { robot: materialOf(scene.piece.robot), human: materialOf(scene.piece.human) };
  const pieceOf = (number: number): Mesh => {
    let piece = pieces.get(number);
    if (!piece) {
      piece = new Mesh(shape, number < scene.piece.robots ? colours.robot : colours.human);
      piece.castShadow = piece.receiveShadow = true;
      pieces.set(number, piece);
      world.add(piece);
    }
    return piece;
  };

  const camera = new PerspectiveCamera(38, 1, 0.02, 20);
  camera.up.set(0, 0, 1);
  camera.position.set(...(scene.look_from as [number, number, number]));
  const controls = new OrbitControls(camera, canvas);
  controls.target.set(...(scene.look_at as [number, number, number]));
  controls.minPolarAngle = 0.1;
  controls.maxPolarAngle = 1.55;
  const distance = camera.position.distanceTo(controls.target);
  controls.minDistance = 0.3 * distance;
  controls.maxDistance = 2 * distance;
  controls.update();
  canvas.style.touchAction = 'pan-y'; // a finger moved up or down scrolls the page
  // So does the wheel, unless it is meant for the picture.
  const scroll = (event: WheelEvent) => event.ctrlKey || event.stopImmediatePropagation();
  canvas.addEventListener('wheel', scroll, { capture: true });

  const lookFrom = (place: ViewPlace) => {
    controls.target.set(...(scene.look_at as [number, number, number]));
    const way = new Vector3(...(scene.look_from as [number, number, number])).sub(controls.target);
    const up = new Vector3(0, 0, 1);
    if (place === 'side') way.applyAxisAngle(up, 1.2).setZ(0.35 * distance);
    if (place === 'above') way.setZ(2.2 * distance);
    if (place === 'robot') way.applyAxisAngle(up, Math.PI - 0.35).setZ(0.5 * distance);
    camera.position.copy(controls.target).add(way.setLength(distance));
    controls.update();
  };
  const zoom = (factor: number) => {
    const way = camera.position.clone().sub(controls.target);
    const length = Math.min(Math.max(way.length() / factor, 0.3 * distance), 2 * distance);
    camera.position.copy(controls.target).add(way.setLength(length));
    controls.update();
  };

  const motion = new Motion();
  let closed = false;
  let dirty = true;
  let drawn = 0;
  controls.addEventListener('change', () => (dirty = true));

  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    // On a narrow screen from farther away, so that the whole cell stays in view.
    camera.fov = camera.aspect > 1.25 ? 38 : 38 * Math.min(1.25 / camera.aspect, 1.6);
    camera.updateProjectionMatrix();
    dirty = true;
  };
  const observer = new ResizeObserver(resize);
  observer.observe(canvas);
  resize();

  const draw = () => {
    if (closed) return;
    requestAnimationFrame(draw);
    const now = performance.now();
    if (!dirty || (slow && now - drawn < SLOW_FRAME_MS)) return; // nothing moves: nothing to draw
    drawn = now;
    const shown = motion.at(now);
    if (shown) {
      shown.bodies.forEach((place, i) => {
        if (moving[i]) put(moving[i], place);
      });
      for (const [number, piece] of pieces) piece.visible = shown.pieces.has(number);
      for (const [number, place] of shown.pieces) put(pieceOf(number), place);
    }
    renderer.render(world, camera);
    dirty = motion.moves(now);
  };
  requestAnimationFrame(draw);

  return {
    show: (poses) => {
      if (motion.add(poses, performance.now())) dirty = true;
    },
    lookFrom,
    zoom,
    close: () => {
      closed = true;
      observer.disconnect();
      canvas.removeEventListener('wheel', scroll, { capture: true });
      controls.dispose();
      world.traverse((object) => object instanceof Mesh && object.geometry.dispose());
      renderer.dispose();
    },
  };
}
