"""A small shop: stock, customers, orders, deliveries, returns and discount codes; eighteen tools, a clock."""

from toolmend.extras.worlds.shop.books import Address, Books, Line, OrderLine
from toolmend.extras.worlds.shop.shop import Shop

__all__ = ["Address", "Books", "Line", "OrderLine", "Shop"]
