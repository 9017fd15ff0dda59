"""What stands on the core and is reached through the registry alone; each folder can be taken away."""
