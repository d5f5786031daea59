"""What a model is told before a question: rules, the plan language, the tables, and the tools."""

from tabchat.chat.prompt.context import PromptContext, RecentResult
from tabchat.chat.prompt.definitions import model_tools
from tabchat.chat.prompt.system import system_prompt

__all__ = ["PromptContext", "RecentResult", "model_tools", "system_prompt"]
