"""Teaching: simulated dialogues, and the small models trained from them. Needs the extra `train` to train."""
