"""The board's sections, each made from the records under benchmarks/results/. Nothing is measured here.

Where a figure has several runs, the board shows their mean and, where it matters, the smallest and the largest.
"""

import math
from collections.abc import Callable
from statistics import mean

from curve import figure, panel
from peers.peers import VARIANTS
from results import FOLDER, Record, read
from scipy.stats import beta

DEFAULT, NOISELESS, FLOOR = "querygan", 10**6, "bootstrap floor"
ROWS_A = 48_842
OUTSIDERS = 100  # a quarter of the audit's stand-in


def load(prefix: str) -> list[Record]:
    """The records of all files of one script, in order of their names."""
    return [record for path in sorted(FOLDER.glob(f"{prefix}*.json")) for record in read(path.stem)]


def of(records: list[Record], **wanted: object) -> list[Record]:
    """The finished records with these fields."""
    return [r for r in records if "unfinished" not in r and all(r.get(k) == v for k, v in wanted.items())]


def average(records: list[Record], key: str) -> float | None:
    """The mean over the records that have the field."""
    values = [r[key] for r in records if key in r]
    return mean(values) if values else None


def shown(records: list[Record], key: str, form: str = ".4f", spread: bool = False) -> str:
    """The mean as text, with the spread of several runs; a dash where nothing was measured."""
    values = [r[key] for r in records if key in r]
    if not values:
        return "-"
    text = format(mean(values), form)
    return f"{text} ({min(values):{form}}-{max(values):{form}})" if spread and len(values) > 1 else text


def ratio(a: float | None, b: float | None) -> str:
    """a / b as text."""
    return f"{a / b:.2f}" if a is not None and b else "-"


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def names(records: list[Record]) -> list[str]:
    """Who is in the records, in order of appearance."""
    return list(dict.fromkeys(r["who"] for r in records))


def best(peers: list[Record], epsilon: float, key: str) -> tuple[str, float] | None:
    """The finished peer with the least error on A at an epsilon."""
    found = of(peers, task="A", epsilon=epsilon)
    errors = {who: average(of(found, who=who), key) for who in names(found)}
    return min(errors.items(), key=lambda item: item[1]) if errors else None


def at_one(ours: list[Record], peers: list[Record]) -> str:
    """Everybody on A at epsilon 1."""
    rival = best(peers, 1, "tv3")
    rows = []
    everyone = [(who, of(ours, task="A", who=who, epsilon=1, n=ROWS_A)) for who in names(ours) if who != FLOOR]
    everyone += [(who, of(peers, task="A", who=who, epsilon=1)) for who in names(peers)]
    everyone += [(FLOOR, of(ours, task="A", who=FLOOR, n=ROWS_A))]
    everyone.sort(key=lambda pair: average(pair[1], "tv3") or 9)
    for who, runs in dict(everyone).items():
        if runs:
            rows.append(
                [
                    f"**{who}**" if who == DEFAULT else who,
                    str(len(runs)),
                    shown(runs, "tv2", spread=True),
                    shown(runs, "tv3", spread=True),
                    shown(runs, "worst_cell", ".3f"),
                    shown(runs, "auc_boosting", ".3f"),
                    shown(runs, "auc_logistic", ".3f"),
                    shown(runs, "cpu", ".1f", spread=True),
                    shown(runs, "wall", ".0f"),
                    shown(runs, "peak_mb", ".0f"),
                    ratio(average(runs, "tv3"), rival[1] if rival else None),
                    " ".join(sorted({r["code"] for r in runs if "code" in r})),
                ]
            )
    heads = ["who", "runs", "2-way TV", "3-way TV", "worst 3-way cell", "AUC boosting", "AUC logistic"]
    heads += ["CPU s", "wall s", "peak MB", "3-way TV / best peer's", "source"]
    return "### A at epsilon 1\n\n" + table(heads, rows)


def by_epsilon(ours: list[Record], peers: list[Record]) -> str:
    """The default recipe beside the peers at every epsilon."""
    rows = []
    for epsilon in (0.1, 0.3, 1, 3, 10):
        runs = of(ours, task="A", who=DEFAULT, epsilon=epsilon, n=ROWS_A)
        for key, ways in (("tv2", "2-way"), ("tv3", "3-way")):
            rival = best(peers, epsilon, key)
            others = [w for w in names(peers) if rival and w != rival[0]]
            rest = [f"{w} {shown(of(peers, task='A', who=w, epsilon=epsilon), key)}" for w in others]
            rows.append(
                [
                    f"{epsilon:g}",
                    ways,
                    shown(runs, key, spread=True),
                    f"{rival[1]:.4f} ({rival[0]})" if rival else "-",
                    ratio(average(runs, key), rival[1] if rival else None),
                    "; ".join(one for one in rest if not one.endswith("-")) or "-",
                ]
            )
    heads = ["epsilon", "TV", DEFAULT, "best peer", "ratio", "other peers"]
    return "### A at other epsilons\n\nA ratio of at most 1.02 is asked for.\n\n" + table(heads, rows)


def certificates(ours: list[Record]) -> str:
    """Bounds beside the true errors."""
    rows = []
    for who in names(ours):
        for epsilon in sorted({r["epsilon"] for r in of(ours, task="A", who=who, n=ROWS_A) if "bound_mean" in r}):
            runs = of(ours, task="A", who=who, epsilon=epsilon, n=ROWS_A)
            held = sum(r["tv3"] <= r["bound_mean"] and r["worst_cell"] <= r["bound_cell"] for r in runs)
            rows.append(
                [
                    who,
                    f"{epsilon:g}",
                    shown(runs, "bound_mean"),
                    shown(runs, "tv3"),
                    ratio(average(runs, "bound_mean"), average(runs, "tv3")),
                    shown(runs, "bound_cell", ".3f"),
                    shown(runs, "worst_cell", ".3f"),
                    f"{held} of {len(runs)}",
                    shown(runs, "certificate_share", ".0%"),
                ]
            )
    heads = ["recipe", "epsilon", "bound on mean 3-way TV", "true", "ratio", "bound on worst cell", "true"]
    return "### Certificates (A)\n\n" + table([*heads, "held", "share of the budget"], rows)


def losses(ours: list[Record]) -> str:
    """What is lost to noise, to selection, to the model, on A at epsilon 1."""
    floor = average(of(ours, task="A", who=FLOOR, n=ROWS_A), "tv3")
    exact = {who: of(ours, task="A", who=who, epsilon=NOISELESS) for who in names(ours)}
    fullest = {"blend": average(exact.get(DEFAULT, []), "tv3")}  # what measures all pairs, by kind of model
    rows = []
    for who, runs in exact.items():
        noisy = of(ours, task="A", who=who, epsilon=1, n=ROWS_A)
        error, without = average(noisy, "tv3"), average(runs, "tv3")
        if error is None or without is None or floor is None:
            continue
        full = fullest.get(runs[0].get("model", ""))
        rows.append(
            [
                who,
                f"{error:.4f}",
                f"{without:.4f}",
                f"{floor:.4f}",
                f"{error - without:+.4f}",
                f"{without - full:+.4f}" if full else "-",
                f"{full - floor:+.4f}" if full else f"{without - floor:+.4f} with selection",
                shown(runs, "tv2"),
                shown(runs, "auc_boosting", ".3f"),
            ]
        )
    heads = ["recipe", "3-way TV", "without noise", FLOOR, "lost to noise", "to selection", "to the model"]
    return (
        "### Where the error comes from (A, epsilon 1)\n\n"
        "*Without noise*: the same recipe at epsilon 10^6, so the same data player on exact answers, chosen exactly. *Lost to\n"
        f"selection*: against the same data player on all pairs (`{DEFAULT}` measures them). *Lost to the model*: what is\n"
        "left above the bootstrap floor, the 3-way structure that nobody measured included. The floor is no bound: it\n"
        "draws rows independently, and we do not.\n\n"
        + table([*heads, "2-way TV without noise", "AUC without noise"], rows)
    )


def series(records: list[Record], axis: str, key: str) -> dict[float, list[float]]:
    """The runs' errors at each place of an axis."""
    return {x: [r[key] for r in records if r[axis] == x] for x in sorted({r[axis] for r in records})}


def falling(ours: list[Record]) -> str:
    """Error against n, and whether it falls."""
    mine = of(ours, task="A", who=DEFAULT, epsilon=1)
    floors = of(ours, task="A", who=FLOOR)
    rows = []
    for n in sorted({r["n"] for r in mine}):
        runs, drawn = of(mine, n=n), of(floors, n=n)
        rows.append([f"{n:,}", str(len(runs)), *(shown(runs, k, spread=True) for k in ("tv2", "tv3"))])
        rows[-1] += [shown(drawn, "tv2"), shown(drawn, "tv3"), shown(runs, "bound_mean")]
    heads = ["rows", "runs", "2-way TV", "3-way TV", "floor 2-way", "floor 3-way", "certificate, mean 3-way TV"]
    return "### Error against the number of rows (A, epsilon 1)\n\n" + table(heads, rows) + "\n\n![error](curve.svg)"


def wide(ours: list[Record], peers: list[Record]) -> str:
    """Task B."""
    rows = []
    for who in dict.fromkeys([*names(ours), *names(peers)]):
        runs = of(ours, task="B", who=who) + of(peers, task="B", who=who)
        if runs:
            cost = [shown(runs, "cpu", ".1f", spread=True), shown(runs, "wall", ".0f"), shown(runs, "peak_mb", ".0f")]
            rows.append([who, str(len(runs)), shown(runs, "tv2", spread=True), shown(runs, "worst_cell", ".3f"), *cost])
            rows[-1].append(shown(runs, "bound_mean"))
    heads = ["who", "runs", "2-way TV", "worst 2-way cell", "CPU s", "wall s", "peak MB", "certificate, mean 2-way TV"]
    return "### B, wide: 199,523 x 42, epsilon 1\n\n" + table(heads, rows)


def unfinished(peers: list[Record]) -> str:
    """Who did not come to an end, or did not come at all, and why."""
    lines = {f"| {r['who']} | {r.get('epsilon', '')} | {r['unfinished']} |" for r in peers if "unfinished" in r}
    came = {(r["who"], r.get("epsilon")) for r in peers}
    for variant in VARIANTS:
        missing = [f"{epsilon:g}" for epsilon in sorted(variant.epsilons) if (variant.name, epsilon) not in came]
        if missing:
            lines.add(f"| {variant.name} ({variant.task}) | {', '.join(missing)} | not run: no time was left |")
    return "### Peers without figures\n\n| who | epsilon | why |\n|---|---|---|\n" + "\n".join(sorted(lines))


def shows(ours: list[Record], peers: list[Record]) -> str:
    """The issue's lines, each with what it came to."""
    runs = of(ours, task="A", who=DEFAULT, epsilon=1, n=ROWS_A)
    b = of(ours, task="B", who=DEFAULT)
    lines: list[tuple[str, float | None, float, Callable[[float, float], bool]]] = [
        ("1 3-way TV", average(runs, "tv3"), 0.088, lambda x, bar: x <= bar),
        ("1 2-way TV", average(runs, "tv2"), 0.042, lambda x, bar: x <= bar),
        ("1 AUC of boosting", average(runs, "auc_boosting"), 0.905, lambda x, bar: x >= bar),
        ("1 CPU s", average(runs, "cpu"), 15, lambda x, bar: x <= bar),
    ]
    for epsilon in (0.1, 0.3, 1, 3, 10):
        for key in ("tv2", "tv3"):
            rival, mine = best(peers, epsilon, key), of(ours, task="A", who=DEFAULT, epsilon=epsilon, n=ROWS_A)
            error = average(mine, key)
            found = error / rival[1] if rival and error else None
            lines.append(
                (f"1 {key[2]}-way TV / best peer's at epsilon {epsilon:g}", found, 1.02, lambda x, bar: x <= bar)
            )
    peer = of(peers, task="A", epsilon=1)
    aims = [w for w in names(peer) if w.startswith("dpmm AIM")]
    if aims and of(ours, task="A", who="aim", epsilon=1):
        first = min(aims, key=lambda w: average(of(peer, who=w), "tv3") or 9)
        mine, theirs = of(ours, task="A", who="aim", epsilon=1), of(peer, who=first)
        pairs = [("3-way TV", "tv3", 1.0), ("CPU s", "cpu", 0.5)]
        for what, key, bar in pairs:
            found = (average(mine, key) or 0) / (average(theirs, key) or 1)
            lines.append((f"1 `aim`: {what} / {first}'s", found, bar, lambda x, bar: x <= bar))
    for axis, mine in (
        ("epsilon", of(ours, task="A", who=DEFAULT, n=ROWS_A)),
        ("n", of(ours, task="A", who=DEFAULT, epsilon=1)),
    ):
        means = [mean(values) for x, values in series(mine, axis, "tv3").items() if x != NOISELESS]
        worst = max((b / a for a, b in zip(means, means[1:], strict=False)), default=None)
        lines.append(
            (f"2 largest step of 3-way TV as {axis} grows (below 1: falls)", worst, 1.0, lambda x, bar: x < bar)
        )
    lines += [
        ("3 B: 2-way TV", average(b, "tv2"), 0.027, lambda x, bar: x <= bar),
        ("3 B: CPU s", average(b, "cpu"), 60, lambda x, bar: x <= bar),
        ("3 B: peak MB", average(b, "peak_mb"), 2000, lambda x, bar: x <= bar),
        (
            "5 certificate / true mean 3-way TV",
            mean(r["bound_mean"] / r["tv3"] for r in runs) if runs else None,
            1.25,
            lambda x, bar: x <= bar,
        ),
        ("5 the certificate's share of the budget", average(runs, "certificate_share"), 0.05, lambda x, bar: x <= bar),
    ]
    rows = [
        [
            what,
            "not measured" if x is None else f"{x:.4g}",
            f"{bar:g}",
            "-" if x is None else "yes" if met(x, bar) else "**no**",
        ]
        for what, x, bar, met in lines
    ]
    return "### The issue's bars\n\n" + table(["line", "came to", "bar", "met"], rows)


def head(ours: list[Record]) -> str:
    """How this page came about."""
    states = sorted({r["code"] for r in ours if "code" in r})
    yards = [r["yard"] for r in ours + load("peers") if "yard" in r]
    yard = f"between {min(yards):.2f} and {max(yards):.2f}" if yards else "unknown"
    return (
        "# Board\n\nWritten by `python benchmarks/board.py` from `benchmarks/results/`; what is measured, and how, stands in\n"
        "`benchmarks/tasks.py`, `game.py`, `fresh.py` and `peers/peers.py`. Two cores, shared with other work while this ran:\n"
        "wall seconds mean little, and CPU seconds are larger than on an idle machine, ours and the peers' alike: sorting two\n"
        f"million numbers ten times, after each run, took {yard} CPU s.\n"
        "CPU seconds are those of all threads, after the script's imports; the loading of JAX is within ours.\n"
        "The number of rows is private to us and paid for; to the peers it is public. "
        f"States of the source that were measured: {', '.join(states) or '-'}."
    )


def road() -> str:
    """The road's section."""
    rows = [[r["what"], r["measured"], r["bar"]] for r in read("road")]
    note = (
        "On two cores that others were using too: seconds by the clock are many times those of an idle machine, so compare by\n"
        "the yardstick beside them and by CPU seconds. A bar is meant for two idle cores.\n\n"
    )
    return "## Road\n\n" + (note + table(["what", "measured", "bar"], rows) if rows else "Not measured yet.")


def attack() -> str:
    """The audits' section: claim, bound and power of every recipe."""
    records = read("audits")
    if not records:
        return "## Attack\n\nNot measured yet."
    rows = []
    for r in sorted(records, key=lambda r: (r["who"], r["epsilon"])):
        mu = f"{r['mu_certified']:.3f} of {r['mu_claimed']:.3f}" if r["mu_claimed"] else "-"
        rows.append([r["who"], f"{r['epsilon']:g}", f"{r['gaussian']:.3f}", f"{r['free']:.3f}", mu])
        rows[-1] += [
            f"{r['power']:.1%}" + " *" * (r.get("read_off") is None),
            f"{r['false_alarms']:.1%}",
            f"{r['heard']:.0%}",
        ]
        rows[-1] += [f"{r['attack_tpr']:.1%} of {r['attack_allowed']:.1%}", r["violations"] or "none"]
    heads = ["recipe", "epsilon claimed", "at least, Gaussian shape", "at least, any shape", "mu of the noise"]
    heads += ["power", "false alarms", "heard", "marginal attack's TPR at FPR 1 %", "violations"]
    above = [r["who"] for r in records if max(r["gaussian"], r["free"]) > r["epsilon"] or r["violations"]]
    said = (
        f"Above the claim: {', '.join(dict.fromkeys(above)) or 'none'}, of {len({r['who'] for r in records})} recipes."
    )
    over = [r for r in records if r["attack_tpr"] > r["attack_allowed"]]
    # one of the outsiders is above the threshold: Clopper and Pearson's end of what that says of the rate
    most = beta.ppf(0.975, 2, OUTSIDERS - 1)
    sure = [r for r in over if r["attack_tpr"] > math.exp(r["epsilon"]) * most + r["delta"]]
    said += (
        f"\nThe marginal attack has {OUTSIDERS} outsiders, one of whom is above its threshold: {len(over)} of "
        f"{len(records)} shares lie above what the claim\nallows at a rate of 1 %, {len(sure)} above what it allows at "
        f"the {most:.1%} that this rate may be."
    )
    return (
        "## Attack\n\n`python benchmarks/audits.py`: `understudy audit` of every recipe on a small invented table, delta\n"
        "1e-6, 2,000 tapes from each world, confidence 95 %. The power is the share of audits that would catch noise of half\n"
        'the deviation; where a recipe spends on selections, it is small, and the board says so. "Heard" is the share of the\n'
        "budget that the audit listened to. A power with a star was read off 2,000 tapes, the others off 20,000, so it\n"
        f"is rough. {said}\n\n" + table(heads, rows)
    )


def gradients() -> str:
    """The private step of a critic beside the plain one."""
    records = read("gradients")
    if not records:
        return "## Gradients\n\nNot measured yet."
    heads = ["critic", "weights", "batch", "plain, ms", "private, ms", "ratio", "bar", "noise, ms", "memory, MB"]
    rows = [
        [r["critic"], f"{r['weights']:,}", str(r["batch"]), f"{r['plain_ms']:.1f}", f"{r['private_ms']:.1f}"]
        + [f"{r['ratio']:.2f}", "1.5" if r["critic"].startswith("dense") else "2.5", f"{r['noise_ms']:.1f}"]
        + [f"{r['private_mb']:.1f} (plain {r['plain_mb']:.1f})"]
        for r in records
    ]
    return (
        "## Gradients\n\n`python benchmarks/gradients.py`: one critic step over a batch, CPU milliseconds, the median of\n"
        "turns that alternate. Private is the clipped sum by ghost norms; its noise is drawn besides, from the operating\n"
        "system's generator, and is not in the ratio. Memory is that of XLA's intermediate arrays.\n\n"
        + table(heads, rows)
    )


def page() -> str:
    """The whole board."""
    ours, peers = load("game"), load("peers")
    game = [
        at_one(ours, peers),
        by_epsilon(ours, peers),
        shows(ours, peers),
        certificates(ours),
        losses(ours),
        falling(ours),
        wide(ours, peers),
        unfinished(peers),
    ]
    return "\n\n".join([head(ours), "## Game", *game, road(), gradients(), attack()]) + "\n"


def picture() -> str:
    """Error against epsilon and against n."""
    ours, peers = load("game"), load("peers")
    mine = [r for r in of(ours, task="A", who=DEFAULT) if r["epsilon"] != NOISELESS]
    full, one = of(mine, n=ROWS_A), of(mine, epsilon=1)
    floors = of(ours, task="A", who=FLOOR)
    ways = {"2-way": "tv2", "3-way": "tv3"}
    panels = []
    if len({r["epsilon"] for r in full}) > 1:
        rivals = {
            w: {e: [b[1]] for e in series(full, "epsilon", k) if (b := best(peers, e, k))} for w, k in ways.items()
        }
        level = {w: [r[k] for r in of(floors, n=ROWS_A)] for w, k in ways.items()}
        flat = {w: dict.fromkeys(series(full, "epsilon", k), level[w]) for w, k in ways.items() if level[w]}
        falling_in = {w: series(full, "epsilon", k) for w, k in ways.items()}
        panels.append(panel("A: error against epsilon, 48,842 rows", "epsilon", falling_in, rivals, flat))
    if len({r["n"] for r in one}) > 1:
        drawn = {w: series(floors, "n", k) for w, k in ways.items()}
        panels.append(
            panel(
                "A: error against rows, epsilon 1", "rows", {w: series(one, "n", k) for w, k in ways.items()}, {}, drawn
            )
        )
    return figure(panels)
