"""The tool that runs pandas code, and what a model is told of what it gave."""
