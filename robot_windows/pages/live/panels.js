// The panels of runs inside of this page. Written by scripts/generate_panels.py from the files
// *_panel.js; change these.
import {panels as boardPanels} from './board_panel.js';
import {panels as exercisePanels} from './exercise_panel.js';
import {panels as guidePanels} from './guide_panel.js';
import {panels as robotPanels} from './robot_panel.js';
import {panels as wiringPanels} from './wiring_panel.js';

export const PANELS = [...boardPanels, ...exercisePanels, ...guidePanels, ...robotPanels, ...wiringPanels].sort((a, b) => a.rank - b.rank);
