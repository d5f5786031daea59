"""What tabchat stands on, and what is around it."""
