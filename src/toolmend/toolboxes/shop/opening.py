"""The shop as it is when it opens: a Monday morning with ten products, four customers, five orders and two codes."""

from __future__ import annotations

import datetime as dt

from toolmend.toolboxes.shop.books import Address, Books, Customer, Delivery, Discount, Line, Order, Product

NOW = dt.datetime(2025, 9, 15, 9, 0)

_KIEL = Address("Hafenstr. 7", "Kiel", "24103")
_BREMEN = Address("Am Wall 30", "Bremen", "28195")
_HAMBURG = Address("Lange Reihe 112", "Hamburg", "20099")

OPENING = Books(
    products=(
        Product("Storm lantern", "outdoor", 3490, 8),
        Product("Folding stool", "outdoor", 2750, 5),
        Product("Copper kettle", "kitchen", 5900, 3),
        Product("Linen towel", "kitchen", 1250, 40),
        Product("Cast-iron pan", "kitchen", 4500, 0),
        Product("Wool blanket", "home", 7900, 6),
        Product("Beeswax candle", "home", 690, 60),
        Product("Watering can", "garden", 1850, 12),
        Product("Garden trowel", "garden", 990, 15),
        Product("Seed box", "garden", 1400, 9),
    ),
    customers=(
        Customer("Ada Brandt", "ada@example.org", _KIEL),
        Customer("Jonas Weber", "jonas@example.org", _BREMEN),
        Customer("Mei Tanaka", "mei@example.org", _HAMBURG),
        Customer("Luis Ortega", "luis@example.org"),
    ),
    orders=(
        Order(
            100,
            "Jonas Weber",
            dt.date(2025, 7, 14),
            (Line("Folding stool", 2, 2750),),
            "shipped",
            delivery=Delivery(dt.date(2025, 7, 22), "morning", _BREMEN),
        ),
        Order(
            101,
            "Ada Brandt",
            dt.date(2025, 9, 1),
            (Line("Storm lantern", 2, 3490), Line("Beeswax candle", 6, 690)),
            "shipped",
            delivery=Delivery(dt.date(2025, 9, 4), "evening", _KIEL),
        ),
        Order(102, "Jonas Weber", dt.date(2025, 9, 11), (Line("Copper kettle", 1, 5900), Line("Linen towel", 3, 1250))),
        Order(
            103,
            "Mei Tanaka",
            dt.date(2025, 9, 12),
            (Line("Wool blanket", 1, 7110),),
            code="AUTUMN10",
            delivery=Delivery(dt.date(2025, 9, 17), "morning", _HAMBURG),
        ),
        Order(104, "Luis Ortega", dt.date(2025, 9, 13), (Line("Watering can", 1, 1850), Line("Seed box", 2, 1400))),
    ),
    discounts=(
        Discount("AUTUMN10", 10, dt.date(2025, 9, 30)),
        Discount("CANDLE20", 20, dt.date(2025, 9, 12), ("Beeswax candle",)),
    ),
)
