"""`toolmend serve`: an OpenAI-compatible server in front of any model here. `create_app` makes it, as an ASGI app.

The client's tools are never run here: a strategy asks the model, the client gets the calls, its results come back with
the next request. Nothing of a conversation is kept between two requests.
"""
