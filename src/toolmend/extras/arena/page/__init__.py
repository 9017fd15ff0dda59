"""The arena's pages: chat, blind battles, leaderboard, talks. They draw what `toolmend.extras.arena` does."""
