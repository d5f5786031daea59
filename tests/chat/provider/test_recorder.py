"""Nothing goes out unrecorded, whichever way it takes."""

import http.client

import httpx
import pytest

from tabchat.chat.provider import recorder as recording
from tabchat.chat.provider.recorder import Recorder, ResponseTooLongError
from tests.chat.asking import ListLedger
from tests.fake_provider import FakeProvider, fault, say


def models(provider: FakeProvider) -> int:
    """Ask for the models by another library than httpx."""
    connection = http.client.HTTPConnection(provider.root_url.removeprefix("http://"))
    try:
        connection.request("GET", "/v1/models")
        return connection.getresponse().status
    finally:
        connection.close()


def test_a_request_of_any_client_is_recorded_as_the_server_receives_it() -> None:
    ledger = ListLedger()
    with FakeProvider([say("Six.")]) as provider:
        url = f"{provider.base_url}/chat/completions?key=abc"
        with Recorder(ledger, "m").watching():
            httpx.post(url, json={"model": "m", "text": "шість"})
            with httpx.Client() as client:
                client.post(url, content=(part for part in (b'{"model"', b": 1}")))
    assert ledger.bodies == [request.body for request in provider.requests]
    assert [(sent.method, sent.url, sent.model) for sent in ledger.recorded] == [("POST", url, "m")] * 2
    assert [dict(sent.headers)["content-type"] for sent in ledger.recorded[:1]] == ["application/json"]


def test_requests_of_others_are_none_of_ours() -> None:
    ledger = ListLedger()
    recorder = Recorder(ledger, "m")
    with FakeProvider([say("Six.")]) as provider:
        with recorder.watching():
            pass
        assert httpx.get(f"{provider.base_url}/models").status_code == 200
        assert models(provider) == 200
    assert ledger.recorded == []


def test_a_refusal_of_the_ledger_stops_the_request() -> None:
    recorder = Recorder(ListLedger(full=ValueError("full")), "m")
    with (
        FakeProvider([say("Six.")]) as provider,
        recorder.watching(),
        pytest.raises(ValueError, match="full"),
    ):
        httpx.post(provider.base_url, json={})
    assert provider.requests == []
    assert isinstance(recorder.refusal, ValueError)


def test_a_connection_that_goes_around_the_ledger_is_stopped() -> None:
    ledger = ListLedger()
    recorder = Recorder(ledger, "m")
    with FakeProvider([say("Six.")]) as provider, recorder.watching():
        with pytest.raises(recording.UnrecordedConnectionError):
            models(provider)
        assert recorder.unrecorded == "127.0.0.1"
        assert httpx.get(f"{provider.base_url}/models").status_code == 200
    assert [request.method for request in provider.requests] == ["GET"]
    assert len(ledger.recorded) == 1


def test_under_a_forbidding_recorder_nothing_is_sent_at_all() -> None:
    watching = Recorder.forbidding("m").watching()
    refused = pytest.raises(recording.UnrecordedConnectionError)
    with FakeProvider([say("Six.")]) as provider, watching, refused:
        httpx.get(f"{provider.base_url}/models")
    assert provider.requests == []


def test_what_a_failure_was_is_kept() -> None:
    recorder = Recorder(ListLedger(), "m")
    with FakeProvider([fault("rate_limit", retry_after=9), fault("reset")]) as provider, recorder.watching():
        httpx.post(
            f"{provider.base_url}/chat/completions", json={}, headers={"Authorization": "Bearer s3cret-key"}
        )
        assert (recorder.status, recorder.headers["retry-after"]) == (429, "9")
        assert "Rate limit reached" in recorder.error_text
        assert recorder.secrets == ("s3cret-key",)
        with pytest.raises(httpx.TransportError):
            httpx.post(f"{provider.base_url}/chat/completions", json={})
        assert recorder.status is None
        assert isinstance(recorder.failure, httpx.TransportError)
        assert recorder.error_text == ""
    assert recorder.sent == 2


def test_a_response_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_BYTES", 1_000)
    recorder = Recorder(ListLedger(), "m")
    with (
        FakeProvider([say("x" * 2_000)]) as provider,
        recorder.watching(),
        pytest.raises(ResponseTooLongError),
    ):
        httpx.post(f"{provider.base_url}/chat/completions", json={})
    assert isinstance(recorder.failure, ResponseTooLongError)
