"""Runs in a web page: what runs there (`in_page`), and the static site around it."""
