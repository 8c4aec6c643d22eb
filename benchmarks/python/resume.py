#!/usr/bin/env python3
"""Runs that are killed at random moments and resumed, against the same runs without a kill. Needs only Python and ./kindred.

  benchmarks/python/resume.py --kills 200 --out kills.jsonl

Six methods, with crashes, churn, loss and splits. A run is killed with SIGKILL again and again until it ends by itself; then its
hashes have to be those of the undisturbed run. One line of the file is one run, and a repeated command continues the file.
"""
import argparse
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Latest moments after the start of a process, or after the first checkpoint that it writes: shares of the undisturbed run's time.
LATEST_KILL = {"start": 0.7, "checkpoint": 0.2}
METHODS = {
    "dfedavgm": "{name: dfedavgm, timeout: {seconds: 5, factor: 3}, staleness: 1}",
    "fedavg": "{name: fedavg, timeout: {seconds: 5, minSeconds: 0.5}, staleness: 2}",
    "semantic-dfl": "{name: semantic-dfl, pull: {k: 3, timeout: {seconds: 5, factor: 3, minSeconds: 1}, staleness: 1}}",
    "kin": "{name: kin, k: 3, timeout: {seconds: 5, factor: 3, minSeconds: 1}, staleness: 1}",
    "dfedpgp": "{name: dfedpgp, timeout: {seconds: 5, factor: 3}, staleness: 1}",
    "hfl": "{name: hfl, clusters: {count: 3}, globalSeconds: 4, standby: {leaseSeconds: 6}, timeout: {seconds: 5, minSeconds: 0.5}}",
}
EXPERIMENT = """
method: %s
dataset: {name: glyphs, samples: 240, testSamples: 40, classes: 4}
model: softmax
partition: {name: dirichlet, alpha: 1}
topology: {name: erdos-renyi, degree: 4}
peers: 12
rounds: %d
seed: %d
training: {batch: 16}
network:
  devices: {name: ranged, leastOperationsPerSecond: 1e6, mostOperationsPerSecond: 3e6, bandwidthMbps: 5}
  links: {name: varied, leastMbps: 0.5, mostMbps: 5}
  serverLinks: {name: varied, leastMbps: 0.5, mostMbps: 5}
  roundSeconds: 4
  noticeSeconds: 0.3
churn: {name: steady, rate: 0.1, newcomers: 0.3}
faults: {loss: 0.05, duplicate: 0.05, delay: 0.05, delaySeconds: 2, crashes: 0.1, forgetful: 0.3, pauses: 0.1, slow: 0.1,
  slowdown: 5, splits: 0.2, drift: 0.05, untilSeconds: %d}
"""


def start(arguments, file, folder, resume):
    command = [arguments.kindred, "run", str(file), "--out", str(folder), "--json"] + (["--resume"] if resume else [])
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def hashes(process):
    output, _ = process.communicate()
    if process.returncode != 0:
        return None, f"exit {process.returncode}: {output[-2000:]}"
    summary = json.loads(output[output.index("{\n"):] if "{\n" in output else output)
    found = {}

    def visit(value):
        if isinstance(value, dict):
            for key, each in value.items():
                if key in ("traceHash", "resultHash"):
                    found[key] = each
                visit(each)

    visit(summary)
    return found, None


def checkpoints(folder):
    """Names of the checkpoints: the numbers of events before them."""
    return {each.name for each in folder.glob("checkpoint/*.ckpt")}


def wait(process, seconds, condition=lambda: False):
    """Whether the process ended within the time; also returns early when the condition holds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():
        if process.poll() is not None:
            return True
        time.sleep(0.01)
    return process.poll() is not None


def killed_run(arguments, draw, file, folder, seconds):
    """Hashes at the end, and of every kill: when, the newest checkpoint, and whether one was being written."""
    kills = []
    while True:
        before = checkpoints(folder)
        process = start(arguments, file, folder, (folder / "config.yaml").exists())
        after = draw.choice(sorted(LATEST_KILL))
        ended = after == "checkpoint" and wait(process, 600, lambda: checkpoints(folder) - before)
        if ended or wait(process, draw.uniform(0, LATEST_KILL[after] * seconds)):
            return hashes(process), kills
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if (folder / "summary.json").exists():
            # Killed after the last event: that is no moment of the run.
            return hashes(start(arguments, file, folder, True)), kills
        newest = max((int("".join(filter(str.isdigit, each))) for each in checkpoints(folder)), default=0)
        kills.append({"after": after, "events": newest, "writing": bool(list(folder.rglob("*.part")))})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no other run after this time")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("kills.jsonl"))
    parser.add_argument("--kindred", default=str(ROOT / "kindred"))
    arguments = parser.parse_args()
    begun = time.monotonic()
    done = [json.loads(line) for line in arguments.out.read_text().splitlines()] if arguments.out.exists() else []
    while sum(len(each["kills"]) for each in done) < arguments.kills and time.monotonic() - begun < arguments.seconds:
        # The method with the fewest kills is next, so that all get about as many.
        counts = {name: [each for each in done if each["method"] == name] for name in METHODS}
        name = min(METHODS, key=lambda each: sum(len(run["kills"]) for run in counts[each]))
        seed = arguments.seed + len(counts[name])
        home = pathlib.Path(tempfile.mkdtemp())
        file = home / "run.yaml"
        file.write_text(EXPERIMENT % (METHODS[name], arguments.rounds, seed, 3 * arguments.rounds))
        started = time.monotonic()
        whole, problem = hashes(start(arguments, file, home / "whole", False))
        seconds = time.monotonic() - started
        if problem:
            sys.exit(f"{name}, seed {seed}, undisturbed: {problem}")
        (resumed, problem), kills = killed_run(arguments, random.Random(f"{name} {seed}"), file, home / "killed", seconds)
        equal = resumed == whole
        done.append({"method": name, "seed": seed, "equal": equal, "hashes": whole, "kills": kills})
        with open(arguments.out, "a") as out:
            out.write(json.dumps(done[-1]) + "\n")
        print(f"{name}, seed {seed}: {len(kills)} kills, {'equal' if equal else f'DIFFERENT, see {home}: {problem or resumed}'}", flush=True)
        if equal:
            shutil.rmtree(home)
    for name in METHODS:
        runs = [each for each in done if each["method"] == name]
        kills = [kill for each in runs for kill in each["kills"]]
        print(f"{name}: {len(runs)} runs, {len(kills)} kills, {len({k['events'] for k in kills})} different checkpoints resumed, "
              f"{sum(k['writing'] for k in kills)} while a file was being written, {sum(not each['equal'] for each in runs)} different")
    print(f"{len(done)} runs, {sum(len(each['kills']) for each in done)} kills, {sum(not each['equal'] for each in done)} different")
    return 0 if all(each["equal"] for each in done) else 1


if __name__ == "__main__":
    sys.exit(main())
