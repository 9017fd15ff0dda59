"""The town: the same for a seed, everybody at one place, nobody in two talks."""

from __future__ import annotations

from toolmend.extras.agents.worlds.town import LIVES, PARTY, PLACES, SLOTS, Town, moment_of


def test_a_seed_is_a_town() -> None:
    assert Town(1).lives == Town(1).lives
    assert Town(1).lives != Town(2).lives
    assert len({life.name for life in Town(1).lives}) == LIVES


def test_days_begin_at_seven_and_end_at_ten() -> None:
    assert [moment_of(slot)[:16] for slot in (0, 29, 30, SLOTS - 1)] == [
        *("2023-02-13T07:00", "2023-02-13T21:30", "2023-02-14T07:00", "2023-02-14T21:30")
    ]
    assert [moment_of(slot)[11:16] for slot in (PARTY[0], PARTY[-1])] == ["17:00", "18:30"]


def test_everybody_is_somewhere_on_the_map_and_talks_to_who_is_there() -> None:
    town = Town(3)
    for slot in range(SLOTS):
        places = [town.place(number, slot) for number in range(LIVES)]
        assert set(places) <= set(PLACES)
        meetings = town.meetings(slot)
        talking = [number for _, pair in meetings for number in pair]
        assert len(talking) == len(set(talking))
        assert all(places[number] == place for place, pair in meetings for number in pair)


def test_host_and_guests_are_at_the_party_and_a_shift_is_kept() -> None:
    town = Town(1)
    assert [town.place(number, slot, [5]) for number in (0, 5) for slot in PARTY] == ["café"] * 8
    worker = next(life for life in town.lives if life.work and life.shift == (9, 17))
    assert town.place(worker.number, 6) == worker.work
    assert town.working(worker.number, 6)
    assert not town.working(worker.number, PARTY[0])
