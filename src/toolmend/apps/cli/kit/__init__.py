"""What commands share: options, names, settings, forms of output, screens. Knows no command."""
