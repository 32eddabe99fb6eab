"""The board, in one command: run what is to be run, and write benchmarks/board.md from all results there are.

python benchmarks/board.py --data DATA            road.py and game.py, then the board
python benchmarks/board.py --data DATA --peers    the peers too, each in its own environment
python benchmarks/board.py                        the board alone, from benchmarks/results/*.json
python benchmarks/board.py --smoke                game.py on a tiny table, then a board of what there is; writes nothing
"""

import argparse
import subprocess
import sys
from pathlib import Path

from sections import page, picture

HERE = Path(__file__).parent


def call(script: str, *words: str) -> None:
    """Run one of the scripts; a board is not written over a failure."""
    subprocess.run([sys.executable, str(HERE / script), *words], check=True)


def main() -> None:
    """Run and write."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--data", type=Path, help="the folder with the tables")
    words.add_argument("--peers", action="store_true", help="run the peers too (an hour or more)")
    words.add_argument(
        "--home", type=Path, default=Path.home() / ".cache" / "understudy-peers", help="their environments"
    )
    words.add_argument("--smoke", action="store_true", help="a tiny invented table; writes nothing")
    chosen = words.parse_args()
    if chosen.smoke:
        call("game.py", "--smoke")
    elif chosen.data is not None:
        call("road.py", "--data", str(chosen.data))
        call("game.py", "--data", str(chosen.data))
        if chosen.peers:
            call("peers/peers.py", "--data", str(chosen.data), "--home", str(chosen.home))
    board = page()
    print(board)
    if not chosen.smoke:
        (HERE / "board.md").write_text(board)
        (HERE / "curve.svg").write_text(picture())


if __name__ == "__main__":
    main()
