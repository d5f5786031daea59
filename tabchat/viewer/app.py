"""The viewer on a terminal: keys to what they do, in the background where the engine is asked."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, create_output

from tabchat.errors import InterruptedByUserError, TabchatError
from tabchat.render.terminal.input_line import InertLine
from tabchat.viewer.drawing import Size

if TYPE_CHECKING:
    from collections.abc import Callable

    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyPressEvent

    from tabchat.viewer.viewer import Viewer

_ESCAPE_SECONDS: Final = 0.05
"""How long an Esc is waited for to become another key."""


class ViewerApp:
    """One run of the viewer."""

    def __init__(self, viewer: Viewer, cancel: Callable[[], None]) -> None:
        self.viewer = viewer
        self._cancel = cancel
        self._busy = ""
        """What a key asked for, while it is done."""
        self._fetching = False
        self._failed = False
        """Rows could not be fetched; they are asked for again after the next key."""
        self._stops = 0
        """How often the person stopped what was asked for; what was asked for before is not begun any more."""
        self._turn = asyncio.Lock()
        """The engine is asked one thing at a time."""
        self._asked: tuple[str, str, Callable[[str], None]] | None = None
        """What stands before the line that is typed, and what is done with it, in words and as a call."""
        self._line = Buffer(multiline=False, accept_handler=self._accept)
        self.application = self._application()

    def run(self) -> None:
        """Show the sheet until the person leaves."""
        size = self.application.output.get_size()
        self.viewer.size = Size(width=size.columns, height=size.rows)
        self.viewer.load()
        self.application.run()

    def _application(self) -> Application[None]:
        asks = Condition(lambda: self._asked is not None)
        screen = FormattedTextControl(self._screen, focusable=True)
        self._table = Window(screen, always_hide_cursor=True)
        label = BeforeInput(lambda: self._asked[0] if self._asked else "")
        line = BufferControl(self._line, input_processors=[label, InertLine()])
        self._prompt = Window(line, height=1)
        application: Application[None] = Application(
            layout=Layout(
                HSplit([self._table, ConditionalContainer(self._prompt, filter=asks)]),
                focused_element=self._table,
            ),
            key_bindings=self._keys(),
            full_screen=True,
            color_depth=ColorDepth.DEPTH_1_BIT,
            output=create_output(always_prefer_tty=True),
            after_render=lambda _: self._fetch(),
        )
        application.ttimeoutlen = application.timeoutlen = _ESCAPE_SECONDS
        return application

    def _screen(self) -> StyleAndTextTuples:
        size = self.application.output.get_size()
        lines = self.viewer.draw(Size(width=size.columns, height=size.rows))
        if self._asked is not None:
            lines = lines[:-1]
        elif self._busy or self._fetching:
            lines[-1] = [("bold", f"{self._busy or 'fetching rows'} - Ctrl-C stops it"[: size.columns])]
        text: StyleAndTextTuples = []
        for line in lines:
            text += [*line, ("", "\n")]
        return text[:-1]

    # What asks the engine

    def _fetch(self) -> None:
        """Fetch the rows that the screen lacks, one block after the other."""
        viewer = self.viewer
        lacks = viewer.sheet.blocks.missing(viewer.sheet.state.top, viewer.size.rows) is not None
        if lacks and not (self._fetching or self._busy or self._failed):
            self._fetching = True
            self.application.create_background_task(self._carry_out(viewer.load, self._stops))

    def _start(self, what: str, work: Callable[[], object]) -> None:
        """Do what a key asks for in the background, after rows that are on their way; one thing at a time."""
        if not self._busy:
            self._busy = what
            self.application.create_background_task(self._carry_out(work, self._stops))

    async def _carry_out(self, work: Callable[[], object], stops: int) -> None:
        fetches = work == self.viewer.load
        try:
            async with self._turn:
                if stops != self._stops:
                    self._tell("Stopped.", fetches=fetches)
                    return
                await asyncio.to_thread(work)
        except asyncio.CancelledError:
            # The viewer ends, and would wait for the thread.
            self._cancel()
            raise
        except InterruptedByUserError as stop:
            self._tell(f"Stopped. {stop.remark}".rstrip(), fetches=fetches)
        except TabchatError as error:
            self._tell(" ".join(filter(None, [error.message, error.hint])), fetches=fetches)
        except Exception as error:  # noqa: BLE001 - one key that fails must not end the viewer
            self._tell(f"internal error: {type(error).__name__}: {error}", fetches=fetches)
        finally:
            if fetches:
                self._fetching = False
            else:
                self._busy = ""
            self.application.invalidate()

    def _tell(self, message: str, *, fetches: bool) -> None:
        self.viewer.message, self._failed = message, fetches

    # The line that is typed

    def _ask(self, label: str, what: str, then: Callable[[str], None]) -> None:
        self._asked = (label, what, then)
        self._line.reset()
        self.application.layout.focus(self._prompt)

    def _close_line(self) -> None:
        self._asked = None
        self.application.layout.focus(self._table)

    def _accept(self, line: Buffer) -> bool:
        asked, typed = self._asked, line.text
        self._close_line()
        if asked is not None:
            self._start(asked[1], partial(asked[2], typed))
        return False

    # Keys

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        at_table = Condition(lambda: self._asked is None)
        over_sheet = Condition(lambda: self._asked is None and self.viewer.panel is None)

        def bind(names: str, do: Callable[[], object], *, everywhere: bool = False) -> None:
            def pressed(_event: KeyPressEvent) -> None:
                self.viewer.message, self._failed = "", False
                do()

            for name in names.split():
                keys.add(name, filter=at_table if everywhere else over_sheet)(pressed)

        viewer = self.viewer
        bind("up k", lambda: viewer.by_rows(-1), everywhere=True)
        bind("down j", lambda: viewer.by_rows(1), everywhere=True)
        bind("pageup c-b", lambda: viewer.by_pages(-1), everywhere=True)
        bind("pagedown c-f space", lambda: viewer.by_pages(1), everywhere=True)
        bind("left h", lambda: viewer.by_columns(-1))
        bind("right l", lambda: viewer.by_columns(1))
        bind("home 0", lambda: viewer.by_columns(-len(viewer.sheet.state.columns)))
        bind("end $", lambda: viewer.by_columns(len(viewer.sheet.state.columns)))
        bind("G c-end", lambda: viewer.to_row(viewer.sheet.state.row_count - 1))
        bind("c-home", lambda: viewer.to_row(0))
        bind("g", lambda: self._ask("row: ", "going there", viewer.go_to))
        bind("/", lambda: self._ask("search: ", "searching", viewer.search))
        bind("f", lambda: self._ask(f"{_plain(viewer.sheet.state.name)}: ", "filtering", viewer.filter))
        bind("e", lambda: self._ask("export to: ", "writing", viewer.export))
        bind("z", viewer.freeze)
        bind("+", viewer.show_all)
        bind("v", viewer.select)
        bind("t", viewer.show_cell)
        bind("?", viewer.show_help)
        for name, what, work in (
            ("n", "searching", viewer.search),
            ("N", "searching", partial(viewer.search, backwards=True)),
            ("=", "filtering", viewer.filter_same),
            ("F", "reading", viewer.drop_filters),
            ("s", "sorting", viewer.sort),
            ("-", "hiding", viewer.hide),
            ("c", "counting", viewer.count_values),
            ("i", "counting", viewer.show_histogram),
            ("r", "looking for the rows", viewer.behind),
            ("enter", "looking for the rows", viewer.enter),
        ):
            bind(name, partial(self._start, what, work))
        bind("escape backspace", self._back, everywhere=True)
        bind("q", self._back_or_leave, everywhere=True)
        bind("Q", self._leave, everywhere=True)
        keys.add("c-c")(lambda _event: self._stop())
        keys.add("escape", filter=~at_table)(lambda _event: self._close_line())
        return keys

    def _back(self) -> bool:
        """Go back; false where there is nothing to go back to."""
        viewer = self.viewer
        if viewer.panel is None and viewer.sheet.state.anchor is None and len(viewer.sheets) > 1:
            # After rows that are on their way to this sheet.
            self._start("going back", viewer.back)
            return True
        return viewer.back()

    def _back_or_leave(self) -> None:
        if not self._back():
            self._leave()

    def _leave(self) -> None:
        """Leave; nobody waits for what still runs."""
        self._stop()
        if self.application.future is not None and not self.application.future.done():
            self.application.exit()

    def _stop(self) -> None:
        if self._asked is not None:
            self._close_line()
        elif self._busy or self._fetching:
            self._stops += 1
            self._cancel()


def _plain(name: str) -> str:
    from tabchat.render.layout.text import cut, sanitise

    return cut(sanitise(name), 30)
