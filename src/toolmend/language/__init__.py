"""Words into values and calls: what a request, a reply and a correction say."""
