# Hausmeister helper for the two buildings. Only me uses it.
import datetime
from typing import Literal


def report_fault(
    flat: str,
    kind: Literal["water", "heating", "electric", "lock", "lift", "other"],
    note: str = "",
    urgent: bool = False,
):
    """Open a ticket for something that is broken.

    Args:
        flat: number of the flat, for example "3B"; "common" for stairs, cellar and yard
        kind: what sort of thing is broken
        note: a few words on it
        urgent: True if it cannot wait until tomorrow
    """


def assign_tradesman(ticket: int, firm: str, day: datetime.date):
    """Give a ticket to a firm.

    Args:
        ticket: number of the ticket
        firm: name of the firm
        day: the day on which they come
    """


def close_ticket(ticket: int, hours: float = 0.0, paid_by: Literal["owner", "tenant", "insurance"] = "owner"):
    """Close a ticket when the work is done.

    Args:
        ticket: number of the ticket
        hours: working hours it took me
        paid_by: who pays for it
    """


def hand_out_keys(flat: str, person: str, copies: int = 1):
    """Write into the key book that somebody has got keys.

    Args:
        flat: number of the flat
        person: who has got them
        copies: how many keys
    """
