"""Programs that run exported models and take long to start: once for each worker."""

import shutil

import pytest
from codegen.postgres import Server, server_programs


@pytest.fixture(scope="session")
def postgres():
    programs = server_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    server = Server(programs)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def backend() -> str:
    pytest.importorskip(
        "jpmml_evaluator",
        reason="not in the test extra: its license is the AGPL, and it needs Java",
    )
    if shutil.which("java") is None:
        pytest.skip("java is not installed")
    return "py4j"
