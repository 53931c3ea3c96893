"""Measures `remodel plan` against a live catalog: 1,000 tables of 10 columns, 5 % of them changed.

usage: live_plan.py REMODEL URL [TABLES [RUNS]]

URL names an empty database of a superuser on this machine. Each run is a pair, interleaved: `psql`
reads tables, columns, constraints and indexes, then `remodel plan` plans from version 1 to 2.
REMODEL_BENCHMARK_BUNDLE names a folder in which to keep the models.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

TYPES = ["string", "integer32", "boolean?", "date?", "numeric(12,2)", "uuid?", "integer64", "string?"]
CATALOG = """
SELECT c.oid, c.relname, c.reltuples, c.relpages FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r';
SELECT a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
  pg_get_expr(d.adbin, d.adrelid)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0;
SELECT conrelid, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace;
SELECT indrelid, pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
WHERE c.relnamespace = 'public'::regnamespace;
"""


def model(tables, is_changed):
    """A key, eight attributes and a relationship each; of twenty entities, one changes."""
    lines = ["remodel: 1", "entities:"]
    for number in range(tables):
        attributes = {f"value{place}": kind for place, kind in enumerate(TYPES)}
        indexes = ["byFirst: [value0]"] if number % 2 == 0 else []
        if is_changed and number % 20 == 0:
            match number // 20 % 4:
                case 0: attributes["added"] = "string?"
                case 1:
                    del attributes["value1"]
                    attributes["renamed"] = "{ type: integer32, renamingIdentifier: value1 }"
                case 2: del attributes["value7"]
                case 3: indexes.append("byAmount: [value4]")
        lines += [f"  Entity{number}:", "    attributes:"]
        lines += [f"      {name}: {kind}" for name, kind in attributes.items()]
        lines += [
            "    relationships:",
            f"      next: {{ to: Entity{(number + 1) % tables}?, inverse: previous }}",
            f"      previous: {{ toMany: Entity{(number - 1) % tables}, inverse: next }}",
        ]
        if indexes:
            lines += ["    indexes:"] + [f"      {index}" for index in indexes]
    return "\n".join(lines) + "\n"


def server_seconds(postmaster):
    """The time of the processor that ended sessions have taken; none where it cannot be read."""
    with open(f"/proc/{postmaster}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")


def timed(command, postmaster, environment):
    before, server = resource.getrusage(resource.RUSAGE_CHILDREN), server_seconds(postmaster)
    begin = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    wall = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Refusals and errors end the measurement.
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    time.sleep(0.05)
    return {
        "wall": wall,
        "own user": after.ru_utime - before.ru_utime,
        "own system": after.ru_stime - before.ru_stime,
        "server": server_seconds(postmaster) - server,
    }


def main():
    remodel, url = sys.argv[1:3]
    tables, runs = (list(map(int, sys.argv[3:5])) + [1000, 11][len(sys.argv[3:5]):])
    folder = os.environ.get("REMODEL_BENCHMARK_BUNDLE") or tempfile.mkdtemp()
    bundle = os.path.join(folder, "Live.remodel")
    os.makedirs(bundle, exist_ok=True)
    for name in "12":
        with open(os.path.join(bundle, f"{name}.yaml"), "w") as file:
            file.write(model(tables, is_changed=name == "2"))
    environment = os.environ | {"DATABASE_URL": url, "REMODEL_MODELS": bundle}
    migrate = [remodel, "migrate", "--to", "1", "--models", bundle]
    subprocess.run(migrate, env=environment, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["psql", "-qc", "ANALYZE", url], check=True)
    pid = subprocess.run(
        ["psql", "-Atc", "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)", url],
        check=True, capture_output=True, text=True,
    ).stdout.strip()
    subjects = {
        "psql": ["psql", "-Atqc", CATALOG, url],
        "plan": [remodel, "plan", "--models", bundle],
        "plan --json": [remodel, "plan", "--format", "json", "--models", bundle],
    }
    results = {name: [] for name in subjects}
    for _ in range(runs):
        for name, command in subjects.items():
            results[name].append(timed(command, pid, environment))
    print(f"{tables} tables, medians of {runs} runs [least - most], in seconds")
    for name, times in results.items():
        parts = []
        for part in times[0]:
            values = sorted(time[part] for time in times)
            parts.append(f"{part} {statistics.median(values):.3f} [{values[0]:.3f} - {values[-1]:.3f}]")
        print(f"  {name:12} " + ", ".join(parts))


main()
