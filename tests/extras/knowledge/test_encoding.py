"""Bytes to text as browsers and people expect it. The texts are this file's own."""

from __future__ import annotations

import pytest

from toolmend.extras.knowledge.encoding import decode

SHORT = [
    "Café – naïve", "“Quoted” – it’s", "Preis: 5 €", "Müller & Söhne", "El niño comió", "Größe: 12 µm",
    "façade — déjà vu", "l’été à Nîmes", "Über uns", "São Paulo", "Smörgåsbord, ångström", "naïve coöperation",
    "¿Qué hora es?", "Señor Núñez", "Æbleskiver på øen", "Garçon ! L’œuf", "10 °C – 20 °C", "© 2019 Åse",
]  # fmt: skip


@pytest.mark.parametrize("text", SHORT)
def test_a_short_text_of_western_europe(text: str) -> None:
    pytest.importorskip("charset_normalizer")
    assert decode(text.encode("cp1252")) == (text, "cp1252")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Zażółć gęślą jaźń", "cp1250"),
        ("Příliš žluťoučký kůň", "cp1250"),
        ("Привет, мир", "cp1251"),
        ("Καλημέρα κόσμε", "cp1253"),
        ("今日は良い天気です。散歩に行きましょう。", "euc_jp"),
        ("今日は良い天気です。散歩に行きましょう。", "cp932"),
        ("今天天气很好，我们去散步吧。", "gb18030"),
        ("오늘은 날씨가 좋아서 산책을 갑니다.", "cp949"),
    ],
)
def test_a_short_text_of_elsewhere(text: str, encoding: str) -> None:
    pytest.importorskip("charset_normalizer")
    assert decode(text.encode(encoding))[0] == text


@pytest.mark.parametrize(
    ("text", "written", "declared"),
    [
        ("汉字镕", "gbk", "gb2312"),
        ("①髙﨑", "cp932", "shift_jis"),
        ("똠방각하", "cp949", "euc-kr"),
        ("ก“ข”", "cp874", "tis-620"),
        ("“İstanbul”", "cp1254", "iso-8859-9"),
        ("it’s", "cp1252", "iso-8859-1"),
    ],
)
def test_what_is_declared_is_what_browsers_read(text: str, written: str, declared: str) -> None:
    assert decode(text.encode(written), f"text/html; charset={declared}")[0] == text
