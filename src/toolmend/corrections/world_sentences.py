"""The wordings for a world that is not as it should be, as data: sentences.py has the others and explains the slots.

Checks that suites write bring their own sentences ({said}); what no check names has its wordings here.
"""

from __future__ import annotations

LEVEL_2 = {
    "wrong_state": """
Look at the {argument} again.
Something is wrong with the {argument}.
You got the {argument} wrong.
That's not what I wanted for the {argument}.
Check the {argument} once more.
I'm not happy with the {argument}.
""",
    "wrong_state:everything else": """
You changed more than I asked for.
Something else is not as it was.
I didn't ask you to change the rest.
That went further than what I wanted.
Not everything else is as I left it.
""",
    "wrong_state:reply": """
You didn't tell me what I need to know.
Say something about it.
There is nothing in your answer that explains it.
Tell me how that went.
I need to hear from you what came of it.
""",
}

LEVEL_3 = {
    "wrong_state:said": """
{said}
No. {said}
Not quite. {said}
That's not it yet. {said}
One thing is not right. {said}
""",
    "wrong_state:everything else": """
Change only what I asked for and leave the rest as it was.
Put everything back that I didn't mention.
Do just what I said, nothing beyond it.
Undo the changes I never asked for.
The rest has to stay the way it was.
""",
    "wrong_state:reply": """
If something can't be done, tell me so and why.
Tell me in a sentence what you could not do and for what reason.
Say what was done and what wasn't, and why.
Explain in words why it didn't work.
I want to be told what isn't possible here.
""",
}
