"""The state of a large city of the United States, for arguments that want both: "Boston" → "Boston, MA". A table."""

from __future__ import annotations

import re

_BY_STATE = {
    "AK": "Anchorage",
    "AL": "Birmingham|Montgomery|Huntsville|Mobile",
    "AR": "Little Rock",
    "AZ": "Phoenix|Tucson|Mesa|Scottsdale|Tempe|Chandler",
    "CA": "Los Angeles|San Francisco|San Diego|San Jose|Sacramento|Oakland|Fresno|Long Beach|Berkeley|Palo Alto"
    "|Santa Monica|Anaheim|Santa Clara|Mountain View|Pasadena|Irvine|Bakersfield",
    "CO": "Denver|Boulder|Colorado Springs",
    "CT": "Hartford|New Haven",
    "DC": "Washington",
    "FL": "Miami|Orlando|Tampa|Jacksonville|Tallahassee|Fort Lauderdale|St. Petersburg",
    "GA": "Atlanta|Savannah",
    "HI": "Honolulu",
    "IA": "Des Moines",
    "ID": "Boise",
    "IL": "Chicago|Springfield",
    "IN": "Indianapolis",
    "KS": "Wichita",
    "KY": "Louisville|Lexington",
    "LA": "New Orleans|Baton Rouge",
    "MA": "Boston|Cambridge|Worcester",
    "MD": "Baltimore|Annapolis",
    "MI": "Detroit|Ann Arbor|Grand Rapids",
    "MN": "Minneapolis|St. Paul",
    "MO": "St. Louis|Kansas City",
    "NC": "Charlotte|Raleigh|Durham",
    "NE": "Omaha|Lincoln",
    "NJ": "Newark|Jersey City|Princeton",
    "NM": "Albuquerque|Santa Fe",
    "NV": "Las Vegas|Reno",
    "NY": "New York|Manhattan|Brooklyn|Buffalo|Rochester|Albany|Queens",
    "OH": "Columbus|Cleveland|Cincinnati|Toledo",
    "OK": "Oklahoma City|Tulsa",
    "OR": "Portland|Eugene",
    "PA": "Philadelphia|Pittsburgh",
    "RI": "Providence",
    "SC": "Charleston",
    "TN": "Nashville|Memphis|Knoxville",
    "TX": "Houston|Dallas|Austin|San Antonio|Fort Worth|El Paso|Arlington|Plano",
    "UT": "Salt Lake City",
    "VA": "Richmond|Norfolk|Virginia Beach",
    "WA": "Seattle|Spokane|Tacoma|Redmond|Bellevue",
    "WI": "Milwaukee|Madison",
}
_STATES = {city: state for state, cities in _BY_STATE.items() for city in cities.split("|")}
_FULL = {
    "Massachusetts": "MA",
    "California": "CA",
    "Texas": "TX",
    "Illinois": "IL",
    "Florida": "FL",
    "Washington": "WA",
}
_WANTED = re.compile(r"(?i)\bcity and (?:the )?state\b|\b[A-Z][a-z]+, [A-Z]{2}\b")


def with_state(text: str, description: str) -> str:
    """The city with its state's two letters, where the description asks for both and the text is the city alone."""
    if not _WANTED.search(description):
        return text
    city, comma, state = text.partition(", ")
    letters = _FULL.get(state) if comma else _STATES.get(city) or _STATES.get(city.removesuffix(" City"))
    return f"{city}, {letters}" if letters else text
