"""Literal replies in every model family's way of speaking, ours, with what they come to: family, text, calls, words."""

# ruff: noqa: E501 - a reply is one literal
from __future__ import annotations

from typing import Any

from toolmend.base.messages import Call, ToolSpec

_TEXT = {"type": "string"}


def _tool(name: str, **properties: Any) -> ToolSpec:
    return ToolSpec(name, "", {"type": "object", "properties": properties, "required": list(properties)[:1]})


WEATHER = _tool("get_weather", city=_TEXT, days={"type": "integer"}, metric={"type": "boolean"})
WRITE = _tool("write_file", path=_TEXT, content=_TEXT)
NOTE = _tool("add_note", text=_TEXT, tags={"type": "array", "items": _TEXT}, metadata={"type": "object"})
TIME = ToolSpec("get_time", "", {"type": "object", "properties": {}})
SPECS = (WEATHER, WRITE, NOTE, TIME)

Reply = tuple[str, str, tuple[Call, ...], str]


def _weather(city: str = "Paris", **more: Any) -> Call:
    return Call("get_weather", {"city": city, **more})


PARIS, ROME, NOW = (_weather(),), (_weather(), _weather("Rome")), (Call("get_time", {}),)
META = (Call("add_note", {"text": "x", "metadata": {"reminder": True, "note": None}}),)
CODE = "def f():\n    return `ls` + \"x\" + 'y'\n\n\nprint(f())"
WRITTEN = (Call("write_file", {"path": "a.py", "content": CODE}),)
J, R = (
    '{"name": "get_weather", "arguments": {"city": "Paris"}}',
    '{"name": "get_weather", "arguments": {"city": "Rome"}}',
)
A, B = '{"city": "Paris"}', '{"city": "Rome"}'
_DS = "<｜tool▁calls▁begin｜>{}<｜tool▁calls▁end｜>"
_V3 = "<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{}\n```<｜tool▁call▁end｜>"
_V31 = "<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{}<｜tool▁call▁end｜>"
_KIMI = "<|tool_call_begin|>functions.get_weather:{}<|tool_call_argument_begin|>{}<|tool_call_end|>"
_HARMONY = "<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{}<|call|>"

REPLIES: list[Reply] = [
    ("hermes", f"<tool_call>\n{J}\n</tool_call>", PARIS, ""),
    ("hermes", f"<tool_call>{J}</tool_call>\n<tool_call>{R}</tool_call>", ROME, ""),
    ("hermes", f"I look it up.\n<tool_call>\n{J}\n</tool_call>", PARIS, "I look it up."),
    ("hermes", f"<think>Rome? {R}</think>\n\n<tool_call>\n{J}\n</tool_call>", PARIS, ""),
    ("hermes", f"<tool_call>\n{J}", PARIS, ""),
    ("hermes", f"<tool_call>[{J}, {R}]</tool_call>", ROME, ""),
    (
        "hermes",
        '<tool_call>{"name": "add_note", "arguments": {"text": "</tool_call>"}}</tool_call>',
        (Call("add_note", {"text": "</tool_call>"}),),
        "",
    ),
    ("hermes", '<tool_call>{"name": "get_time", "arguments": ""}</tool_call>', NOW, ""),
    ("hermes", '<tool_call>{"name": "get_time", "arguments": null}</tool_call>', NOW, ""),
    ("hermes", '<tool_call>{"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}</tool_call>', PARIS, ""),
    ("hermes", '<tool_call>{"name": "functions.get_weather", "arguments": {"city": "Paris"}}</tool_call>', PARIS, ""),
    (
        "qwen coder",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
        (_weather(days=3),),
        "",
    ),
    (
        "qwen coder",
        f"<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n<parameter=content>\n{CODE}\n</parameter>\n</function>\n</tool_call>",
        WRITTEN,
        "",
    ),
    (
        "qwen coder",
        "<function=get_weather>\n    <parameter=city>\n        Paris\n    </parameter>\n</function>",
        PARIS,
        "",
    ),
    (
        "qwen coder",
        '<tool_call>\n<function=add_note>\n<parameter=text>\n"x" and `y`\n</parameter>\n<parameter=tags>\n["a", "b"]\n</parameter>\n</function>\n</tool_call>',
        (Call("add_note", {"text": '"x" and `y`', "tags": ["a", "b"]}),),
        "",
    ),
    ("qwen coder", "<tool_call>\n<function=get_time>\n</function>\n</tool_call>", NOW, ""),
    (
        "qwen coder",
        "<tool_call>\n<function=add_note>\n<parameter=text>\n12\n</parameter>\n<parameter=metadata>\n{'reminder': True, 'note': None}\n</parameter>\n</function>\n</tool_call>",
        (Call("add_note", {"text": "12", "metadata": {"reminder": True, "note": None}}),),
        "",
    ),
    (
        "qwen coder",
        "<tool_call>\n<function=add_note>\n<parameter=text>\na <think> tag\n</parameter>\n</function>\n</tool_call>",
        (Call("add_note", {"text": "a <think> tag"}),),
        "",
    ),
    (
        "seed",
        "<seed:think>hm</seed:think>\n<seed:tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n</seed:tool_call>",
        PARIS,
        "",
    ),
    ("llama", f"<|python_tag|>{J.replace('arguments', 'parameters')}<|eom_id|>", PARIS, ""),
    ("llama", f"{J.replace('arguments', 'parameters')}; {R.replace('arguments', 'parameters')}", ROME, ""),
    ("llama", f"{J.replace('arguments', 'parameters')}", PARIS, ""),
    ("llama", f"<function=get_weather>{A}</function>", PARIS, ""),
    ("llama", '<|python_tag|>get_weather.call(city="Paris")<|eom_id|>', PARIS, ""),
    ("llama 4", '[get_weather(city="Paris"), get_weather(city="Rome")]', ROME, ""),
    ("llama 4", '<|python_start|>[get_weather(city="Paris")]<|python_end|>', PARIS, ""),
    ("functionary", f">>>get_weather\n{A}", PARIS, ""),
    ("mistral", f"[TOOL_CALLS] [{J}]", PARIS, ""),
    ("mistral", f"[TOOL_CALLS][{J}, {R}]</s>", ROME, ""),
    ("mistral", f"[TOOL_CALLS]get_weather[ARGS]{A}", PARIS, ""),
    (
        "mistral",
        f"[TOOL_CALLS]get_weather[CALL_ID]D681PevKs[ARGS]{A}[TOOL_CALLS]get_weather[CALL_ID]D681PevKt[ARGS]{B}",
        ROME,
        "",
    ),
    ("mistral", f"[TOOL_CALLS]get_weather{A}", PARIS, ""),
    ("mistral", f"[THINK]Rome: {R}[/THINK]I look.[TOOL_CALLS]get_weather[ARGS]{A}", PARIS, "I look."),
    ("mistral", "[TOOL_CALLS]get_time[ARGS]{}", NOW, ""),
    ("deepseek v3", _DS.format(_V3.format(A)), PARIS, ""),
    ("deepseek v3", _DS.format(_V3.format(A) + "\n" + _V3.format(B)), ROME, ""),
    ("deepseek r1", "<think>\nhm\n</think>\n\n" + _DS.format(_V3.format(A)) + "<｜end▁of▁sentence｜>", PARIS, ""),
    ("deepseek r1", "hm, maybe\n</think>\n\n" + _DS.format(_V3.format(A)), PARIS, ""),
    ("deepseek v3.1", _DS.format(_V31.format(A) + _V31.format(B)), ROME, ""),
    ("deepseek v3.1", _V31.format(A), PARIS, ""),
    (
        "deepseek v3.1",
        "I look.\n<|tool_calls_begin|><|tool_call_begin|>get_weather<|tool_sep|>"
        + A
        + "<|tool_call_end|><|tool_calls_end|>",
        PARIS,
        "I look.",
    ),
    (
        "dsml",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
        (_weather(days=3),),
        "",
    ),
    (
        "dsml",
        f'<｜｜DSML｜｜tool_calls>\n<｜｜DSML｜｜invoke name="get_weather">{A}</｜｜DSML｜｜invoke>\n</｜｜DSML｜｜tool_calls>',
        PARIS,
        "",
    ),
    ("harmony", f"<|channel|>analysis<|message|>Rome? {R}<|end|>" + _HARMONY.format(A), PARIS, ""),
    ("harmony", _HARMONY.format(A) + _HARMONY.format(B), ROME, ""),
    (
        "harmony",
        f"<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{A}<|call|>",
        PARIS,
        "",
    ),
    ("harmony", f"commentary to=functions.get_weather json{A}", PARIS, ""),
    ("harmony", f"<|channel|>commentary<|message|>I look.<|end|>{_HARMONY.format(A)}", PARIS, "I look."),
    ("harmony", f"analysisWe need the weather.assistantcommentary to=functions.get_weather json{A}", PARIS, ""),
    (
        "glm",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
        (_weather(days=3),),
        "",
    ),
    ("glm", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call>", PARIS, ""),
    ("glm", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value><|observation|>", PARIS, ""),
    (
        "glm",
        f"<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a.py</arg_value>\n<arg_key>content</arg_key>\n<arg_value>{CODE}</arg_value>\n</tool_call>",
        WRITTEN,
        "",
    ),
    ("glm", "<tool_call>get_time\n</tool_call>", NOW, ""),
    (
        "kimi",
        "<|tool_calls_section_begin|>" + _KIMI.format(0, A) + _KIMI.format(1, B) + "<|tool_calls_section_end|>",
        ROME,
        "",
    ),
    ("kimi", _KIMI.format(0, A), PARIS, ""),
    (
        "kimi",
        "◁think▷Rome◁/think▷I look.<|tool_calls_section_begin|>"
        + _KIMI.format(12, A)
        + "<|tool_calls_section_end|><|tool_calls_section_end|>",
        PARIS,
        "I look.",
    ),
    (
        "minimax",
        '<think>\nhm\n</think>\n\n<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="metric">true</parameter>\n</invoke>\n</minimax:tool_call>',
        (_weather(metric=True),),
        "",
    ),
    (
        "minimax",
        '<tool_calls>\n<invoke name="get_weather"><parameter name="city">Paris</parameter></invoke>\n<invoke name="get_weather"><parameter name="city">Rome</parameter></invoke>\n</tool_calls>',
        ROME,
        "",
    ),
    ("minimax", f"<tool_calls>\n{J}\n</tool_calls>", PARIS, ""),
    ("granite", f"<|tool_call|>[{J}]", PARIS, ""),
    ("granite", f"<tool_call>[{J}, {R}]</tool_call>", ROME, ""),
    ("phi 4", f"<|tool_call|>[{J}]<|/tool_call|>", PARIS, ""),
    ("phi 4", f"functools[{J}]", PARIS, ""),
    (
        "command a",
        '<|START_THINKING|>Rome?<|END_THINKING|><|START_ACTION|>[\n {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}\n]<|END_ACTION|>',
        PARIS,
        "",
    ),
    (
        "command r",
        'Action: ```json\n[\n {"tool_name": "get_weather", "parameters": {"city": "Paris"}}\n]```',
        PARIS,
        None,
    ),  # type: ignore[list-item]
    (
        "function gemma",
        "<start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>",
        PARIS,
        "",
    ),
    (
        "function gemma",
        "<start_function_call>call:get_weather{city:<escape>Paris<escape>,days:3,metric:true}<end_function_call><start_function_response>",
        (_weather(days=3, metric=True),),
        None,
    ),  # type: ignore[list-item]
    ("gemma 4", '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>', PARIS, ""),
    (
        "gemma 4",
        '<|channel>thought\nRome?\n<channel|><|tool_call>call:add_note{metadata:{note:null,reminder:true},tags:[<|"|>a, b<|"|>,<|"|>c}<|"|>],text:<|"|>x: {y}<|"|>}<tool_call|>',
        (Call("add_note", {"metadata": {"note": None, "reminder": True}, "tags": ["a, b", "c}"], "text": "x: {y}"}),),
        "",
    ),
    ("gemma 4", "<|tool_call>call:get_time{}<tool_call|>", NOW, ""),
    ("gemma 3", '```tool_code\nprint(get_weather(city="Paris"))\n```', PARIS, ""),
    ("gemma 3", '```python\n[get_weather(city="Paris"), get_weather(city="Rome")]\n```', ROME, ""),
    ("lfm2", '<|tool_call_start|>[get_weather(city="Paris")]<|tool_call_end|>', PARIS, ""),
    (
        "lfm2",
        '<|tool_call_start|>[add_note(text="x", metadata={"reminder": true, "note": null})]<|tool_call_end|>I note it.',
        META,
        "I note it.",
    ),
    ("olmo 3", '<function_calls>get_weather(city="Paris")\nget_weather(city="Rome")</function_calls>', ROME, ""),
    (
        "olmo 3",
        '<function_calls>add_note(text="x", metadata={"reminder": true, "note": null})</function_calls>',
        META,
        "",
    ),
    ("nemotron", f"<TOOLCALL>[{J}]</TOOLCALL>", PARIS, ""),
    ("internlm", f"<|action_start|><|plugin|>{J.replace('arguments', 'parameters')}<|action_end|>", PARIS, ""),
    (
        "apertus",
        f'<|inner_prefix|>Rome<|inner_suffix|><|tools_prefix|>[{{"get_weather": {A}}}]<|tools_suffix|>',
        PARIS,
        "",
    ),
    (
        "step 3",
        '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
        PARIS,
        "",
    ),
    (
        "anthropic",
        '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</function_calls>',
        PARIS,
        "",
    ),
    ("xlam", f"[{J}, {R}]", ROME, ""),
    ("bare json", J, PARIS, ""),
    ("bare json", f"```json\n{J}\n```", PARIS, ""),
    ("bare json", f"Sure:\n```json\n[{J}, {R}]\n```", ROME, "Sure:"),
    ("python", 'get_weather(city="Paris")', PARIS, ""),
    ("python", 'add_note(text="x", metadata={"reminder": true, "note": null})', META, ""),
]

BROKEN: list[tuple[str, str, str]] = [
    (
        "qwen coder",
        "<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n<parameter=content>\nx\n</function>\n</tool_call>",
        "parameter content is closed by </function>",
    ),
    (
        "qwen coder",
        "<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n<parameter=content>\nx = 1",
        "parameter content is cut",
    ),
    ("qwen coder", "<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n", "cut"),
    (
        "qwen coder",
        "<function=get_weather>\n<parameter=city>\nParis\n<parameter=days>\n3\n</parameter>\n</function>",
        "parameter city is closed by <parameter=days>",
    ),
    (
        "glm",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</tool_call>",
        "the value of city is closed by </tool_call>",
    ),
    ("glm", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n", "cut"),
    ("glm", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Par", "the value of city is cut"),
    ("hermes", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": 3', "cut"),
    ("hermes", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par', "cut"),
    ("mistral", '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris", "da', "are cut"),
    ("deepseek", '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Par', "are cut"),
    ("kimi", '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Par', "are cut"),
    (
        "kimi",
        '<|tool_call_begin|>tool_call_1<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|>',
        "no tool is named",
    ),
    (
        "harmony",
        '<|start|>assistant<|channel|>commentary to=functions.get_weather json<|message|>{"city": "Par',
        "are cut",
    ),
    ("gemma", '<|tool_call>call:get_weather{city:<|"|>Par', "are cut"),
    ("gemma", "<start_function_call>call:get_weather{city:<escape>Paris<end_function_call>", "cannot be read"),
    (
        "minimax",
        '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris',
        "parameter city is cut",
    ),
    ("lfm2", '<|tool_call_start|>[get_weather(city="Par', ""),
    ("bare json", '{"name": "get_weather", "arguments": {"city": "Paris", "days"', ""),
]
"""Family, text, and what the problem says: none of these is a call."""
