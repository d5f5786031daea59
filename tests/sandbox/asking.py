"""How the tests ask the sandbox: over a small table, behind all walls or behind the kernel's alone."""

import pyarrow as pa

from tabchat.sandbox.policy import Purpose, SandboxPolicy, SandboxRequest
from tabchat.sandbox.reply.outcome import SandboxOutcome
from tabchat.sandbox.runner import Sandbox, Walling

SALES = pa.table({"region": ["north", "south", "north"], "amount": [1.5, 2.0, 4.0], "units": [1, 2, 3]})


def request(code: str, table: pa.Table = SALES, purpose: Purpose = Purpose.READ) -> SandboxRequest:
    return SandboxRequest(code=code, purpose=purpose, batches=table.to_batches(), schema=table.schema)


def run(
    sandbox: Sandbox,
    code: str,
    *,
    table: pa.Table = SALES,
    purpose: Purpose = Purpose.READ,
    policy: SandboxPolicy | None = None,
) -> SandboxOutcome:
    """Run code as a person's or a model's code is run."""
    return sandbox.run(request(code, table, purpose), policy)


def run_unguarded(
    sandbox: Sandbox,
    code: str,
    *,
    full_builtins: bool = True,
    table: pa.Table = SALES,
    purpose: Purpose = Purpose.READ,
    policy: SandboxPolicy | None = None,
) -> SandboxOutcome:
    """Run code behind the kernel lock alone: no guard, and with `full_builtins` every built-in function."""
    walling = Walling(guarded=False, full_builtins=full_builtins)
    return sandbox.execute(request(code, table, purpose), walling, policy)
