"""A file is there whole or not at all, whatever goes wrong."""

import errno
import os
import stat

import pytest

from aslant.utils.atomic_file import write_atomically

CONTENT = b"x" * 10_000

posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files or permissions")


def failing(error):
    def fail(*_args, **_kwargs):
        raise error

    return fail


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "model.aslant"
    path.write_bytes(b"old")
    return path


def assert_untouched(target):
    assert target.read_bytes() == b"old"
    assert list(target.parent.iterdir()) == [target]


def test_writes_new_files_and_replaces_old_ones(tmp_path):
    path = tmp_path / "model.aslant"
    write_atomically(path, b"one")
    assert path.read_bytes() == b"one"
    write_atomically(str(path), CONTENT)
    assert path.read_bytes() == CONTENT
    assert list(tmp_path.iterdir()) == [path]


def test_the_longest_names(tmp_path):
    path = tmp_path / ("x" * 248 + ".aslant")
    write_atomically(path, CONTENT)
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize(
    ("number", "reason"), [(errno.ENOSPC, "No space left"), (errno.EACCES, "Permission denied")]
)
def test_a_failure_leaves_the_old_file(target, monkeypatch, step, number, reason):
    monkeypatch.setattr(os, step, failing(OSError(number, os.strerror(number))))
    with pytest.raises(OSError, match=f"Cannot write .*model.aslant': {reason}.*\\.$") as caught:
        write_atomically(target, CONTENT)
    assert caught.value.errno == number
    monkeypatch.undo()
    assert_untouched(target)


def test_a_disk_that_fills_up_while_writing(target):
    resource = pytest.importorskip("resource", reason="Windows has no limit on file sizes")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError, match=r"Cannot write .*model.aslant': File too large\."):
            write_atomically(target, CONTENT)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert_untouched(target)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interrupt_leaves_the_old_file(target, monkeypatch, step):
    monkeypatch.setattr(os, step, failing(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        write_atomically(target, CONTENT)
    monkeypatch.undo()
    assert_untouched(target)


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(OSError, match=r"Cannot write .*: it is a folder"):
        write_atomically(tmp_path, CONTENT)
    with pytest.raises(OSError, match=r"there is no folder .*missing"):
        write_atomically(tmp_path / "missing" / "model.aslant", CONTENT)
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_device_is_not_replaced_by_a_file():
    with pytest.raises(OSError, match="Cannot write '/dev/full': it is not a regular file"):
        write_atomically("/dev/full", CONTENT)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@posix
def test_permissions_are_those_of_an_ordinary_file(target):
    fresh = target.with_name("fresh.aslant")
    write_atomically(fresh, CONTENT)
    ordinary = target.with_name("ordinary")
    ordinary.write_bytes(b"")
    assert fresh.stat().st_mode == ordinary.stat().st_mode
    target.chmod(0o640)
    write_atomically(target, CONTENT)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@posix
def test_a_link_keeps_pointing_to_its_file(target):
    link = target.with_name("link.aslant")
    link.symlink_to(target)
    write_atomically(link, CONTENT)
    assert link.is_symlink()
    assert target.read_bytes() == CONTENT
