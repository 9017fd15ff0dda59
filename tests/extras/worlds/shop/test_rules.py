"""What the shop refuses, in which words, and that a refused call leaves the books alone."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from toolmend.base.messages import Call
from toolmend.extras.worlds.shop import Shop

KIEL = {"street": "Holm 1", "city": "Kiel", "postcode": "24105"}


def item(product: str, quantity: int = 1) -> dict[str, Any]:
    return {"product": product, "quantity": quantity}


REFUSED = [
    (
        "add_product",
        {"name": "seed BOX", "category": "garden", "price": 3},
        "there is a product 'seed BOX' already; set_price or receive_goods change it",
    ),
    ("add_product", {"name": " ", "category": "garden", "price": 3}, "name: should have 1 to 200 characters, got ' '"),
    ("add_product", {"name": "A\x00", "category": "home", "price": 3}, "name: it holds a control character; write"),
    ("add_product", {"name": "Rake", "category": "garden", "price": 3, "stock": 501}, "stock: should be 0 to 500"),
    ("add_product", {"name": "Rake", "category": "garden", "price": 0}, "price: should be 0.01 to 10000 euros with at"),
    ("add_product", {"name": "Rake", "category": "garden", "price": 1.005}, "price: should be 0.01 to 10000 euros"),
    ("set_price", {"product": "Seed boxes", "price": 3}, "there is no product 'Seed boxes'; nearest: Seed box"),
    (
        "set_price",
        {"product": "Seed box", "price": 21.01},
        "price: 'Seed box' costs 14.00, so 7.00 to 21.00 is allowed, got 21.01",
    ),
    ("set_price", {"product": "Seed box", "price": 14}, "price: 'Seed box' costs 14.00 already; give another price"),
    ("receive_goods", {"items": []}, "items: name at least one product with its quantity"),
    ("receive_goods", {"items": [item("Seed box"), item("seed box")]}, "items: 'Seed box' stands twice; name it once"),
    (
        "receive_goods",
        {"items": [item("Linen towel", 461)]},
        "quantity of 'Linen towel': should be 1 to 460 (the shelf has room for 460 more), got 461",
    ),
    (
        "write_off",
        {"product": "Copper kettle", "quantity": 4, "cause": "broken"},
        "quantity: should be 1 to 3 (3 of 'Copper kettle' are on the shelf), got 4",
    ),
    (
        "write_off",
        {"product": "Cast-iron pan", "quantity": 1, "cause": "lost"},
        "quantity: 0 of 'Cast-iron pan' are on the shelf, so none can be taken",
    ),
    ("write_off", {"product": "Seed box", "quantity": 1, "cause": "eaten"}, "argument 'cause': should be 'broken'"),
    ("add_customer", {"name": "ada brandt", "email": "a@b.de"}, "there is a customer 'ada brandt' already; change_"),
    ("add_customer", {"name": "Bo", "email": "bo at home"}, "email: should look like name@example.org, got 'bo at"),
    (
        "add_customer",
        {"name": "Bo", "email": "a@b.de", "address": {**KIEL, "postcode": "2410"}},
        "postcode: should be five digits, got '2410'",
    ),
    ("change_address", {"customer": "Ada", "address": KIEL}, "there is no customer 'Ada'; nearest: Ada Brandt"),
    (
        "change_address",
        {"customer": "Ada Brandt", "address": {"street": "Hafenstr. 7", "city": "Kiel", "postcode": "24103"}},
        "Ada Brandt lives there already; give another address",
    ),
    ("create_discount", {"code": "A B", "percent": 10, "until": "2025-10-01"}, "code: should be 3 to 12 capital"),
    ("create_discount", {"code": "autumn10", "percent": 10, "until": "2025-10-01"}, "there is a discount code AUTUMN"),
    ("create_discount", {"code": "SALE", "percent": 51, "until": "2025-10-01"}, "percent: should be 5 to 50, got 51"),
    (
        "create_discount",
        {"code": "SALE", "percent": 10, "until": "2025-09-14"},
        "until: should be a day from 2025-09-15 to 2026-09-15, got 2025-09-14",
    ),
    ("end_discount", {"code": "SALE"}, "there is no discount code 'SALE'; nearest: CANDLE20, AUTUMN10"),
    ("place_order", {"customer": "Zoe", "items": [item("Seed box")]}, "there is no customer 'Zoe'; nearest: "),
    (
        "place_order",
        {"customer": "Mei Tanaka", "items": [item("Seed box", 10)]},
        "quantity of 'Seed box': should be 1 to 9 (9 of 'Seed box' are on the shelf), got 10",
    ),
    (
        "place_order",
        {"customer": "Mei Tanaka", "items": [item("Beeswax candle")], "code": "candle20"},
        "code: CANDLE20 ended on 2025-09-12; valid today: AUTUMN10",
    ),
    (
        "change_quantity",
        {"order": 101, "product": "Seed box", "quantity": 1},
        "order 101 is shipped and cannot be changed; open orders: 102, 103, 104",
    ),
    (
        "change_quantity",
        {"order": 102, "product": "Copper kettle", "quantity": 5},
        "quantity: should be 0 to 4 and not 1 (the order has 1, 3 more are on the shelf), got 5",
    ),
    (
        "change_quantity",
        {"order": 103, "product": "Wool blanket", "quantity": 0},
        "'Wool blanket' is all there is in order 103; cancel_order cancels the order",
    ),
    ("cancel_order", {"order": 99}, "there is no order 99; the latest are 100, 101, 102, 103, 104"),
    ("cancel_order", {"order": 100}, "order 100 is shipped and cannot be cancelled; open orders: 102, 103, 104"),
    (
        "take_return",
        {"order": 102, "items": [item("Linen towel")], "cause": "damaged"},
        "order 102 is open; only shipped orders can come back",
    ),
    (
        "take_return",
        {"order": 100, "items": [item("Folding stool")], "cause": "damaged"},
        "order 100 can come back from 2025-07-22 to 2025-08-21; today is 2025-09-15",
    ),
    (
        "take_return",
        {"order": 101, "items": [item("Seed box")], "cause": "damaged"},
        "items: order 101 has no 'Seed box'; it has Storm lantern, Beeswax candle",
    ),
    (
        "take_return",
        {"order": 101, "items": [item("Storm lantern", 3)], "cause": "damaged"},
        "quantity of 'Storm lantern': should be 1 to 2 (2 of 'Storm lantern' have not come back yet), got 3",
    ),
    ("show_order", {"order": 1}, "there is no order 1; the latest are"),
    ("sales_report", {"since": "2025-09-16"}, "since: should not be after 2025-09-15, got 2025-09-16"),
    (
        "free_times",
        {"date": "2025-09-21"},
        "date: should be a day from 2025-09-16 to 2025-10-15 that is no Sunday, got 2025-09-21 (Sunday)",
    ),
    ("plan_delivery", {"order": 102, "date": "2025-09-15"}, "date: should be a day from 2025-09-16 to 2025-10-15"),
    (
        "plan_delivery",
        {"order": 104, "date": "2025-09-16"},
        "address: Luis Ortega has none; give one, or use change_address first",
    ),
    ("plan_delivery", {"order": 103, "date": "2025-09-17"}, "order 103 is planned like this already; give another"),
    ("plan_delivery", {"order": 101, "date": "2025-09-17"}, "order 101 is shipped and cannot be planned; open orders"),
    ("ship_orders", {"orders": []}, "orders: name at least one order, each once, got []"),
    ("ship_orders", {"orders": [103, 103]}, "orders: name at least one order, each once, got [103, 103]"),
    ("ship_orders", {"orders": [103, 102]}, "order 102 has no delivery yet: plan_delivery first; ready: "),
    ("ship_orders", {"orders": [100]}, "order 100 is shipped and cannot be shipped; open orders: 102, 103, 104"),
]


@pytest.mark.parametrize(
    ("tool", "arguments", "words"), REFUSED, ids=[f"{row[0]}-{place}" for place, row in enumerate(REFUSED)]
)
def test_refusals_say_what_would_be_allowed(tool: str, arguments: dict[str, Any], words: str) -> None:
    shop = Shop()
    before = shop.books
    error = str(shop.run_sync(Call(f"shop.{tool}", arguments)).error)
    assert error[: len(words)] == words
    assert shop.books is before


def test_every_tool_that_can_refuse_does() -> None:
    assert {spec.name for spec in Shop().specs} - {row[0] for row in REFUSED} == {"find_products"}


def test_a_time_of_day_has_two_vans() -> None:
    shop = Shop()
    shop.plan_delivery(102, dt.date(2025, 9, 17))
    error = shop.run_sync(Call("shop.plan_delivery", {"order": 104, "date": "2025-09-17", "address": KIEL})).error
    assert error == "slot: the morning of 2025-09-17 is full; free that day: afternoon, evening"


def test_all_codes_that_are_valid_are_named_where_one_has_ended() -> None:
    shop = Shop()
    shop.create_discount("towel", 20, dt.date(2025, 10, 1))
    call = Call("shop.place_order", {"customer": "Mei Tanaka", "items": [item("Beeswax candle")], "code": "CANDLE20"})
    assert shop.run_sync(call).error == "code: CANDLE20 ended on 2025-09-12; valid today: AUTUMN10, TOWEL"


def test_a_code_for_other_products_is_refused() -> None:
    shop = Shop()
    shop.create_discount("towel", 20, dt.date(2025, 10, 1), ["linen towel"])
    call = Call("shop.place_order", {"customer": "Mei Tanaka", "items": [item("Seed box")], "code": "TOWEL"})
    assert shop.run_sync(call).error == "code: TOWEL is only for Linen towel; leave it out"
