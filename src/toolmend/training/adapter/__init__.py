"""Teaches a base model the spoken notation with a LoRA adapter: lessons, the net in torch, the loop, and the files.

Lessons know no torch; the net knows no files; the product is a folder that `smol/./FOLDER` talks with.
"""
