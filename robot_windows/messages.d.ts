// The messages between the server and its pages, for editors. Written by scripts/generate_page_messages.py
// from robot_windows/messages.py; change that.

/** What a page is built from: the first message, and again when robots or the world change. */
interface Hello {
  version: number;
  /** The number of the page. */
  page: number;
  title: string;
  /** True for a robot on a wire instead of a simulation. */
  isReal: boolean;
  hasPictures: boolean;
  /** Whether there is a 3D view. */
  hasScene: boolean;
  /** Names of robots, those first that resemble the name in the page's address. */
  nearest: string[];
  /** Outlines of the solids, for the drawing from above. */
  shape: Record<string, unknown>;
  robots: PageRobot[];
}

/** A robot of the run; what does not change. */
interface PageRobot {
  number: number;
  name: string;
  type: string;
  /** Name of its own window; "": it has none. */
  window: string;
  /** Its device table. */
  table: Record<string, unknown>;
  /** Outline and poses of sensors, for drawings. */
  shape: Record<string, unknown>;
}

/** An update. Poses of the scene follow as binary messages. */
interface News {
  run?: RunState;
  /** By number, those that the page watches. */
  robots?: Record<number, RobotState>;
  /** Poses of all objects, for the drawing from above. */
  places?: Record<string, unknown>;
  scene?: SceneNews;
  lines?: Line[];
  /** Lines that were dropped because the page was too slow. */
  lost?: number;
}

/** The run as a whole. */
interface RunState {
  /** Simulated s. */
  time: number;
  /** Basic step in s; 0 for a real robot. */
  step: number;
  /** 0: paused; otherwise it runs. */
  mode: number;
  /** Wanted simulated seconds per second; null: as fast as possible. */
  speed: number | null;
  /** Measured simulated seconds per second. */
  factor: number;
  steps: number;
  /** Labels of supervisors: text, x, y, size, color. */
  labels: unknown[][];
  /** The number of the page that drives a robot now, by the robot's number. */
  drivers: Record<number, number>;
  /** Whether a real robot does not answer. */
  silent?: boolean;
  /** Controllers that have failed. */
  failures?: Failure[];
}

/** The end of a controller by an error. */
interface Failure {
  /** Its number. */
  robot: number;
  controller: string;
  /** How it ended. */
  text: string;
  /** Simulated s. */
  time: number;
}

/** The state of a watched robot. */
interface RobotState {
  number: number;
  /** Readings of sensors by tag. */
  values: Record<number, unknown>;
  /** States of actuators by tag. */
  acts: Record<number, unknown>;
  /** Sampling periods in ms of the devices that are on, by tag. */
  periods: Record<number, number>;
  /** Tags of the devices that only windows have switched on. */
  own: number[];
  /** Who drives it: window, controller or nobody. */
  driver: string;
  controller: string;
  /** J; null: it has no battery. */
  battery: number | null;
  customData: string;
  /** New pictures as data URLs, by tag. */
  pictures?: Record<string, string>;
}

/** What has changed in the scene that the 3D view shows. */
interface SceneNews {
  /** Another number: another scene. */
  number: number;
  /** Address of its description. */
  file: string;
  messages: Record<string, unknown>;
}

/** A line that a controller or the run has printed. */
interface Line {
  text: string;
  kind: string;
  /** Its name; "": the run itself. */
  robot: string;
}

/** What the page wants to see from now on. */
interface WatchRequest {
  do: 'watch';
  robots: number[];
  places: boolean;
  scene: boolean;
  /** Kinds of optional drawings in the 3D view. */
  drawings: string[];
}

/** The page has shown so many updates. */
interface SeenRequest {
  do: 'seen';
  news: number;
}

/** Pause the run. */
interface PauseRequest {
  do: 'pause';
}

/** Run on. */
interface PlayRequest {
  do: 'play';
  /** Simulated seconds per second; null: as fast as possible. */
  speed: number | null;
}

/** Make one step. */
interface StepRequest {
  do: 'step';
}

/** Start the simulation again. */
interface ResetRequest {
  do: 'reset';
}

/** Start the controller of a robot again. */
interface RestartRequest {
  do: 'restart';
  robot: number;
}

/** Take a robot from its controller, or give it back. */
interface ControlRequest {
  do: 'control';
  robot: number;
  on: boolean;
}

/** Take a robot from its controller, and stop its motors. */
interface StopRequest {
  do: 'stop';
  robot: number;
}

/** Keep a robot that the page drives, or the keyboard (-1). */
interface HoldRequest {
  do: 'hold';
  robot: number;
}

/** Give back what the page drives. */
interface LetRequest {
  do: 'let';
}

/** Switch a sensor on (period in ms) or off (0). */
interface EnableRequest {
  do: 'enable';
  robot: number;
  device: number;
  channel: string;
  period: number;
}

/** Set a channel of an actuator. */
interface SetRequest {
  do: 'set';
  robot: number;
  device: number;
  channel: string;
  /** null: infinite, such as the target of a motor in velocity control. */
  value: number | boolean | null;
}

/** Set the field customData. */
interface CustomRequest {
  do: 'custom';
  robot: number;
  text: string;
}

/** A key of the simulated keyboard goes down or up. */
interface KeyRequest {
  do: 'key';
  key: string;
  down: boolean;
  shift: boolean;
  control: boolean;
  alt: boolean;
}

/** Release all keys. */
interface ReleaseRequest {
  do: 'release';
}

/** Select what a ray of the 3D view hits. */
interface PickRequest {
  do: 'pick';
  origin: number[];
  toward: number[];
  /** True: the part of a robot, not the whole. */
  part: boolean;
  /** Keep what is selected already. */
  more: boolean;
}

/** Select a node. */
interface SelectRequest {
  do: 'select';
  node: number;
  /** Keep what is selected already. */
  more: boolean;
}

/** Pull at a solid with a force or a torque. */
interface PullRequest {
  do: 'pull';
  kind: string;
  node: number;
  point: number[];
  end: number[];
}

/** Move, turn and scale a solid, or all that is selected, from where it was when the move began. */
interface MoveRequest {
  do: 'move';
  node: number;
  begins: boolean;
  /** m, in the axes of the world. */
  way: number[];
  /** Axis in the world, as long as the angle (rad). */
  turn: number[];
  /** Of its scale. */
  factor: number;
}

/** End of pulling or moving a solid. */
interface DropRequest {
  do: 'drop';
  node: number;
}

/** Send the scene tree. */
interface TreeRequest {
  do: 'tree';
}

/** Change a field of a node. */
interface EditRequest {
  do: 'edit';
  node: number;
  field: string;
  /** Place in a list, or -1. */
  item: number;
  value: number[] | number | string | boolean;
  /** Number of the request; the reply repeats it. */
  id: number;
}

/** Write the world to a file. */
interface SaveRequest {
  do: 'save';
  name: string;
  replace: boolean;
  id: number;
}

/** Send what can be added to the world. */
interface ShelfRequest {
  do: 'shelf';
}

/** Write a file that shows an entry of the shelf, see wbcore/windows/previews.py. */
interface PreviewRequest {
  do: 'preview';
  /** Its place in the list of all entries. */
  number: number;
  id: number;
}

/** Add something of the shelf. */
interface AddRequest {
  do: 'add';
  model: string;
  /** Where it stands (m, world). */
  point: number[];
  /** The solid of which it becomes a part; 0: none. */
  node: number;
  id: number;
}

/** Send a part of a file of the user's computer. */
interface BringRequest {
  do: 'bring';
  /** Of the file, with its folders. */
  name: string;
  /** Base64. */
  part: string;
  /** Whether it is the first part. */
  begins: boolean;
  id: number;
}

/** Put the model into the world that the files are which the page has sent. */
interface PutRequest {
  do: 'put';
  /** Where it stands (m, world). */
  point: number[];
  id: number;
}

/** Add a copy of a node beside it; of all that is selected if the node is. */
interface CopyRequest {
  do: 'copy';
  node: number;
  id: number;
}

/** Remove a node, or all that is selected if the node is. */
interface RemoveRequest {
  do: 'remove';
  node: number;
  id: number;
}

/** Make a node, and all that is selected if the node is, the children of one Group. */
interface GroupRequest {
  do: 'group';
  node: number;
  id: number;
}

/** Put the children of the Group that a node is, or is in, into its place. */
interface UngroupRequest {
  do: 'ungroup';
  node: number;
  id: number;
}

/** Select all children of the Group that a node is, or is in. */
interface MembersRequest {
  do: 'members';
  node: number;
  id: number;
}

/** Take the last change back. */
interface UndoRequest {
  do: 'undo';
  id: number;
}

/** Make the change again that was taken back last. */
interface RedoRequest {
  do: 'redo';
  id: number;
}

/** Show an earlier moment of the run. */
interface LookRequest {
  do: 'look';
  /** Simulated s; null: the present. */
  moment: number | null;
  id: number;
}

/** Go on from an earlier moment of the run. */
interface BranchRequest {
  do: 'branch';
  /** Simulated s. */
  moment: number;
  id: number;
}

/** Send the controllers' sources. */
interface CodeRequest {
  do: 'code';
}

/** Write a controller's source, and start its controllers again. */
interface WriteRequest {
  do: 'write';
  /** Of the file, as it was sent. */
  name: string;
  text: string;
  /** Digest of what was sent. */
  known: string;
  id: number;
}

/** Give a robot a controller of the project, or a new one. */
interface BeginRequest {
  do: 'begin';
  robot: number;
  name: string;
  id: number;
}

/** Set the lines of a controller's file at which programs pause. */
interface BreakpointsRequest {
  do: 'breakpoints';
  name: string;
  lines: number[];
  id: number;
}

/** Start a robot's controller with breakpoints, or tell it how to go on. */
interface DebugRequest {
  do: 'debug';
  robot: number;
  command: string;
  id: number;
}
