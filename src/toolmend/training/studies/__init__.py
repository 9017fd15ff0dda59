"""Questions about training, each put to the test by one command: two ways of training, equal in all else, compared."""
