"""A user's CSV file: types, labels, missing cells, and every way it can be wrong."""

import csv
import gzip
import io

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aslant.datasets import DatasetError, read_csv
from aslant.encoding.written import MISSING


@pytest.fixture
def write(tmp_path):
    """Write text (or bytes) to a file and return its path."""

    def write_file(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def test_numeric_file(write):
    bunch = read_csv(write("a,b,class\n1,2.5,x\n-3,1e2,y\n"), target="class")
    assert bunch.data.dtype == np.float64
    assert bunch.data.tolist() == [[1, 2.5], [-3, 100]]
    assert bunch.target.tolist() == ["x", "y"]
    assert bunch.feature_names == ["a", "b"]
    assert bunch.categorical.tolist() == [False, False]
    assert bunch.name == "data"
    assert "2 rows" in bunch.DESCR


def test_mixed_file_becomes_a_frame_with_categories(write):
    bunch = read_csv(write("n,c,class\n1,red,0\n,blue,1\n3,?,0\n"), target="class")
    assert bunch.categorical.tolist() == [False, True]
    assert bunch.data.schema == {"n": pl.Float64, "c": pl.String}
    assert bunch.data["n"].to_list() == [1.0, None, 3.0]
    assert bunch.data["c"].to_list() == ["red", "blue", None]


@pytest.mark.parametrize("cell", sorted(MISSING))
def test_missing_cells(write, cell):
    bunch = read_csv(write(f"a,b\n1,2\n{cell},3\n"))
    assert np.isnan(bunch.data[1, 0])
    assert not np.isnan(bunch.data[0]).any()


def test_column_without_any_value_is_numeric(write):
    bunch = read_csv(write("a,b\n?,1\n?,2\n"))
    assert np.isnan(bunch.data[:, 0]).all()


def test_digit_groups_are_not_numbers(write):
    assert read_csv(write("a\n1_000\n2\n")).categorical.tolist() == [True]


def test_declared_categories(write):
    path = write("code,x,class\n1,5,a\n2,6,b\n")
    bunch = read_csv(path, target="class", categorical=["code"])
    assert bunch.categorical.tolist() == [True, False]
    assert bunch.data["code"].to_list() == ["1", "2"]
    assert read_csv(path, target="class", categorical="code").categorical.tolist() == [True, False]


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (["1", "-2", "0"], [1, -2, 0]),
        (["01", "1", "2"], ["01", "1", "2"]),
        (["+1", "-1", "-1"], ["+1", "-1", "-1"]),
        (["1.0", "2.0", "1.0"], ["1.0", "2.0", "1.0"]),
        (["1", "b", "1"], ["1", "b", "1"]),
        (["9" * 30, "1", "1"], ["9" * 30, "1", "1"]),
    ],
)
def test_labels_are_integers_only_if_written_so(write, cells, labels):
    path = write("x,y\n" + "".join(f"0,{cell}\n" for cell in cells))
    target = read_csv(path, target="y").target
    assert target.tolist() == labels
    assert target.dtype.kind == ("i" if isinstance(labels[0], int) else "U")


def test_without_target_every_column_is_a_feature(write):
    bunch = read_csv(write("a,class\n1,2\n"))
    assert bunch.target is None
    assert bunch.feature_names == ["a", "class"]


def test_blanks_blank_lines_quotes_and_byte_order_mark(write):
    bunch = read_csv(write('\ufeff a , "b, c"\r\n\r\n 1 , " x ""y"" "\r\n'))
    assert bunch.feature_names == ["a", "b, c"]
    assert bunch.data["a"].to_list() == [1.0]
    assert bunch.data["b, c"].to_list() == ['x "y"']


@pytest.mark.parametrize("name", ["data.csv.gz", "data.csv"])
def test_gzip_is_known_by_its_content(write, name):
    bunch = read_csv(write(gzip.compress(b"a,b\n1,2\n"), name))
    assert bunch.data.tolist() == [[1, 2]]
    assert bunch.name == "data"


BAD_FILES = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \n\n", "the file is empty"),
    "no rows": (b"a,b\n", "a header but no rows"),
    "neither UTF-8 nor Windows": (b"a,b\n1,\xc3\x28\x81\n", "not UTF-8 text; its encoding"),
    "utf-16 without its mark": ("a,b\n1,2\n".encode("utf-16-le"), "the file is binary"),
    "binary": (b"a,b\n1,\x00\n", "the file is binary"),
    "short row": (b"a,b\n1,2\n\n3\n", "line 4 has 1 cell, but the header has 2"),
    "long row": (b"a,b\n1,2,3\n", "line 2 has 3 cells, but the header has 2"),
    "same names": (b"a,b,a\n1,2,3\n", "two columns have the same name 'a'"),
    "nameless": (b",a\n0,1\n", "column 1 has no name"),
    "text after a quote": (b'a,b\n"x"y,1\n', "line 2 is not valid CSV"),
    "open quote": (b'a,b\n1,"2\n', "line 2 is not valid CSV"),
    "semicolons": (b"a;b\n1;2\n3\n", "separated by semicolons, but not every line"),
    "tabs": (b"a\tb\n1\t2\n3\n", "separated by tabs, but not every line"),
    "infinite": (b"a,b\n1,2\n-inf,3\n", "row 2 holds the infinite value '-inf'.*'a'"),
    "overflow": (b"a,b\n1e999,2\n", "row 1 holds the infinite value '1e999'"),
    "cut gzip": (gzip.compress(b"a,b\n1,2\n")[:-9], "gzip file is damaged"),
    "bad gzip": (b"\x1f\x8bnot really", "gzip file is damaged"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_file_is_named_in_one_sentence(write, case):
    content, message = BAD_FILES[case]
    path = write(content)
    with pytest.raises(DatasetError, match=message) as caught:
        read_csv(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_file_missing_and_folder(tmp_path):
    with pytest.raises(DatasetError, match="there is no such file"):
        read_csv(tmp_path / "none.csv")
    with pytest.raises(DatasetError, match="this is a folder"):
        read_csv(tmp_path)
    with pytest.raises(DatasetError, match="cannot be read"):
        read_csv("a\0b")


def test_unreadable_file(write, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    path = write("a\n1\n")
    monkeypatch.setattr("aslant.datasets.text_file._raw_chunks", refuse)
    with pytest.raises(DatasetError, match=r"cannot be read \(Permission denied\)"):
        read_csv(path)


def test_bad_columns(write):
    path = write("width,height,species\n1,2,a\n3,4,\n")
    with pytest.raises(DatasetError, match="no target column 'specis'; did you mean 'species'"):
        read_csv(path, target="specis")
    with pytest.raises(DatasetError, match=r"'zzz' \(columns: width, height, species\)"):
        read_csv(path, target="zzz")
    with pytest.raises(DatasetError, match="row 2 has no value in the target column 'species'"):
        read_csv(path, target="species")
    with pytest.raises(DatasetError, match=r"'heigth' was declared categorical.*'height'"):
        read_csv(path, categorical=["heigth"])
    with pytest.raises(DatasetError, match="no column beside the target 'y'"):
        read_csv(write("y\n1\n"), target="y")


# A header that is a single name with a semicolon reads as a separator mistake, and a byte-order
# mark at the start of a file belongs to the encoding.
# polars' blanks are those of Unicode, Python's also four separators of ASCII.
ODD = "\0\x1c\x1d\x1e\x1f"
names = st.text(st.characters(codec="utf-8", exclude_characters=ODD + ";\t\ufeff"), min_size=1)
texts = st.text(st.characters(codec="utf-8", exclude_characters=ODD))
numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def written_tables(draw):
    """Column names, and for each column either numbers (None = missing) or text."""
    header = draw(st.lists(names.map(str.strip).filter(bool), min_size=1, max_size=4, unique=True))
    n_rows = draw(st.integers(1, 6))
    kinds = [draw(st.sampled_from([numbers, texts])) for _ in header]
    cells = [draw(st.lists(kind, min_size=n_rows, max_size=n_rows)) for kind in kinds]
    return {
        name: (kind is texts, column)
        for name, kind, column in zip(header, kinds, cells, strict=True)
    }


@settings(
    derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(table=written_tables(), compress=st.booleans())
def test_a_written_table_is_read_back(tmp_path, table, compress):
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(table)
    for row in zip(*(column for _, column in table.values()), strict=True):
        writer.writerow(["" if cell is None else cell for cell in row])
    content = text.getvalue().encode()
    path = tmp_path / "table.csv"
    path.write_bytes(gzip.compress(content) if compress else content)

    bunch = read_csv(path, categorical=[name for name, (is_text, _) in table.items() if is_text])

    assert bunch.feature_names == list(table)
    assert bunch.categorical.tolist() == [is_text for is_text, _ in table.values()]
    for position, (name, (is_text, column)) in enumerate(table.items()):
        read = bunch.data[name] if bunch.categorical.any() else bunch.data[:, position]
        if is_text:
            stripped = [cell.strip() for cell in column]
            expected = [None if cell in MISSING else cell for cell in stripped]
            assert read.to_list() == expected
        else:
            np.testing.assert_array_equal(
                np.array(read, dtype=float), np.array(column, dtype=float)
            )
