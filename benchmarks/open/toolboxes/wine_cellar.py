"""What lies in the cellar."""

BOTTLES: list[dict] = [
    {"wine": "Rioja", "year": 2016, "count": 6, "rack": "A1"},
    {"wine": "Riesling", "year": 2020, "count": 12, "rack": "B3"},
]
NOTES: list[dict] = []


def lay_down(wine: str, year: int, bottles: int, rack: str | None = None) -> str:
    """Lay bottles of a wine down in a rack."""
    BOTTLES.append({"wine": wine, "year": year, "count": bottles, "rack": rack})
    return f"{bottles} {wine} {year}"


def take_out(wine: str, bottles: int = 1, occasion: str | None = None) -> str:
    """Take bottles out of the cellar."""
    for one in BOTTLES:
        if one["wine"].lower() == wine.lower():
            one["count"] -= bottles
    return f"{bottles} {wine} taken"


def move_wine(wine: str, from_rack: str, to_rack: str) -> str:
    """Move a wine from one rack to another."""
    for one in BOTTLES:
        if one["wine"].lower() == wine.lower() and one["rack"] == from_rack:
            one["rack"] = to_rack
    return f"{wine}: {from_rack} to {to_rack}"


def rate(wine: str, points: int, who: str = "me") -> str:
    """Give a wine points out of 100."""
    NOTES.append({"wine": wine, "points": points, "who": who})
    return f"{who}: {points} for {wine}"
