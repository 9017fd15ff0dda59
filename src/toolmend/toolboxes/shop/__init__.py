"""A small shop: stock, customers, orders, deliveries, returns and discount codes; eighteen tools, a clock."""

from toolmend.toolboxes.shop.books import Address, Books, Line, OrderLine
from toolmend.toolboxes.shop.shop import Shop

__all__ = ["Address", "Books", "Line", "OrderLine", "Shop"]
