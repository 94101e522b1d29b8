"""Pictures drawn without OpenGL: what displays show, and the ink of pens."""
