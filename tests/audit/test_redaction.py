"""Of headers and addresses only what is known to be harmless is kept."""

import pytest

from tabchat.audit.redaction import redact_headers, redact_url, withholds


def test_only_harmless_headers_keep_their_values() -> None:
    kept = {"Content-Type": "application/json", "user-agent": "x", "X-Stainless-Lang": "python", "Host": "h"}
    secret = {
        "Authorization": "Bearer s",
        "api-key": "s",
        "X-Api-Key": "s",
        "Cookie": "s",
        "x-goog-api-key": "s",
        "X-New": "s",
    }
    redacted = redact_headers(kept | secret)
    assert redacted == kept | dict.fromkeys(secret, "[redacted]")


@pytest.mark.parametrize(
    "url, expected",
    [
        ("https://h.example/v1/chat", "https://h.example/v1/chat"),
        ("http://127.0.0.1:8080/v1?key=s", "http://127.0.0.1:8080/v1?key=[redacted]"),
        ("https://h/x?alt=sse&key=s&api-version=1", "https://h/x?alt=sse&key=[redacted]&api-version=1"),
        ("https://user:s@h/x", "https://[redacted]@h/x"),
        ("https://h/x?s", "https://h/x?[redacted]"),
        ("https://h/x?sig=a=b&Alt=1", "https://h/x?sig=[redacted]&Alt=1"),
        ("https://h/x#s", "https://h/x#[redacted]"),
        ("https://h/x?", "https://h/x"),
    ],
)
def test_addresses_keep_no_secret(url: str, expected: str) -> None:
    assert redact_url(url) == expected


def test_a_form_is_withheld_and_json_is_not() -> None:
    assert withholds({"content-type": "Application/x-www-form-urlencoded; charset=utf-8"})
    assert not withholds({"Content-Type": "application/json"})
    assert not withholds({})
