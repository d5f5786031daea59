"""Control charts."""
