"""Policies: small networks that turn readings into commands, their files, and controllers that run them."""
