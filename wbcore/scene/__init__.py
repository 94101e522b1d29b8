"""Webots worlds and PROTOs as typed trees: read, expand, check, change and write them."""
