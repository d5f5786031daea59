"""The egress ledger: every byte that was sent to a model or to another assistant, append-only, for the person to read.

Each request is one line of JSON, written and synced to disk before the request
leaves. A line names the hash of the line before it, so that a line that was
changed or taken out is noticed. Nothing here is ever deleted by tabchat.
"""

from tabchat.audit.checking import LedgerCheck
from tabchat.audit.entry import ASSISTANT, Ledger, Outgoing, SentRequest
from tabchat.audit.ledger import EgressLedger

__all__ = ["ASSISTANT", "EgressLedger", "Ledger", "LedgerCheck", "Outgoing", "SentRequest"]
