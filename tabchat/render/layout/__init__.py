"""Text, cells and tables laid out in a given width."""
