% Runs a controller: octave-cli launcher.m CONTROLLER.m ARGUMENTS...
warning ("off", "Octave:shadowed-function");
warning ("off", "Octave:possible-matlab-short-circuit-operator");
addpath (fileparts (mfilename ("fullpath")));
addpath (fullfile (fileparts (mfilename ("fullpath")), "functions"));
if (isempty (available_graphics_toolkits ()))
  addpath (fullfile (fileparts (mfilename ("fullpath")), "hidden"));
else
  set (0, "defaultfigurevisible", "off");
endif
more off
crash_dumps_octave_core (false);
sigterm_dumps_octave_core (false);
sighup_dumps_octave_core (false);
wb_launch__ = argv ();
wb_call ("wb_robot_init");
wb_failure__ = "";
try
  wb_run__ (wb_launch__{1});
catch wb_error__
  wb_failure__ = wb_explain__ (wb_error__);
end_try_catch
if (! isempty (wb_failure__))
  fprintf (stderr, "%s\n", wb_failure__);
endif
fflush (stdout);
wb_call ("leave", ! isempty (wb_failure__));
