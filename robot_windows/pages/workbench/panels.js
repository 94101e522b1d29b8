// The panels of the workbench, in the order of its menu. Written by scripts/generate_panels.py from the files
// *_panel.js; change these.
import {panels as abovePanels} from './above_panel.js';
import {panels as codePanels} from './code_panel.js';
import {panels as consolePanels} from './console_panel.js';
import {panels as drivePanels} from './drive_panel.js';
import {panels as shelfPanels} from './shelf_panel.js';
import {panels as smallPanels} from './small_panel.js';

export const PANELS = [...abovePanels, ...codePanels, ...consolePanels, ...drivePanels, ...shelfPanels, ...smallPanels].sort((a, b) => a.rank - b.rank);
