"""Verifies a Tenure webhook in Python, with nothing but its standard library."""

import hashlib
import hmac
import re
import time


def verify_webhook(raw_body: bytes, header: str, secret: str, now=None) -> bool:
    """raw_body: the request body exactly as it came, before any JSON parsing.
    header: the value of X-Service-Signature. secret: the endpoint's, ``whsec_`` included."""
    parts = [part.partition("=")[::2] for part in (header or "").split(",")]
    timestamp = next((value for name, value in parts if name == "t"), "")
    if not re.fullmatch("[0-9]{1,15}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    # While a secret is being rotated there are two signatures: one valid one is enough.
    return any(
        name == "v1" and hmac.compare_digest(value.encode(errors="replace"), expected.encode())
        for name, value in parts
    )
