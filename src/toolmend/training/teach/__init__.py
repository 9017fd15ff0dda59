"""An adapter for somebody's own tools: examples → wordings with slots → talks → training over an adapter that calls tools."""
