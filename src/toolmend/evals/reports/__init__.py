"""A report in the forms people read: tables shared by all of them, Markdown, CSV, one HTML file. Computes no rate."""
