"""tabchat: ask a local table a question."""
