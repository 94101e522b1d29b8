// The panels of the workbench, in the order of its menu. Written by scripts/generate_panels.py from the files
// *_panel.js; change these.
import {panels as abovePanels} from './above_panel.js';
import {panels as boardPanels} from './board_panel.js';
import {panels as codePanels} from './code_panel.js';
import {panels as consolePanels} from './console_panel.js';
import {panels as drivePanels} from './drive_panel.js';
import {panels as exercisePanels} from './exercise_panel.js';
import {panels as guidePanels} from './guide_panel.js';
import {panels as robotPanels} from './robot_panel.js';
import {panels as shelfPanels} from './shelf_panel.js';
import {panels as smallPanels} from './small_panel.js';
import {panels as wiringPanels} from './wiring_panel.js';

export const PANELS = [...abovePanels, ...boardPanels, ...codePanels, ...consolePanels, ...drivePanels, ...exercisePanels, ...guidePanels, ...robotPanels, ...shelfPanels, ...smallPanels, ...wiringPanels].sort((a, b) => a.rank - b.rank);
