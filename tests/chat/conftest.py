"""Keys for the fake provider."""

import pytest

from tests.fake_provider import FAKE_ENV


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch, isolated_home: None) -> None:
    """Set the keys that the real providers would want."""
    for name, value in FAKE_ENV.items():
        monkeypatch.setenv(name, value)
