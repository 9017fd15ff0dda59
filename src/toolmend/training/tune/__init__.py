"""Fine-tuning on Keras and JAX: a base (embedded, or KerasHub's), a folder of data, a method, a preset that works."""
