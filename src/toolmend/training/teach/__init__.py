"""An adapter for somebody's own tools: examples → wordings with slots → talks → training from an adapter for any."""
