"""`tabchat model`: which language models can be asked from here, and which one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Output, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.chat.provider.model_catalogue import OfferedModel
    from tabchat.config import Settings


model = typer.Typer(
    invoke_without_command=True,
    rich_markup_mode=None,
    short_help="List the models that can be asked, choose one, or show the choice.",
    help="List the models that can be asked from here, choose one, or show which is chosen. Without a command, shows it.",
)


@model.callback()
@expanded
def shown(context: typer.Context, running: Running, json: Json = False) -> None:
    """Show the model that is set when no command is named."""
    if context.invoked_subcommand is None:
        _show(running, json=json)


@model.command("list")
@expanded
def listed(
    running: Running,
    word: Annotated[
        str,
        typer.Argument(metavar="[WORD]", help="Only models whose names hold this, such as gpt-5 or claude."),
    ] = "",
    every: Annotated[
        bool, typer.Option("--all", help="Also models of providers for which no key is set.")
    ] = False,
    json: Json = False,
) -> None:
    """List the models that can be asked from here, with context, price and tool calling.

    Those of providers whose key is set, by litellm's own list, and those of an Ollama on this machine. No provider is
    asked.
    """
    from tabchat.chat.provider.model_catalogue import (
        OfferedModel,
        offered_models,
        ollama_models,
        provider_keys,
    )
    from tabchat.render.models import render_models

    with Presenter(running, Output(json=json)) as presenter:
        keys = provider_keys()
        local = None if presenter.settings().offline else ollama_models()
        names = [f"ollama_chat/{name}" for name in local or () if word.casefold() in name.casefold()]
        models = [
            *(
                OfferedModel(name=name, provider="ollama_chat", prompt_price=0.0, completion_price=0.0)
                for name in names
            ),
            *offered_models(None if every else keys.keys(), word),
        ]
        if json:
            presenter.json(
                {
                    "ok": True,
                    "models": [one.to_json() for one in models],
                    "providers": {provider: list(variables) for provider, variables in keys.items()},
                    "ollama": local is not None,
                }
            )
            return
        if models:
            render_models(presenter.consoles, models)
        presenter.say(_summary(models, keys, word, every=every))


@model.command("set")
@expanded
def put(
    running: Running,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="As litellm names it, such as openai/gpt-5-mini.")
    ] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Set none: rules alone answer.")] = False,
    json: Json = False,
) -> None:
    """Set the model that is asked from now on, in your own settings file."""
    from tabchat.cli.commands.config import set_value

    with Presenter(running, Output(json=json)) as presenter:
        if name is not None and not name.strip():
            raise UsageError("The name of the model is empty.", hint="tabchat model list")
        set_value(presenter, "model", name, unset=unset)
        if not unset:
            presenter.say("Try it with: tabchat doctor --call")


@model.command("show")
@expanded
def show(running: Running, json: Json = False) -> None:
    """Show which model is asked, and where that is set."""
    _show(running, json=json)


def _show(running: Running, *, json: bool) -> None:
    from tabchat.cli.commands.config import DEFAULT, shown_value
    from tabchat.config import origins

    with Presenter(running, Output(json=json)) as presenter:
        settings = presenter.settings()
        origin = origins(running.flags()).get("model", DEFAULT)
        if json:
            presenter.json(
                {
                    "ok": True,
                    "model": settings.model,
                    "origin": origin,
                    "api_base": None if settings.api_base is None else shown_value(settings.api_base),
                    "planner": settings.planner.value,
                    "privacy": settings.privacy.value,
                    "offline": settings.offline,
                }
            )
            return
        presenter.text(_described(settings, origin))
        if settings.model is None:
            presenter.say("tabchat model list shows which can be asked, tabchat model set NAME sets one.")


def _described(settings: Settings, origin: str) -> str:
    from tabchat.cli.commands.config import shown_value

    if settings.model is None:
        return f"No model is set ({origin}): rules alone answer, and nothing leaves the machine."
    where = f" at {shown_value(settings.api_base)}" if settings.api_base else ""
    how = "offline, so it is not asked" if settings.offline else f"privacy {settings.privacy.value}"
    return f"{settings.model}{where} ({origin}): planner {settings.planner.value}, {how}"


def _summary(
    models: Sequence[OfferedModel], keys: Mapping[str, Sequence[str]], word: str, *, every: bool
) -> str:
    like = f" like {word!r}" if word else ""
    if every:
        return f"{len(models):,} models{like} of every provider that litellm lists."
    if not keys and not models:
        return (
            "No provider's key is set, and no Ollama answers on this machine. Set one, such as OPENAI_API_KEY, or "
            "start Ollama; --all lists what there is."
        )
    with_keys = f"with keys for {', '.join(keys)}" if keys else "of Ollama on this machine"
    return f"{len(models):,} models{like} {with_keys}; --all lists those of other providers."
