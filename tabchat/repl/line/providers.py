"""Providers of models, for completion: any other name that litellm knows will do as well."""

from __future__ import annotations

from typing import Final

PROVIDERS: Final = (
    ("openai/", "OpenAI"),
    ("anthropic/", "Anthropic"),
    ("gemini/", "Google AI Studio"),
    ("vertex_ai/", "Google Cloud"),
    ("azure/", "Azure OpenAI"),
    ("bedrock/", "Amazon Bedrock"),
    ("mistral/", "Mistral"),
    ("groq/", "Groq"),
    ("deepseek/", "DeepSeek"),
    ("xai/", "xAI"),
    ("openrouter/", "OpenRouter"),
    ("ollama_chat/", "Ollama, on this machine"),
    ("lm_studio/", "LM Studio, on this machine"),
    ("hosted_vllm/", "a vLLM server"),
)
"""How the names of models begin, and whose they are."""
