"""Which addresses may be reached: public ones alone, whatever they are wrapped in, and the very numbers checked."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.extras.knowledge.fetch.guard import AddressGuard, FetchRefused, Hop, is_public, web_url

PUBLIC = "93.184.216.34"


def hop(url: str, *numbers: str, allow: Sequence[str] = ()) -> Hop:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return numbers

    return anyio.run(AddressGuard(allow, resolve).hop, web_url(url))


def refusal(url: str, *numbers: str, allow: Sequence[str] = ()) -> str:
    with pytest.raises(FetchRefused) as caught:
        hop(url, *numbers, allow=allow)
    return caught.value.name


def test_a_public_host_is_let_through_with_its_number() -> None:
    found = hop("https://www.example.org/a?b=c#d", PUBLIC)
    assert (found.host, found.port, found.numbers) == ("www.example.org", 443, (PUBLIC,))
    assert (found.origin, found.target) == ("https://www.example.org", "/a?b=c")


@pytest.mark.parametrize(
    "number",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",  # metadata
        "192.0.0.192",  # metadata, too
        "::ffff:192.0.0.192",
        "100.100.100.200",  # metadata, and CGNAT
        "168.63.129.16",  # a cloud's own, public by number
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "198.18.0.1",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fd00:ec2::254",  # metadata
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "2001:0:7f00:1::",  # Teredo
        "3fff::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "2002:7f00:1::",  # 6to4 of 127.0.0.1
        "2002:a00:1::",
        "64:ff9b::7f00:1",  # NAT64 of 127.0.0.1
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "no number",
    ],
)
def test_a_name_that_stands_for_a_number_inside_is_refused(number: str) -> None:
    assert refusal("https://example.org/", number) == "private_address"


@pytest.mark.parametrize("number", [PUBLIC, "2606:2800:220:1::1", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"])
def test_public_numbers(number: str) -> None:
    assert hop("https://example.org/", number).numbers == (number,)


def test_one_number_inside_among_public_ones_is_enough() -> None:
    assert refusal("https://example.org/", PUBLIC, "10.0.0.1") == "private_address"


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "2130706433", "0x7f.1", "127.1", "[::1]", "[::1%25eth0]",
             "printer.local", "db.internal", "intranet", "127。0。0。1", "LOCALHOST.", "metadata.google.internal"],
)  # fmt: skip
def test_a_host_inside_is_not_even_looked_up(host: str) -> None:
    assert refusal(f"http://{host}/", PUBLIC) == "private_address"


@pytest.mark.parametrize(
    "url",
    ["ftp://example.org/", "file:///etc/passwd", "https:///x", "http://a\0b/", "http://0177.0.0.1/", "https://u:p@example.org/",
     "https://example.org\\@127.0.0.1/", "https://example.org:22/", "http://example.org:8080/", "//example.org", ""],
)  # fmt: skip
def test_what_is_no_address_of_the_web(url: str) -> None:
    assert refusal(url, PUBLIC) == "not_web"


def test_a_name_without_a_number() -> None:
    assert refusal("https://example.org/") == "unreachable"


def test_nothing_inside_is_allowed_by_default() -> None:
    assert refusal("http://127.0.0.1:8000/", "127.0.0.1") == "private_address"
    assert hop("http://127.0.0.1:8000/", "127.0.0.1", allow=["127.0.0.1"]).numbers == ("127.0.0.1",)


def test_what_is_allowed_is_allowed_alone() -> None:
    assert hop("http://wiki:8000/", "10.0.0.7", allow=["wiki"]).numbers == ("10.0.0.7",)
    assert hop("http://[::1]:8000/", "::1", allow=["[::1]"]).numbers == ("::1",)
    assert refusal("http://wiki2/", "10.0.0.7", allow=["wiki"]) == "private_address"
    assert refusal("http://example.org/", "127.0.0.1", "10.0.0.1", allow=["127.0.0.1"]) == "private_address"


NUMBERS4 = st.one_of(
    st.ip_addresses(v=4),
    *(st.ip_addresses(network=each) for each in ("10.0.0.0/8", "127.0.0.0/8", "100.64.0.0/10", "224.0.0.0/4")),
)
WRAPPED = [
    lambda four: ipaddress.IPv6Address((0xFFFF << 32) | int(four)),
    lambda four: ipaddress.IPv6Address((0x2002 << 112) | (int(four) << 80)),
    lambda four: ipaddress.IPv6Address((0x64_FF9B << 96) | int(four)),
]


@given(NUMBERS4)
def test_what_is_public_is_global_to_the_standard_library(four: ipaddress.IPv4Address) -> None:
    if is_public(str(four)):
        assert four.is_global and not four.is_multicast
    elif four.is_global:
        apart = four.is_multicast or four.is_reserved or str(four) == "168.63.129.16"
        assert apart or str(four).startswith(("192.88.99.", "192.0.0."))


@given(NUMBERS4, st.sampled_from(WRAPPED))
def test_a_number_is_what_it_is_in_any_wrapping(four: ipaddress.IPv4Address, wrap) -> None:
    assert is_public(str(wrap(four))) == is_public(str(four))


@given(st.ip_addresses(v=6))
def test_no_other_ipv6_is_public_unless_it_is_global_unicast(six: ipaddress.IPv6Address) -> None:
    if is_public(str(six)) and six.sixtofour is None and six.ipv4_mapped is None:
        assert six.is_global and (int(six) >> 125 == 1 or six in ipaddress.ip_network("64:ff9b::/96"))


@given(st.text(max_size=40))
def test_any_text_is_no_number_or_one_of_python(text: str) -> None:
    if is_public(text):
        assert ipaddress.ip_address(text)


@given(st.one_of(st.text(max_size=60), st.text(max_size=40).map(lambda text: f"http://{text}")))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        assert isinstance(web_url(text), httpx2.URL)
    except FetchRefused as refused:
        assert refused.name == "not_web"
