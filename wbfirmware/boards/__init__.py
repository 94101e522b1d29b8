"""What the templates declare: boards, drivers, parts and flavors."""
