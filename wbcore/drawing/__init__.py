"""Pictures drawn without OpenGL: what displays show."""
