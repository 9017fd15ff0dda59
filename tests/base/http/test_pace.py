"""How many requests at once, and how many a minute."""

import anyio

from toolmend.base.http.pace import Pace


def test_no_more_than_so_many_at_once():
    most = 0

    async def main():
        pace, now = Pace(concurrency=3), [0]

        async def one():
            nonlocal most
            async with pace.place():
                now[0] += 1
                most = max(most, now[0])
                await anyio.lowlevel.checkpoint()
                now[0] -= 1

        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(one)

    anyio.run(main)
    assert most == 3


def test_places_belong_to_a_loop():
    pace = Pace(concurrency=1)

    async def main():
        async with pace.place():
            return True

    assert [anyio.run(main) for _ in range(3)] == [True, True, True]


def test_requests_of_a_minute_are_spread():
    slept: list[float] = []

    async def sleep(seconds):
        slept.append(round(seconds, 3))

    async def main():
        pace = Pace(rpm=30, clock=lambda: 100.0, sleep=sleep)
        for _ in range(3):
            await pace.turn()

    anyio.run(main)
    assert slept == [2.0, 4.0]


def test_time_that_passed_is_not_waited_for():
    times = iter([0.0, 5.0, 6.0])
    slept: list[float] = []

    async def sleep(seconds):
        slept.append(seconds)

    async def main():
        pace = Pace(rpm=30, clock=lambda: next(times), sleep=sleep)
        for _ in range(3):
            await pace.turn()

    anyio.run(main)
    assert slept == [1.0]
