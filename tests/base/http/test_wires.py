"""Connections on asyncio's transports: bytes both ways, time limits, servers that hang up, TLS."""

from __future__ import annotations

import asyncio
import datetime as dt
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpcore2
import httpx2
import pytest

from toolmend.base.http.wires import Wires, WireStream, use_wires

Serving = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(serve: Serving, given: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A server's port; its talks are over at the end."""
    talks: list[asyncio.Task[None]] = []

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await serve(reader, writer)
        writer.close()

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.append(asyncio.create_task(one(reader, writer)))

    async with await asyncio.start_server(begin, "127.0.0.1", 0, ssl=given) as server:
        yield server.sockets[0].getsockname()[1]
    await asyncio.gather(*talks, return_exceptions=True)


def talk(serve: Serving, ask: Callable[[httpcore2.AsyncNetworkStream], Awaitable[None]]) -> None:
    """A server and one connection to it."""

    async def main() -> None:
        async with listening(serve) as port:
            stream = await Wires().connect_tcp("127.0.0.1", port, 5)
            try:
                await ask(stream)
            finally:
                await stream.aclose()

    asyncio.run(main())


def serving_tls(folder: Path) -> ssl.SSLContext:
    """What a server at "localhost" shows, by a certificate of its own in `both.pem`."""
    pytest.importorskip("cryptography")
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name.from_rfc4514_string("CN=localhost")
    begin, end = dt.datetime(2020, 1, 1), dt.datetime(2120, 1, 1)
    draft = x509.CertificateBuilder(name, name, key.public_key(), 1, begin, end)
    signed = draft.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False).sign(
        key, hashes.SHA256()
    )
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    (folder / "both.pem").write_bytes(key.private_bytes(pem, *plain) + signed.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "both.pem")
    return context


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()


async def silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def goodbye(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"bye")


def test_a_megabyte_comes_back_in_order() -> None:
    sent = bytes(range(256)) * 4096

    async def ask(stream: httpcore2.AsyncNetworkStream) -> None:
        writing = asyncio.create_task(stream.write(sent, 5))
        came = b""
        while len(came) < len(sent):
            came += await stream.read(70_000, 5)
        await writing
        assert came == sent

    talk(echo, ask)


def test_silence_is_a_read_timeout_and_the_connection_lives_on() -> None:
    async def ask(stream: httpcore2.AsyncNetworkStream) -> None:
        with pytest.raises(httpcore2.ReadTimeout):
            await stream.read(10, 0.01)
        assert not stream.get_extra_info("is_readable")

    talk(silence, ask)


def test_the_end_is_empty_bytes_after_what_was_said() -> None:
    async def ask(stream: httpcore2.AsyncNetworkStream) -> None:
        assert [await stream.read(2, 5), await stream.read(2, 5), await stream.read(2, 5)] == [b"by", b"e", b""]
        assert stream.get_extra_info("is_readable")

    talk(goodbye, ask)


def test_writing_where_nobody_listens_any_more_is_a_write_error() -> None:
    async def ask(stream: httpcore2.AsyncNetworkStream) -> None:
        await stream.aclose()
        with pytest.raises(httpcore2.WriteError):
            await stream.write(b"hello", 5)

    talk(silence, ask)


def test_a_port_where_nobody_listens_is_a_connect_error() -> None:
    async def main() -> None:
        with pytest.raises(httpcore2.ConnectError):
            await Wires().connect_tcp("127.0.0.1", 9, 5)

    asyncio.run(main())


def test_under_tls_the_same_bytes_come(tmp_path: Path) -> None:
    given = serving_tls(tmp_path)
    trusted = ssl.create_default_context(cafile=tmp_path / "both.pem")

    async def main() -> None:
        async with listening(echo, given) as port:
            plain = await Wires().connect_tcp("127.0.0.1", port, 5)
            stream = await plain.start_tls(trusted, "localhost", 5)
            await stream.write(b"hello", 5)
            assert await stream.read(10, 5) == b"hello"
            assert stream.get_extra_info("ssl_object") is not None
            await stream.aclose()

    asyncio.run(main())


def test_an_untrusted_certificate_is_a_connect_error(tmp_path: Path) -> None:
    given = serving_tls(tmp_path)

    async def main() -> None:
        async with listening(echo, given) as port:
            plain = await Wires().connect_tcp("127.0.0.1", port, 5)
            with pytest.raises(httpcore2.ConnectError, match="certificate"):
                await plain.start_tls(ssl.create_default_context(), "localhost", 5)

    asyncio.run(main())


def test_httpx2_takes_them() -> None:
    """Guards the one place that reaches into httpx2: where that changes, this fails and speed alone is lost."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        await writer.drain()

    async def main() -> None:
        async with listening(serve) as port, httpx2.AsyncClient() as client:
            use_wires(client)
            async with client.stream("GET", f"http://127.0.0.1:{port}") as response:
                assert isinstance(response.extensions["network_stream"], WireStream)
                assert await response.aread() == b"hi"

    asyncio.run(main())


def test_what_is_written_before_something_is_read_goes_out_as_one() -> None:
    came: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await reader.read(100))
        writer.write(b"there")

    async def ask(stream: httpcore2.AsyncNetworkStream) -> None:
        await stream.write(b"head ")
        await asyncio.sleep(0)
        await stream.write(b"body")
        assert await stream.read(100, timeout=5) == b"there"

    talk(serve, ask)
    assert came == [b"head body"]
