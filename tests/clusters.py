"""A Ray cluster of two nodes in two processes on this machine, for a test and a benchmark."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

# Ray 2.60 ends a node whose agents have not said their ports within 15 s (ray-project/ray#65983): on a busy machine
# none starts. Ports that are given are not waited for; one of them Ray's own Python forgets to pass on.
_PORTS = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
_FORGOTTEN = "dashboard_agent_listen_port"
_PATIENCE = {
    "RAY_raylet_start_wait_time_s": "600",
    "RAY_agent_register_timeout_ms": "600000",
    "RAY_worker_register_timeout_seconds": "600",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}


@contextmanager
def two_nodes() -> Iterator[str]:
    """The address of a cluster of two CPUs, each on a node of its own."""
    for name, value in _PATIENCE.items():
        os.environ.setdefault(name, value)
    from ray._private import services
    from ray.cluster_utils import Cluster

    start, ports = services.start_ray_process, dict[str, int]()

    def start_named(command: list[str], kind: str, *args: Any, **options: Any) -> Any:
        named = [f"--{_FORGOTTEN}={ports[_FORGOTTEN]}"] if kind == "raylet" else []
        return start([*command, *named], kind, *args, **options)

    made = Cluster()
    try:
        with patch.object(services, "start_ray_process", start_named):
            for _ in range(2):
                ports |= _free_ports()
                made.add_node(num_cpus=1, object_store_memory=80 << 20, include_dashboard=False, **ports)
        yield str(made.address)
    finally:
        made.shutdown()


def _free_ports() -> dict[str, int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.create_server(("", 0))) for _ in _PORTS]
        return dict(zip(_PORTS, (each.getsockname()[1] for each in sockets), strict=True))
