"""The tables of a session as tools of another assistant, by the Model Context Protocol over stdio."""

from tabchat.mcp.server import serve

__all__ = ["serve"]
