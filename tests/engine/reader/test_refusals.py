"""Files that cannot be read say which, why, and what to try; nothing is left behind."""

import gzip
import os
import random
from pathlib import Path

import pytest

from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.table import ReadOptions
from tabchat.errors import InputError
from tests.engine.reader.conftest import Reader
from tests.seals import SEAL

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


def zstd_cut_off() -> bytes:
    import zstandard

    raw = "".join(f"{random.Random(i).random()},2\n" for i in range(3000))  # noqa: S311 - filler
    return zstandard.compress(f"a,b\n{raw}".encode())[:-100]


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("empty.csv", b"", r"'.*empty.csv' is empty \(0 bytes\)"),
        ("blank.csv", b"\n \n", "'blank.csv' holds no records"),
        ("noise.csv", random.Random(1).randbytes(5000), "is binary data"),  # noqa: S311 - filler
        ("page.csv", b"<!DOCTYPE html><html>", "is a web page"),
        ("paper.csv", b"%PDF-1.4", "is a PDF document"),
        ("base.csv", b"SQLite format 3\x00", "is a SQLite database"),
        ("pack.csv", b"PK\x03\x04", "is a zip archive"),
        ("cut.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 50_000)[:-20], "damaged or cut off: gzip says"),
        ("cut.csv.zst", zstd_cut_off(), "damaged or cut off: zstd says the last frame is incomplete"),
        ("bad.csv.zst", b"\x28\xb5\x2f\xfd" + bytes(range(200)), "damaged or cut off: zstd says"),
        ("bad.parquet", b"PAR1garbage", "cannot be read as parquet"),
        ("bad.arrow", b"ARROW1garbage", "cannot be read as Arrow data"),
        ("bad.feather", b"FEA1garbage", "cannot be read as Arrow data"),
        ("bad.xlsx", b"PK\x03\x04garbage", "cannot be read as a workbook"),
        ("bad.xls", OLE, "cannot be read as a workbook"),
        ("locked.xlsx", OLE + "EncryptedPackage".encode("utf-16-le"), "is protected by a password"),
        ("cut.json", b'[{"a":1},{"a":2', "'cut.json' is not valid JSON at record 2"),
        ("cut.jsonl", b'{"a":1}\n{"a":\n', "'cut.jsonl' is not valid JSON at record 2"),
        ("odd.json", b'[{"a":1} {"a":2}]', "a comma or a closing bracket is missing"),
        ("tail.json", b'[{"a":1}] x', "something follows the end of the array"),
        ("none.json", b"[]", "'none.json' holds no records"),
        ("deep.json", b"[" * 100_000, "not valid JSON"),
    ],
)
def test_unreadable_content(reader: Reader, name: str, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        reader.open(reader.write(content, name))
    assert caught.value.hint
    assert list(reader.cache.directory.glob("*")) == []


@pytest.mark.parametrize("address", ["https://example.com/a.csv", "http://h/a.csv?raw=1", "s3://b/*.parquet"])
def test_an_address_is_told_from_a_file_that_is_missing(reader: Reader, address: str) -> None:
    with pytest.raises(InputError) as caught:
        reader.open(Path(address))
    assert caught.value.message == f"'{address}' is an address, and only files of this machine are read."


def test_a_missing_file_names_its_neighbours(reader: Reader) -> None:
    path = reader.write("a,b\n1,2\n", "sales.csv")
    with pytest.raises(InputError, match="There is no file") as caught:
        reader.open(path.with_name("sale.csv"))
    assert caught.value.hint == "Did you mean 'sales.csv'?"
    with pytest.raises(InputError) as caught:
        reader.open(reader.folder / "no folder" / "x.csv")
    assert "does not exist" in str(caught.value.hint)
    with pytest.raises(InputError) as caught:
        reader.open(reader.folder / "zzzzzzzz")
    assert caught.value.hint == "Check the path with ls."
    with pytest.raises(InputError, match="cannot be read"):
        reader.open(Path("a\0b"))


def test_a_folder_lists_its_tables(reader: Reader) -> None:
    with pytest.raises(InputError, match="is a folder") as caught:
        reader.open(reader.folder)
    assert caught.value.hint == "Name a file, or a folder of Parquet files."
    reader.write("a,b\n1,2\n", "sales.csv")
    with pytest.raises(InputError) as caught:
        reader.open(reader.folder)
    assert caught.value.hint == "Name a file in it: 'sales.csv'."


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(reader: Reader) -> None:
    path = reader.write("a,b\n1,2\n")
    path.chmod(0)
    with pytest.raises(InputError, match="permission denied"):
        reader.open(path)


def test_permission_errors_are_translated(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    path = reader.write("a,b\n1,2\n")

    def refuse(path: Path, flags: int) -> None:
        raise PermissionError(13, "Permission denied")

    # Python 3.13 opens folders while it removes them, which is what happens behind a test.
    with monkeypatch.context() as refused:
        refused.setattr(os, "open", refuse)
        with pytest.raises(InputError, match="permission denied") as caught:
            reader.open(path)
    assert "chmod" in str(caught.value.hint)


def test_wrong_options(reader: Reader) -> None:
    path = reader.write("city,n\nKyiv,1\n")
    with pytest.raises(InputError, match="no column 'ciy'") as caught:
        reader.open(path, types=(("ciy", "text"),))
    assert caught.value.hint == "Columns: city."
    with pytest.raises(InputError, match="Unknown type 'txt'"):
        reader.open(path, types=(("city", "txt"),))
    with pytest.raises(InputError, match="Unknown input format 'xml'"):
        reader.open(path, input_format="xml")
    with pytest.raises(InputError, match="not valid JSON"):
        reader.open(path, input_format="json")
    with pytest.raises(InputError, match="cannot be read as parquet"):
        reader.open(path, input_format="parquet")


def test_an_unusable_cache_folder(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("x")
    source = tmp_path / "t.csv"
    source.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"cache folder .* cannot be used"):
        open_table(source, options=ReadOptions(), cache=TableCache(blocker / "cache", 1 << 20, seal=SEAL))
