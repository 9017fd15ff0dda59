"""The tools for customers, and for discount codes that they may use."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from toolmend.base.errors import ToolError
from toolmend.extras.worlds.shop.books import Address, Counter, Customer, Discount, Product, address_of, text_of
from toolmend.tools import tool
from toolmend.tools.texts import folded, shown

PERCENT = (5, 50)
LONGEST_DISCOUNT = 365
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+")
_CODE = re.compile(r"[A-Z0-9]{3,12}")


class PeopleTools(Counter):
    """Customers and discount codes."""

    @tool
    def add_customer(self, name: str, email: str, address: Address | None = None) -> str:
        """Add a new customer.

        Args:
            name: first and last name
            email: where to write to
            address: where deliveries go, if it is known
        """
        name = text_of("name", name)
        if any(folded(known.name) == folded(name) for known in self.books.customers):
            raise ToolError(f"there is a customer {shown(name)} already; change_address changes the address")
        if not _EMAIL.fullmatch(email):
            raise ToolError(f"email: should look like name@example.org, got {shown(email)}")
        customer = Customer(name, email, address_of(address) if address else None)
        self.books = self.books.having(customer)
        return f"added the customer {shown(name)}"

    @tool
    def change_address(self, customer: str, address: Address) -> str:
        """Change where a customer lives. Deliveries that are planned already go where they were planned.

        Args:
            customer: the name of the customer
            address: the new address
        """
        found, address = self.books.customer(customer), address_of(address)
        if found.address == address:
            raise ToolError(f"{found.name} lives there already; give another address")
        self.books = self.books.having(replace(found, address=address))
        return f"{found.name} lives in {address.street}, {address.postcode} {address.city} now"

    @tool
    def create_discount(self, code: str, percent: int, until: dt.date, products: list[str] | None = None) -> str:
        """Create a discount code that customers can name when they order.

        Args:
            code: 3 to 12 capital letters and digits, for example "SPRING15"
            percent: how much it takes off, 5 to 50
            until: the last day it is valid, as YYYY-MM-DD
            products: the names of the products it is for; left out: for all of them
        """
        code = code.strip().upper()
        if not _CODE.fullmatch(code):
            raise ToolError(f"code: should be 3 to 12 capital letters and digits, got {shown(code)}")
        if any(known.code == code for known in self.books.discounts):
            raise ToolError(f"there is a discount code {code} already; end it first or take another code")
        if not PERCENT[0] <= percent <= PERCENT[1]:
            raise ToolError(f"percent: should be {PERCENT[0]} to {PERCENT[1]}, got {percent}")
        last = self.today + dt.timedelta(days=LONGEST_DISCOUNT)
        if not self.today <= until <= last:
            raise ToolError(f"until: should be a day from {self.today} to {last}, got {until}")
        names = tuple(dict.fromkeys(self.books.product(name).name for name in products or ()))
        discount = Discount(code, percent, until, names)
        self.books = replace(self.books, discounts=(*self.books.discounts, discount))
        return f"{code} takes {percent} % off {', '.join(names) or 'everything'} until {until}"

    @tool
    def end_discount(self, code: str) -> str:
        """Take a discount code out of use; orders placed with it keep their prices.

        Args:
            code: the code
        """
        found = self.books.discount(code)
        self.books = replace(
            self.books, discounts=tuple(discount for discount in self.books.discounts if discount is not found)
        )
        return f"{found.code} is no longer valid"

    def running(self, code: str) -> Discount:
        """The discount of a code that is valid today. Raises ToolError naming those that are."""
        found = self.books.discount(code)
        if found.until < self.today:
            valid = ", ".join(discount.code for discount in self.books.discounts if discount.until >= self.today)
            raise ToolError(f"code: {found.code} ended on {found.until}; valid today: {valid or 'none'}")
        return found


def reduced(product: Product, discount: Discount | None) -> int:
    """The price of a product in cents with the discount taken off, half a cent rounded up."""
    if discount is None or (discount.products and product.name not in discount.products):
        return product.cents
    return (product.cents * (100 - discount.percent) + 50) // 100
