"""What explains the change of a measure."""
