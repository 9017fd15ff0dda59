"""The arena's page, on Gradio 6: two talks side by side, blind battles. It draws what `toolmend.arena` does."""
