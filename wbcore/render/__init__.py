"""Pictures of a world, drawn with OpenGL off screen: a GPU if there is one, else Mesa's software renderer."""
