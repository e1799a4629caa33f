"""What no command takes is told in one sentence, and nothing is written."""

import re
from pathlib import Path
from typing import Any

import pytest

from dpviz import Scenario
from dpviz.__main__ import _parser
from dpviz.commands import COMMANDS
from dpviz.studies.data_spec import DataSpec
from tests.commands.test_stated_noise import RULE

HOST = "--host must be a name without a port, such as dpviz.example.org, or an IP address"
TABLES, PAGES = ".csv, .txt, .json, .jsonl, .ndjson", ".parquet, .pq, .xlsx"
ENDS = "--output must be a file that ends in {}, or given with --format, not "
BAD = [
    ("", "The following arguments are required: COMMAND"),
    ("nothing", "invalid choice: 'nothing'"),
    (
        "distribution --bogus",
        "Unrecognized arguments: --bogus. See python -m dpviz distribution --help.",
    ),
    ("distribution -e", "Argument -e/--epsilon: expected one argument"),
    ("distribution -e 0", "epsilon must be a number above 0"),
    ("distribution -k 2.5", "k must be a whole number of at least 1, not '2.5'."),
    ("distribution -k 60", "k must be at most 59, one less than the 60 items, not 60."),
    ("distribution -m nix", "mechanism must be one of canonical"),
    ("distribution -m canonical:nix=1", "a parameter of canonical must be one of gamma, noise"),
    ("distribution -m canonical:gamma=2", "gamma must be a number from 0 to 1, not 2.0."),
    ("distribution -m canonical -m peeling", "--mechanism must be given once for this command"),
    ("distribution -m peeling --gamma 0.1", "--gamma must be left out for peeling, not '0.1'."),
    ("distribution --samples 0 -m canonical", "samples must be"),
    ("distribution --example help_line --example class_trip", "the data must be one source for"),
    ("distribution --generate zipf:size=1", "size must be a whole number from 2 to 1,000,000,"),
    ("distribution --generate zipf --data-ratio 0.5", "--ratio must be left out for zipf"),
    ("distribution --sensitivity 0", "sensitivity must be a number above 0"),
    ("distribution --score-column a", "--score-column must be left out without --file"),
    ("distribution --file missing.csv", "No such file or directory: missing.csv."),
    ("distribution --file .", "Is a directory"),
    ("distribution --file -", "--kind must be given for standard input"),
    (
        "distribution --file counts.csv --score-column nix",
        "--score-column must be one of the columns",
    ),
    ("distribution --file counts.csv --encoding nix", "--encoding must be a text encoding"),
    ("distribution --file counts.csv --person-column item", "--item-column must be given too"),
    (
        "distribution --file counts.csv --person-column item --item-column count --monotonic",
        "--monotonic must be left out for an event log",
    ),
    (
        "distribution --file counts.csv --items counts.csv",
        "--items must be left out but for an event",
    ),
    ("distribution --items counts.csv", "--items must be left out without --file"),
    ("distribution --replaced --monotonic", "--monotonic/--no-monotonic: not allowed with"),
    ("distribution --contributions 0", "contributions must be a whole number of at least 1, not 0"),
    ("sample --scores", "mechanism must be one that releases noisy scores, not 'canonical'."),
    ("sample --scores -m one_shot --noise laplace", "contributions must be said and at most k ="),
    (
        "smallest-epsilon --format parquet",
        "--output must be given: parquet is not for standard output.",
    ),
    ("distribution --format scenario", "invalid choice: 'scenario'"),
    ("distribution --scenario counts.csv", "the file must be a scenario saved by dpviz (JSON)"),
    ("distribution -o nix/x.csv", "--output must be a file in a folder that exists"),
    ("distribution -o out.tsv", ENDS.format(f"{TABLES}, {PAGES}")),
    ("sweep -e 1 -k 2 -o out.html", ENDS.format(f"{TABLES}, {PAGES}")),
    ("decide -o sheet.pdf", ENDS.format(f"{TABLES}, .html, .htm, {PAGES}")),
    ("smallest-epsilon -p 1", "probability must be below 1"),
    ("smallest-epsilon --figure inclusion", "--item must be a label for the figure inclusion"),
    ("smallest-epsilon --figure hits", "--at-least must be a number for the figure hits"),
    ("sweep --figure hits", "--at-least must be a number for the figure hits"),
    ("distribution -k 3 --at-least 4", "--at-least must be a whole number from 1 to 3, not 4"),
    ("smallest-epsilon --figure inclusion --item nix", "--item must be the label of one item"),
    ("sample -n -1", "--releases must be a whole number of at least 0"),
    ("sample -n 100000000", "--releases must be at most 5,000,000 for k = 10"),
    ("sweep -e 1:2", "--epsilon must be a number or LOW:HIGH:COUNT, not '1:2'."),
    ("sweep -e 2:1:5", "the upper end of --epsilon must be"),
    ("sweep -j 0", "workers must be a whole number from 1"),
    ("sweep -j 1 -o counts.csv", "output must be a new file, or one that this very sweep began"),
    ("count", "The following arguments are required: --person-column, --item-column"),
    ("count --person-column a --item-column b", "There is nothing to count: give a FILE, or else"),
    (
        "count counts.csv --person-column a --item-column count",
        "--person-column must be one of the columns",
    ),
    (
        "count counts.csv --person-column item --item-column item",
        "--item-column must be another column than",
    ),
    (
        "count --connect duckdb://x.db --person-column a --item-column b",
        "--connect needs --table too: which of the tables",
    ),
    ("count --table t --person-column a --item-column b", "--table must be left out without"),
    (
        "count x.csv --contributions 0 --person-column a --item-column b",
        "--contributions must be a whole number of at least 1, not 0",
    ),
    ("gaps --threshold 3", "--threshold must be left out but for --half sparse_vector"),
    ("gaps --noise gumbel -k 2", "--noise must be laplace for -k 2 or more"),
    ("gaps --show queries", "--show must be figures or release but for --half sparse_vector"),
    ("gaps --half sparse_vector --threshold 3 --quantile 0.5", "--quantile must be left out"),
    ("gaps --half sparse_vector --quantile 2", "Quantile of the threshold must be a"),
    ("gaps --half sparse_vector --confidence 1", "The confidence of the bounds must be"),
    ("gaps --half sparse_vector --split 1", "--split must be one of optimal, even, or the"),
    ("gaps --half sparse_vector --split half", "above 0 and below 1, not 'half'"),
    ("gaps -k 60", "k must be at most 59"),
    ("gaps --half sparse_vector -k 61", "k must be at most 60"),
    ("gaps -m canonical", "--mechanism must be one of noisy_top_k_with_gap, sparse_vector"),
    ("margin -k 3", "Unrecognized arguments: -k 3"),
    ("margin --delta 0", "delta must be"),
    ("margin --universe 3", "--universe must be a whole number of at least 60"),
    ("margin --universe 100 --digits 3", "--digits must be left out with --universe"),
    ("margin --digits 1001", "the universe's power of ten must be a whole number from 1"),
    ("margin --good -1", "the distance of a good item must be"),
    ("candidates --rule nix", "rule must be one of"),
    ("candidates --epsilon1 0", "epsilon1 must be"),
    ("candidates --rule known_threshold --limit 9", "limit must be at least 300"),
    ("candidates --share 1", "share must be"),
    ("candidates --file nix.csv", "No such file or directory: nix.csv"),
    ("candidates --kind csv", "--kind must be left out without --file"),
    ("candidates --file nix.csv --runs 3", "--runs must be left out with --file"),
    ("candidates --rule poisson --stop 0.1", "--stop must be left out for poisson"),
    ("decide --goal nine", 'goal must be written as "9 of 10 in 0.9"'),
    ("decide --goal ''", 'goal must be written as "9 of 10 in 0.9"'),
    (f"decide --goal 'top in {'9' * 400} of 1'", "with a share above 0 and below 1"),
    ("decide --goal '5 of 12 in 0.9'", "goal must be about the 10 that are published (k)"),
    ("decide --goal a --goal b --goal c", "--goal must be given at most twice"),
    ("decide --releases 0", "releases must be a whole number from 1"),
    ("decide --most-right 60 --most-epsilon 1", "where --most-right is given"),
    ("decide {few} --delta 0 -m gaussian_counts", "the δ of all releases must be larger"),
    ("decide {few} -m threshold_counts --names unknown", "in how many items may one person count"),
    ("homework none.toml", "--students or --names must be given, one of the two."),
    ("decide --taken 9", "taken must be"),
    ("decide --decided-on private", "invalid choice: 'private'"),
    (
        "decide -m canonical:gamma=0 --goal 'top in 0.9'",
        "no mechanism that is allowed reaches the goal",
    ),
    ("decide -o /nowhere/at/all.html", "--output must be a file in a folder that exists"),
    ("loss {trip}", "--up or --down must be given"),
    ("loss {trip} --up Nowhere", "--up must be the label of one item"),
    ("loss {trip} --up Zoo --down Castle", "neighbour must be scores that one person can make"),
    ("loss {trip} --up Zoo Castle --down Zoo", "--down must be other items than those of --up"),
    ("audit {trip} --up Zoo --down Zoo", "--down must be other items than those of --up"),
    ("audit {trip} --up Zoo --drawn-by broken.py:draw", "broken.py, line 2)), not 'broken.py'."),
    ("audit {trip} --up Zoo --drawn-by lacking.py:draw", "without ModuleNotFoundError (No module"),
    ("distribution --file 'a\nb.csv'", "No such file or directory: a b.csv."),
    ("distribution 'a\nb'", "Unrecognized arguments: a b. See"),
    ("worst {trip} --tries 0", "tries must be"),
    ("compose {trip} --releases 0", "--releases must be"),
    ("compose {trip} --delta 2", "delta must be"),
    (
        "audit {trip} --up Zoo --drawn-by no_such:draw",
        "--drawn-by must be a module that Python finds",
    ),
    ("audit {trip} --up Zoo --drawn-by no_such.py:draw", "--drawn-by must be a file that is there"),
    ("audit {trip} --up Zoo --drawn-by math", "a colon and a function"),
    ("audit {trip} --up Zoo --drawn-by math:nothing", "a function that math has"),
    ("audit {trip} --up Zoo --confidence 1", "confidence must be"),
    ("figure -o f.html --scenario trip.json", "--page must be one of candidates, compare"),
    (
        "figure -o f.html --scenario http://localhost:8501/nowhere?k=2",
        "--page must be one of candidates",
    ),
    ("figure -o f.html --scenario http:///gaps?k=2", "the link must be an address"),
    ("figure -o f.html --page gaps --set gaps.half", "--set must be a name, = and a value"),
    ("figure -o f.html --page gaps --set gaps.quantile=2", "Quantile of the threshold must be"),
    (
        "figure -o f.html --page gaps --set gaps.banana=1",
        "a setting of this page must be one of gaps.half",
    ),
    ("figure -o f.html --page compare --set gaps.half=top_k", "one of event, not 'gaps.half'"),
    (
        "figure -o f.html --page explore --set k=1",
        "a setting of this page must be one of none at all, not 'k'",
    ),
    ("figure -o f.html --page candidates -k 3", "--k must be left out on a page about candidates"),
    ("figure -o f.html --page candidates --set pc.pool=typed", "--file must be given"),
    ("figure -o f.html --page candidates --example class_trip", "one --file with a table of runs"),
    ("serve --workers 0", "workers must be a whole number from 1 to 1,024, not 0."),
    ("serve --port 70000", "port must be a whole number from 1 to 65,535, not 70000."),
    (
        "serve --address nowhere",
        "--address must be an IP address, such as 127.0.0.1 or 0.0.0.0, not",
    ),
    ("serve --host a.org b;c", HOST),
    ("serve --host a.org:80", HOST),
    (
        "serve --teach-key word --write there",
        "--teach-key must be left out with --write; use the unit's",
    ),
    ("serve --base-path /a;b", "--base-path must be a path of letters, digits and any of . _ ~ -,"),
    ("reproduce", "--output must be an HTML file to write"),
    ("reproduce -o x.xml", ".csv, .txt, .json, .jsonl, .ndjson, .html, .htm"),
    ("reproduce -o x.csv --only zipf", "--only must be claims where a table is asked for"),
    ("reproduce -o x.html --only gaps", "data must be given for gaps"),
    (f"distribution {RULE} -e 1", "--epsilon must be left out beside --sigma"),
    (
        "sample -m gaussian_counts --sigma 0 --contributions 1 --example help_line",
        "sigma must be above 0, as no ε holds where counts come out as they are",
    ),
    (f"loss {RULE.replace('--threshold 90 ', '')} --up Graffiti", "threshold must be a number"),
]


def option_names(line: str) -> set[str]:
    """Options of the command as Python would name them."""
    command = next((word for word in line.split()[:1] if word in COMMANDS), "decide")
    actions = _parser([command]).get_default("parsers")[command]._actions
    flags = {flag for action in actions for flag in action.option_strings}
    return {flag.removeprefix("--").replace("-", "_") for flag in flags if flag.startswith("--")}


@pytest.mark.parametrize(("line", "sentence"), BAD)
def test_bad_input_gets_one_sentence_and_code_2(
    run: Any, line: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    trip = Scenario(k=2, data=DataSpec(name="class_trip"))
    Path("trip.json").write_text(trip.to_json(), encoding="utf-8")
    Path("counts.csv").write_text("item,count\n=a,9\nb,14\nc,12\nd,2\n", encoding="utf-8")
    Path("broken.py").write_text("\ndef draw(", encoding="utf-8")
    Path("lacking.py").write_text("import no_such_module", encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    trip, few = "-m canonical --example class_trip -e 1 -k 2", "--file counts.csv -k 2"
    ran = run(line.format(trip=trip, few=few))
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.startswith("dpviz: ")
    names = option_names(line)
    subject = ran.err.removeprefix("dpviz: ").partition(" must be ")[0]
    assert subject not in names, "an option is named with its dashes"
    told = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", ran.err))
    assert not told & {name for name in names if "_" in name}, "an option is named as in Python"
    assert ran.err.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before
