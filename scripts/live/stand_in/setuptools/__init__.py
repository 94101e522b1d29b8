"""Stands in for setuptools, of which pip asks only its build backend."""
