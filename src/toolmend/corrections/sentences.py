"""The wordings, as data: what a person says about a mistake, by level and kind. Knows no mistake and draws nothing.

A wording is used where all its slots can be filled: {argument} a readable name, {Argument} with a capital, {is} its
verb, {value} in words, {part} of a date, {year}, {type}, {function} and {action} of the expected tool, {unasked} the
action of a call nobody wanted, {receiver}, {only} the parameters there are, {count} how many.
A section named "kind:something" adds to "kind" where something is true of the mistake.
"""

from __future__ import annotations

from functools import cache

LEVEL_0 = """
Try again.
Please try again.
Once more, please.
Again, please.
One more time.
Can you try that once more?
Please do that again.
Have another go.
"""

LEVEL_1 = """
That's wrong.
That is not right.
No, that's not what I asked for.
This isn't correct.
There is a mistake in that.
Not quite right, please fix it.
That's incorrect.
Something is wrong with that.
"""

LEVEL_2 = {
    "no_call": """
Answer with an API call, please.
I need an API call.
There is no API call in your answer.
You didn't make an API call.
Please reply with a call of the API.
Where is the API call?
""",
    "chatter": """
Just the API call, please.
API call only, please.
Only the call, no explanation.
Leave out the text around the call.
No comments, just the call.
Please answer with nothing but the API call.
""",
    "syntax": """
The syntax is wrong.
There is a syntax error.
That isn't valid code.
That line of code doesn't parse.
Check the brackets and the quotes.
The API call isn't well-formed.
""",
    "unknown_tool": """
There is no such function.
Wrong API call.
That function doesn't exist.
The API has no function of that name.
Use a function from the API.
You made that function up.
""",
    "unknown_tool:receiver": """
The beginning of the function's name is wrong.
Something is wrong in front of the function's name.
Look at how the function is called in the API.
""",
    "wrong_tool": """
Wrong API call.
That's the wrong function.
Use another function.
This is not the API call I need.
You called the wrong function.
That call does something else.
""",
    "missing_call": """
One API call is missing.
You left out something I asked for.
That's not all I asked for.
You forgot one of the calls.
There should be another call.
I asked for more than that.
""",
    "extra_call": """
There is one API call too many.
You made a call I didn't ask for.
Leave out the extra call.
That is more than I asked for.
Too many API calls.
One of these calls doesn't belong there.
""",
    "repeated_call": """
You made the same call twice.
That call is repeated.
Don't repeat the call.
Make each call only once.
Once is enough.
You are repeating yourself.
""",
    "unwanted_call": """
No API call is needed here.
I didn't ask you to do anything.
Don't make a call for that.
That doesn't need an API call.
You shouldn't call anything now.
There was nothing to call.
""",
    "missing_argument": """
The {argument} {is} missing.
{Argument} {is} required.
You forgot the {argument}.
You left out the {argument}.
The API needs the {argument}.
There should be a value for the {argument}.
""",
    "unknown_argument": """
The API has no {argument}.
You don't need the {argument}.
There is no parameter called {argument}.
Drop the {argument}.
Leave out the {argument}.
The call doesn't take the {argument}.
""",
    "unknown_argument:surplus": """
There is one value too many.
You pass more values than the API takes.
The API takes fewer parameters than that.
Too many parameters.
Leave out the extra value.
One of the values doesn't belong there.
""",
    "wrong_value": """
The {argument} {is} wrong.
Wrong {argument}.
Check the {argument} again.
You got the {argument} wrong.
The {argument} {is} not what I asked for.
There is a mistake in the {argument}.
""",
    "wrong_value:part": """
The {part} is wrong.
Wrong {part}.
There is a mistake in the {part}.
You got the {part} wrong.
Check the {part} again.
""",
    "wrong_format": """
Respect the {argument} format.
The {argument} {is} in the wrong format.
Use the right format for the {argument}.
Mind the format of the {argument}.
Write the {argument} the way the API asks for.
That's not how the API wants the {argument}.
""",
    "wrong_format:time": """
{Argument} in 24h format.
Write the {argument} in 24h format, please.
""",
    "wrong_format:date": """
Write the {argument} as year, month and day.
The year comes first in the {argument}.
""",
    "wrong_type": """
The {argument} {is} of the wrong type.
Wrong type for the {argument}.
Mind the type of the {argument}.
The type of the {argument} is wrong.
Check what type the {argument} should have.
""",
    "wrong_type:type": """
The {argument} must be {type}.
Write the {argument} as {type}.
""",
}

VALUE = """
The {argument} {is} {value}.
The {argument} should be {value}.
I wanted {value} as the {argument}.
Make the {argument} {value}, please.
For the {argument} I want {value}.
I meant {value} as the {argument}.
"""

# What else can be said at level 3 of a value, by what it is; a plain name ("date", "start time") is left unsaid.
VALUE_OF = {
    "date": """
It's on {value}.
I meant {value}.
It should be on {value}.
""",
    "time": """
It's at {value}.
It starts at {value}.
I meant at {value}.
""",
    "length": """
It should last {value}.
It takes {value}.
It lasts {value}.
Make it {value} long.
""",
    "name": """
It's called {value}.
Call it {value}.
The name of it is {value}.
""",
    "flag": """
Turn {argument} {value}.
Switch {argument} {value}, please.
{Argument} should be {value}.
I want {argument} {value}.
Please have {argument} {value}.
I meant {argument} to be {value}.
""",
    "year": """
The current year is {year}.
The year is {year}.
We are in the year {year}.
The year should be {year}.
I meant the year {year}.
It's {year} now.
""",
}

LEVEL_3 = {
    "no_call": """
Answer with one line of code, the call from the API above.
Don't tell me about it, write the call as code.
I need the code of the API call and nothing else.
Write the API call itself, as one line of code.
Reply with one of the functions I gave you, filled in.
I want to {action}: answer with the API call for that.
Use the {function} function of the API.
""",
    "chatter": """
Write the line of code and nothing before or after it.
Your answer must begin and end with the API call.
Drop every word around the call, keep the code.
No greeting, no explanation, only the one line of code.
Repeat only the line of code, without a word of explanation.
Don't apologise, don't explain, just write the call.
""",
    "syntax": """
Close every bracket and every quote exactly once.
Each opening bracket needs one closing bracket.
Write it as one line of valid Python.
Write the call as name, bracket, arguments, bracket, with nothing broken.
Separate the arguments by commas and close the bracket at the end.
Write the {function} call again, with its brackets and quotes closed.
""",
    "unknown_tool": """
The API's function for that is {function}.
Use the {function} function.
The function is named {function} in the API.
It must be the {function} call.
Take {function}, that's what the API has.
To {action} there is a function in the API.
I want to {action}.
""",
    "unknown_tool:receiver": """
The call has to start with the word {receiver}.
The word {receiver} belongs in front of the function, with a dot.
Put the word {receiver} and a dot before {function}.
""",
    "wrong_tool": """
You should use the {function} function.
It must be the {function} call.
The right function is {function}.
I need {function}, not what you used.
Use {function} for that.
I want to {action}.
I asked you to {action}, not to {unasked}.
Use the function to {action}.
""",
    "missing_call": """
The {function} call is missing.
You also have to call {function}.
I'm missing the {function} call.
The {function} call should be there too.
Add the {function} call for the rest of what I said.
I also asked you to {action}.
You still have to {action}.
""",
    "extra_call": """
Keep only the calls I asked for and drop the rest.
I asked for less: take out the call I never mentioned.
Do only what I said, with no further call.
The call I didn't mention must go.
Remove what I didn't ask for from your answer.
I didn't ask you to {unasked}.
Don't {unasked}, only do what I said.
""",
    "repeated_call": """
Write that call a single time.
The same line must not come twice.
Give me the call once and stop there.
One line is enough, it says the same as the others.
Drop the copies, keep the first call.
You only have to {action} once.
""",
    "unwanted_call": """
Just answer me in words.
Reply with a sentence and without any code.
Leave everything as it is and just talk to me.
Don't touch anything, just answer.
Make no call and tell me in plain words.
I didn't want you to {unasked}.
""",
    "missing_argument": """
The {argument} {is} missing: {value}, please.
You forgot the {argument}, make it {value}.
""",
    "unknown_argument": """
Make the same call without the {argument}.
Take the {argument} out and keep the rest.
Keep everything except the {argument}.
The call must not have the {argument} in it, only the rest.
Remove the {argument}, the other arguments can stay.
The call only takes {only}.
""",
    "unknown_argument:surplus": """
Drop the last value and keep the rest.
Take away the value that has no parameter.
Keep the values that the API asks for, without the extra one.
Remove the value that comes after the last parameter.
Stop before the extra value.
The API requires {count}.
The call only takes {only}.
""",
    "wrong_format": """
The {argument} {is} {value}, written the way the API asks for.
It's {value}, in the {argument} format of the API.
Write {value} in the right {argument} format.
I meant {value}: respect the {argument} format.
For the {argument}, write {value} in the notation of the API.
""",
    "wrong_format:time": """
It's {value}, in 24h format.
""",
    "wrong_format:date": """
It's {value}: write the year first, then month and day.
""",
    "wrong_type": """
The {argument} {is} {value}, in the type the API asks for.
Write {value} with the right type for the {argument}.
I want {value} as the {argument}, but in the right type.
The {argument} should be {value}, mind its type.
For the {argument}, give {value} in its proper type.
""",
    "wrong_type:type": """
The {argument} must be {type}: {value}.
""",
}

UNRELATED = """
Thanks, that's kind of you.
It's raining again over here.
I slept badly last night.
My coffee is getting cold.
You are quick today.
The traffic was terrible this morning.
I like the sound of your voice.
My neighbours are noisy again.
What a day!
I really like this phone.
"""


@cache
def lines(block: str) -> tuple[str, ...]:
    """The wordings of a block, one per line."""
    return tuple(line for line in block.strip().splitlines() if line)
