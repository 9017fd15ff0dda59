"""Values and small helpers that every room may use; they know none of them."""
