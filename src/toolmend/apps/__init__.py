"""Doors: what people and programs use. Doors hold no logic, and nobody imports them."""
