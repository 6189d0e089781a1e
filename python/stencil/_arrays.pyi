from typing import Any

version: str
masks: Any

def correlate(*arguments: Any) -> None: ...
def compute_alone_after_fork() -> None: ...
