"""The one conversation form of embedded models as chat templates: Jinja for Hugging Face and llama.cpp, Go for Ollama.

    <|begin_of_text|> <|user|> request <|assistant|> reply <|eot_id|> … <|assistant|>

Where the tokenizer cannot spell (llama.cpp, Ollama), the template does: letter by letter, with spelling.py's marks. One
thing differs: capitals glued to a shorthand that begins with a letter count as followed by that letter.
System text is left out, as embedded models do. A special token's name inside a text is taken apart.
"""

from __future__ import annotations

import json
from string import ascii_lowercase, ascii_uppercase

from toolmend.models.builtin.spelling import CAPITAL, GLUED, GLUED_CAPITAL, GLUED_UPPER, UPPER, Spelling
from toolmend.models.builtin.tokens import SPECIAL

_, _BEGIN_NAME, _END_NAME, _USER_NAME, _ASSISTANT_NAME = SPECIAL
_RESERVED = "".join(map(chr, (*range(0x01, 0x09), *range(0x0E, 0x20))))  # without NUL, where texts in C end
_APART = "<\u200b|"


def jinja(spelling: Spelling | None = None) -> str:
    """The template; with a spelling one that spells, for tokenizers that cannot."""
    said = "spell(message['content'] or '')" if spelling else f"(message['content'] or '') | replace('<|', '{_APART}')"
    turns = (
        "{%- for message in messages -%}"
        f"{{%- if message['role'] == 'user' -%}}{{{{- '{_USER_NAME}' -}}}}{{{{- {said} -}}}}"
        f"{{%- elif message['role'] == 'assistant' -%}}{{{{- '{_ASSISTANT_NAME}' -}}}}{{{{- {said} -}}}}"
        f"{{{{- '{_END_NAME}' -}}}}{{%- endif -%}}"
        "{%- endfor -%}"
        f"{{%- if add_generation_prompt -%}}{{{{- '{_ASSISTANT_NAME}' -}}}}{{%- endif -%}}"
    )
    return f"{_jinja_spell(spelling) if spelling else ''}{{{{- '{_BEGIN_NAME}' -}}}}{turns}"


def _jinja_spell(spelling: Spelling) -> str:
    """A macro `spell`. `ns.p` is the letter before, `c` this one; a shorthand's letters are stepped over."""
    ordered = sorted(spelling.codes.items(), key=lambda item: len(item[1]), reverse=True)
    table = ", ".join(f"[{_quoted(text)}, '{code}', {len(text)}]" for code, text in ordered)
    return (
        f"{{%- set shorts = [{table}] -%}}"
        f"{{%- set upper = '{ascii_uppercase}' -%}}{{%- set lower = '{ascii_lowercase}' -%}}"
        "{%- macro spell(text) -%}"
        f"{{%- set t = text | replace('<|', '{_APART}') -%}}"
        "{%- set first = t[0:1] -%}"
        "{%- set ns = namespace(p=' ', skip=0, code='') -%}"
        "{%- for s in shorts -%}{%- if t[0:s[2]] == s[0] -%}{%- set ns.code = s[1] -%}{%- endif -%}{%- endfor -%}"
        "{%- if not ns.code and first and (first in upper or first in lower or first == ' ') -%}"
        "{%- set t = ' ' + t -%}{%- endif -%}"
        "{%- for i in range(t | length) -%}{%- if i >= ns.skip -%}"
        "{%- set c = t[i:i+1] -%}{%- set ns.code = '' -%}"
        "{%- for s in shorts -%}{%- if not ns.code and c == s[0][0:1] and t[i:i+s[2]] == s[0] -%}"
        "{%- set ns.code = s[1] -%}{%- set ns.skip = i + s[2] -%}{%- endif -%}{%- endfor -%}"
        "{%- set n = t[i+1:i+2] -%}"
        "{%- if ns.code -%}{{- ns.code -}}{%- set ns.p = '.' -%}"
        "{%- elif c == ' ' -%}"
        f"{{%- if n and n in upper -%}}{_jinja_loud('i + 1', UPPER, CAPITAL)}{{%- endif -%}}{{{{- ' ' -}}}}"
        "{%- elif c in upper -%}"
        "{%- if ns.p in upper -%}"
        f"{{%- if n and n in lower -%}}{{{{- '{GLUED_CAPITAL} ' -}}}}{{%- endif -%}}"
        "{%- elif ns.p != ' ' -%}"
        f"{_jinja_loud('i', GLUED_UPPER, GLUED_CAPITAL)}{{{{- ' ' -}}}}{{%- endif -%}}"
        "{{- c | lower -}}"
        "{%- elif c in lower -%}"
        f"{{%- if ns.p != ' ' and ns.p not in lower and ns.p not in upper -%}}{{{{- '{GLUED} ' -}}}}{{%- endif -%}}"
        "{{- c -}}"
        f"{{%- elif c in '{_RESERVED}' -%}}{{{{- '\ufffd' -}}}}"
        "{%- else -%}{{- c -}}{%- endif -%}"
        "{%- if not ns.code -%}{%- set ns.p = c -%}{%- endif -%}"
        "{%- endif -%}{%- endfor -%}{%- endmacro -%}"
    )


def _jinja_loud(at: str, loud: str, quiet: str) -> str:
    """One mark or the other: whether the piece that begins at `at` is in capitals."""
    return (
        f"{{%- set a = t[{at}+1:{at}+2] -%}}{{%- set b = t[{at}+2:{at}+3] -%}}"
        f"{{%- if a and a in upper and not (b and b in lower) -%}}{{{{- '{loud}' -}}}}"
        f"{{%- else -%}}{{{{- '{quiet}' -}}}}{{%- endif -%}}"
    )


def _quoted(text: str) -> str:
    """A Jinja literal."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def go(spelling: Spelling) -> str:
    """The template for Ollama's Modelfile, in Go's text/template. `spell` calls itself: its text begins with the letter
    before, which is not written."""
    turns = (
        '{{- range .Messages }}{{- if eq .Role "user" }}'
        f'{_USER_NAME}{{{{ template "begin" .Content }}}}'
        '{{- else if eq .Role "assistant" }}'
        f'{_ASSISTANT_NAME}{{{{ template "begin" .Content }}}}{_END_NAME}'
        f"{{{{- end }}}}{{{{- end }}}}{_ASSISTANT_NAME}"
    )
    return f"{_go_begin(spelling)}{_go_spell(spelling)}{turns}"


def _go_begin(spelling: Spelling) -> str:
    short = " ".join(
        f"(and (ge (len .) {size}) (eq (slice . 0 {size}) {json.dumps(text)}))"
        for text in spelling.shorthands
        if (size := len(text.encode()))
    )
    return (
        '{{- define "begin" }}{{- if . }}{{- $c := slice . 0 1 }}'
        f'{{{{- if or false {short} }}}}{{{{- template "spell" (printf ".%s" .) }}}}'
        f'{{{{- else if or (eq $c " ") {_go_between("$c", "A", "Z")} {_go_between("$c", "a", "z")} }}}}'
        '{{- template "spell" (printf ".%s%s" " " .) }}{{- else }}{{- template "spell" (printf ".%s" .) }}{{- end }}'
        "{{- end }}{{- end }}"
    )


def _go_spell(spelling: Spelling) -> str:
    ordered = sorted(spelling.codes.items(), key=lambda item: len(item[1]), reverse=True)
    shorts = "".join(
        f"{{{{- else if and (ge (len .) {1 + len(text.encode())}) (eq (slice . 1 {1 + len(text.encode())}) "
        f'{json.dumps(text)}) }}}}{{{{ "{_go(code)}" }}}}'
        f'{{{{- template "spell" (printf ".%s" (slice . {1 + len(text.encode())})) }}}}'
        for code, text in ordered
    )
    upper, lower = _go_between("$c", "A", "Z"), _go_between("$c", "a", "z")
    was_upper, was_lower = _go_between("$p", "A", "Z"), _go_between("$p", "a", "z")
    following = _go_between("$n", "A", "Z"), _go_between("$n", "a", "z")
    return (
        '{{- define "spell" }}{{- if gt (len .) 1 }}'
        '{{- $p := slice . 0 1 }}{{- $c := slice . 1 2 }}{{- $n := "" }}{{- $m := "" }}{{- $o := "" }}'
        "{{- if gt (len .) 2 }}{{- $n = slice . 2 3 }}{{- end }}{{- if gt (len .) 3 }}{{- $m = slice . 3 4 }}{{- end }}"
        "{{- if gt (len .) 4 }}{{- $o = slice . 4 5 }}{{- end }}"
        f'{{{{- if and (eq $c "<") (eq $n "|") }}}}{_APART[:-1]}{{{{- template "spell" (slice . 1) }}}}'
        f"{shorts}"
        "{{- else }}"
        '{{- if eq $c " " }}'
        f"{{{{- if {following[0]} }}}}{_go_loud('$m', '$o', UPPER, CAPITAL)}{{{{- end }}}}{{{{ $c }}}}"
        f"{{{{- else if {upper} }}}}"
        f'{{{{- if {was_upper} }}}}{{{{- if {following[1]} }}}}{{{{ "{_go(GLUED_CAPITAL)} " }}}}{{{{- end }}}}'
        f'{{{{- else if ne $p " " }}}}{_go_loud("$n", "$m", GLUED_UPPER, GLUED_CAPITAL)}{{{{ " " }}}}{{{{- end }}}}'
        f"{_go_lower()}"
        f'{{{{- else if {lower} }}}}{{{{- if not (or (eq $p " ") {was_upper} {was_lower}) }}}}'
        f'{{{{ "{_go(GLUED)} " }}}}{{{{- end }}}}{{{{ $c }}}}'
        f"{{{{- else if or {_go_between('$c', _go(chr(1)), _go(chr(8)))} "
        f'{_go_between("$c", _go(chr(0x0E)), _go(chr(0x1F)))} }}}}{{{{ "\ufffd" }}}}'
        "{{- else }}{{ $c }}{{- end }}"
        '{{- template "spell" (slice . 1) }}'
        "{{- end }}{{- end }}{{- end }}"
    )


def _go_loud(second: str, third: str, loud: str, quiet: str) -> str:
    """One mark or the other, by the piece's second letter and the one behind it."""
    capital, small = _go_between(second, "A", "Z"), _go_between(third, "a", "z")
    return (
        f'{{{{- if and {capital} (not {small}) }}}}{{{{ "{_go(loud)}" }}}}'
        f'{{{{- else }}}}{{{{ "{_go(quiet)}" }}}}{{{{- end }}}}'
    )


def _go_lower() -> str:
    first, *others = zip(ascii_uppercase, ascii_lowercase, strict=True)
    cases = "".join(f'{{{{- else if eq $c "{upper}" }}}}{lower}' for upper, lower in others)
    return f'{{{{- if eq $c "{first[0]}" }}}}{first[1]}{cases}{{{{- end }}}}'


def _go_between(what: str, low: str, high: str) -> str:
    return f'(and (ge {what} "{low}") (le {what} "{high}"))'


def _go(mark: str) -> str:
    """A control character in a Go literal."""
    return f"\\x{ord(mark):02x}"
