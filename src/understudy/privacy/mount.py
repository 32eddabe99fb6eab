"""Where a ledger may lie: on a local disk.

Law.    SQLite's locks hold between processes of one machine. On a shared network folder two machines could both be
granted the last of a budget, so such a folder is refused where the system says what it is (/proc/mounts on Linux).

>>> kind_of(Path("/mnt/share/a"), ["disk / ext4 rw 0 0", "host:/x /mnt/share nfs4 rw 0 0"])
'nfs4'
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from understudy.refusal import StorageRefused

NETWORK = {"nfs", "nfs4", "cifs", "smb", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "beegfs"}
MOUNTS = Path("/proc/mounts")


def refuse_network(path: Path) -> None:
    """Refuse a path on a network filesystem. Where the system does not say, it is not refused."""
    with suppress(OSError):
        kind = kind_of(path.resolve(), MOUNTS.read_text().splitlines())
        if kind in NETWORK or kind.startswith("fuse.sshfs"):
            raise StorageRefused(f"{path} is on a network filesystem ({kind})", "keep the ledger on a local disk")


def kind_of(path: Path, mounts: Iterable[str]) -> str:
    """The type of the filesystem with the longest mount point above `path`; a later mount hides an earlier one."""
    best, kind = -1, ""
    for line in mounts:
        _, point, type_, *_ = line.split(" ")
        folder = Path(point.encode().decode("unicode_escape"))
        if path.is_relative_to(folder) and len(folder.parts) >= best:
            best, kind = len(folder.parts), type_
    return kind
