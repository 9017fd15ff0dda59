"""Jobs in a small guitar repair shop."""

from typing import Literal

JOBS: list[dict] = [
    {"id": 101, "owner": "Ruth", "instrument": "Telecaster", "problem": "buzzing", "state": "waiting"},
    {"id": 102, "owner": "Mr Pike", "instrument": "ukulele", "problem": "cracked bridge", "state": "bench"},
    {"id": 103, "owner": "Dario", "instrument": "bass", "problem": "dead pickup", "state": "waiting"},
]
for _id in range(104, 131):
    JOBS.append({"id": _id, "owner": "?", "instrument": "guitar", "problem": "setup", "state": "waiting"})


def _job(job_id: int) -> dict:
    return next(job for job in JOBS if job["id"] == job_id)


def take_in(owner: str, instrument: str, problem: str, urgent: bool = False) -> str:
    """Take in an instrument for repair."""
    JOBS.append({"id": len(JOBS) + 101, "owner": owner, "instrument": instrument, "problem": problem, "urgent": urgent})
    return f"job {JOBS[-1]['id']}"


def set_state(job_id: int, state: Literal["waiting", "bench", "ready", "collected"]) -> str:
    """Move a job to another state."""
    _job(job_id)["state"] = state
    return f"{job_id} is {state}"


def quote(job_id: int, price: float, hours: float | None = None) -> str:
    """Write down what a job will cost, and how many hours it takes."""
    _job(job_id).update(price=price, hours=hours)
    return f"{job_id}: {price:.2f}"


def restring(owner: str, strings: Literal["nylon", "bronze", "nickel", "flatwound"], gauge: int = 10) -> str:
    """Book a change of strings while the customer waits."""
    JOBS.append({"id": len(JOBS) + 101, "owner": owner, "problem": f"{strings} {gauge}", "state": "waiting"})
    return f"{strings} {gauge} for {owner}"


def find_jobs(owner: str) -> list[dict]:
    """Find all jobs of one owner."""
    return [job for job in JOBS if job["owner"].lower() == owner.lower()]
