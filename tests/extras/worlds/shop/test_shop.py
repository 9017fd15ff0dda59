"""The shop: what each tool does to the books, what models see, undo, and any calls at all."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend import Toolbox
from toolmend.base.errors import BadFile
from toolmend.base.messages import Call
from toolmend.extras.worlds.shop import Address, Books, Line, OrderLine, Shop

FRIDAY = dt.date(2025, 9, 19)


def stock(shop: Shop, product: str) -> int:
    return shop.books.product(product).stock


def test_it_is_registered_with_eighteen_tools_of_three_effects() -> None:
    specs = Toolbox.load("shop").specs
    assert len(specs) == 18
    assert [spec.name for spec in specs if spec.effect == "danger"] == ["write_off", "ship_orders"]
    assert [spec.name for spec in specs if spec.effect == "read"] == [
        "find_products",
        "show_order",
        "sales_report",
        "free_times",
    ]


def test_finding_by_name_category_price_and_stock() -> None:
    shop = Shop()
    assert shop.find_products("SEED") == [{"product": "Seed box", "category": "garden", "price": 14.0, "stock": 9}]
    assert [each["product"] for each in shop.find_products(category="kitchen", max_price=45, in_stock=True)] == [
        "Linen towel"
    ]


def test_a_new_product_is_priced_in_cents() -> None:
    shop = Shop()
    shop.add_product("Oak bench", "garden", 149.99, 2)
    assert (shop.books.product("oak bench").cents, stock(shop, "Oak bench")) == (14999, 2)


def test_a_new_price_leaves_open_orders_alone() -> None:
    shop = Shop()
    shop.set_price("Linen towel", 15)
    assert (shop.books.product("Linen towel").cents, shop.books.order(102).cents) == (1500, 9650)


def test_goods_received_and_written_off() -> None:
    shop = Shop()
    assert (
        shop.receive_goods([OrderLine("cast-iron pan", 4), OrderLine("Seed box", 1)])
        == "Cast-iron pan: 4; Seed box: 10"
    )
    assert shop.write_off("Seed box", 3, "broken") == "wrote off 3 of 'Seed box', 7 are left"


def test_customers_and_their_addresses() -> None:
    shop = Shop()
    shop.add_customer("Nora  Lind", "nora@example.org")
    shop.change_address("nora lind", Address("Holm 1", "Kiel", "24105"))
    assert shop.books.customer("Nora Lind").address == Address("Holm 1", "Kiel", "24105")


def test_an_order_takes_goods_off_the_shelf_at_the_price_of_its_code() -> None:
    shop = Shop()
    said = shop.place_order("mei tanaka", [OrderLine("Beeswax candle", 10)], "autumn10", "a gift")
    assert (said, stock(shop, "Beeswax candle")) == ("order 105 for Mei Tanaka: 62.10", 50)
    assert (shop.books.order(105).code, shop.books.order(105).note) == ("AUTUMN10", "a gift")


def test_a_code_may_be_for_some_products_only_and_ends() -> None:
    shop = Shop()
    shop.create_discount("towel", 20, FRIDAY, ["linen towel"])
    shop.place_order("Mei Tanaka", [OrderLine("Linen towel"), OrderLine("Seed box")], "TOWEL")
    shop.end_discount("towel")
    assert [line.cents for line in shop.books.order(105).lines] == [1000, 1400]
    assert [each.code for each in shop.books.discounts] == ["AUTUMN10", "CANDLE20"]


def test_quantities_go_up_down_in_and_out() -> None:
    shop = Shop()
    shop.change_quantity(102, "Linen towel", 5)
    shop.change_quantity(102, "Seed box", 1)
    shop.change_quantity(102, "copper kettle", 0)
    assert shop.books.order(102).lines == (Line("Linen towel", 5, 1250), Line("Seed box", 1, 1400))
    assert [stock(shop, name) for name in ("Linen towel", "Seed box", "Copper kettle")] == [38, 8, 4]


def test_cancelling_puts_goods_back_and_frees_the_van() -> None:
    shop = Shop()
    shop.cancel_order(103, "too warm")
    order = shop.books.order(103)
    assert (order.status, order.note, order.delivery, stock(shop, "Wool blanket")) == ("cancelled", "too warm", None, 7)


def test_deliveries_are_planned_then_shipped() -> None:
    shop = Shop()
    shop.plan_delivery(102, FRIDAY, "evening")
    assert shop.ship_orders([103, 102]) == "shipped: 103 (71.10), 102 (96.50)"
    assert [shop.books.order(number).status for number in (102, 103)] == ["shipped", "shipped"]
    shop.plan_delivery(104, FRIDAY, "evening", Address("Holm 1", "Kiel", "24105"))
    assert shop.free_times(FRIDAY) == ["morning", "afternoon"]


def test_undamaged_goods_go_back_on_the_shelf() -> None:
    shop = Shop()
    assert (
        shop.take_return(101, [OrderLine("Storm lantern")], "damaged") == "taken back from order 101; refunded: 34.90"
    )
    shop.take_return(101, [OrderLine("Storm lantern")], "not wanted", refund=False)
    assert (stock(shop, "Storm lantern"), shop.books.order(101).cents) == (9, 4140)


def test_orders_and_sales_are_reported() -> None:
    shop = Shop()
    assert shop.show_order(104)["total"] == 46.5
    report = shop.sales_report(dt.date(2025, 9, 12))
    assert report == {"orders": 2, "euros": 117.6, "pieces": {"Wool blanket": 1, "Watering can": 1, "Seed box": 2}}


def test_the_clock_can_be_set() -> None:
    shop = Shop()
    shop.now = dt.datetime(2025, 12, 24, 8, 0)
    shop.place_order("Ada Brandt", [OrderLine("Seed box")])
    assert shop.books.order(105).placed == dt.date(2025, 12, 24)


def test_the_view_has_all_a_model_needs_in_few_words() -> None:
    text = Shop().view()
    for line in (
        "Today: Monday 2025-09-15",
        "- Seed box (garden) 14.00, 9",
        "Customers: Ada Brandt, Jonas Weber, Mei Tanaka, Luis Ortega (no address)",
        "- 103 Mei Tanaka, open: 1 Wool blanket = 71.10, code AUTUMN10, delivery 2025-09-17 morning",
        "- CANDLE20: 20 % off Beeswax candle until 2025-09-12",
    ):
        assert line in text.splitlines()
    assert Shop(Books()).view() == (
        "Today: Monday 2025-09-15\nProducts: none\nCustomers: none\nOrders: none\nDiscount: none"
    )


def test_the_state_is_plain_data_and_comes_back() -> None:
    shop, other = Shop(), Shop(Books())
    shop.take_return(101, [OrderLine("Storm lantern")], "damaged")
    other.set_state(shop.state())
    assert other.books == shop.books
    assert shop.state()["orders"]["101"]["lines"]["Storm lantern"] == {"quantity": 2, "cents": 3490, "returned": 1}


@pytest.mark.parametrize(
    "data",
    [
        {"products": 3},
        {"products": {"A": {}}},
        {"products": {"A": 1}},
        {"orders": {"x": {}}},
        {"orders": {"1": {"customer": "Zoe", "placed": "2025-01-01", "lines": {}}}},
        {"goods": {}},
    ],
)
def test_a_state_that_cannot_be_is_refused(data: dict[str, Any]) -> None:
    shop = Shop()
    with pytest.raises(BadFile):
        shop.set_state(data)
    assert shop.books == Shop().books


def test_a_state_of_other_things_is_told_what_there_can_be() -> None:
    with pytest.raises(BadFile, match="with products, customers, orders, discounts, returns, losses"):
        Shop().set_state({"goods": {}})


PRODUCTS = st.sampled_from(["Seed box", "linen towel", "Cast-iron pan", "Copper kettle", "Rake", "  "])
PEOPLE = st.sampled_from(["Ada Brandt", "luis ortega", "Nora Lind"])
ORDERS = st.integers(99, 107)
NUMBERS = st.integers(-1, 12)
MONEY = st.one_of(st.sampled_from([12.5, 14, 20, 0, 1.005, 1e308]), st.floats(allow_nan=False, allow_infinity=False))
DAYS = st.dates(dt.date(2025, 9, 14), dt.date(2025, 10, 16)).map(str)
CODES = st.sampled_from(["AUTUMN10", "candle20", "NEW5", "?"])
ITEMS = st.lists(st.fixed_dictionaries({"product": PRODUCTS, "quantity": NUMBERS}), max_size=3)
ADDRESSES = st.sampled_from([{"street": "Holm 1", "city": "Kiel", "postcode": "24105"}, {"street": "", "city": "Kiel"}])
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "product": PRODUCTS, "name": PRODUCTS | PEOPLE, "text": PRODUCTS, "customer": PEOPLE, "order": ORDERS,
    "quantity": NUMBERS, "stock": NUMBERS, "percent": st.integers(0, 60), "price": MONEY, "max_price": MONEY,
    "date": DAYS, "since": DAYS, "until": DAYS, "code": CODES, "items": ITEMS, "address": ADDRESSES,
    "orders": st.lists(ORDERS, max_size=3), "products": st.lists(PRODUCTS, max_size=2), "email": st.just("a@b.de"),
}  # fmt: skip


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """Any call of any tool, often a possible one."""
    spec = draw(st.sampled_from(Shop().specs))
    names = [name for name in spec.properties if name in spec.required or draw(st.booleans())]
    values = {
        name: draw(st.sampled_from(schema["enum"]) if (schema := spec.properties[name]).get("enum") else VALUES[name])
        for name in names
        if name in VALUES or spec.properties[name].get("enum")
    }
    return Call(spec.full_name, values)


@given(st.lists(calls(), max_size=8))
@settings(max_examples=60, deadline=None)
def test_refused_calls_change_nothing_and_nothing_fails(made: list[Call]) -> None:
    shop = Shop()
    for call in made:
        before = shop.books
        result = shop.run_sync(call)
        assert result.fault != "failed", result
        assert result.ok or shop.books == before
        assert all(0 <= product.stock <= 1000 for product in shop.books.products)


@given(st.lists(calls(), min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
def test_undo_goes_back_call_by_call(made: list[Call]) -> None:
    shop, worlds = Shop(), []
    for number, call in enumerate(made):
        before = shop.state()
        if shop.run_sync(Call(call.tool, call.arguments, f"c{number}")).ok:
            worlds.append((f"c{number}", before, shop.state()))
    for call_id, before, after in reversed(worlds):
        assert shop.state() == after
        shop.undo_sync(call_id)
        assert shop.state() == before
