#!/usr/bin/env python3
"""Real nodes against the simulator, and real nodes against kill -9. Needs only Python and ./kindred.

  benchmarks/python/nodes.py compare --seeds 1 2 3   four processes and the simulator: accuracy and bytes
  benchmarks/python/nodes.py compare --set method=dfca the same with another method
  benchmarks/python/nodes.py kill --times 5          one of four processes is killed repeatedly
  benchmarks/python/nodes.py storm --seconds 300     a fleet of eight over its overlay; one node is killed every 10 s, some are paused
  benchmarks/python/nodes.py spaces --peers 3        nodes in network namespaces, with delay, loss and a limited rate (root only)
  benchmarks/python/nodes.py strangers               another authority, another network: refused, with the line
  benchmarks/python/nodes.py mixed --seeds 1 2 3     two of four peers trained in Python, compared with all in Java
  benchmarks/python/nodes.py mixed --kills 5         the same, and the Python trainers are killed repeatedly

`mixed` needs a Python with grpc and numpy, named by --python.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import emulator

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDRED = str(ROOT / "kindred")
EXPERIMENT = ROOT / "experiments" / "nodes" / "four-nodes.yaml"
NETWORK = "four"


def kindred(*arguments):
    done = subprocess.run([KINDRED, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"kindred {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def free_ports(count):
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


class Network:
    """Folders, keys, certificates and processes of some nodes."""

    def __init__(self, home, settings=(), record=False, peers=4, send_seconds=20, trainers=(), spaces=False):
        self.home = pathlib.Path(home)
        self.peers = peers
        self.spaces = spaces
        ports = free_ports(peers)
        self.addresses = [f"{emulator.address(i)}:7400" if spaces else f"127.0.0.1:{ports[i]}" for i in range(peers)]
        self.processes = [None] * peers
        kindred("node", "cert", "ca", self.home / "ca")
        for number in range(peers):
            self.identity(number, self.home / "ca", NETWORK)
            folder = self.folder(number)
            others = ", ".join(f'"{i}": "{self.addresses[i]}"' for i in range(peers) if i != number)
            (folder / "node.yaml").write_text(
                f"experiment: {EXPERIMENT}\nset: {json.dumps(list(settings))}\npeer: {number}\n"
                f"listen: {self.addresses[number]}\nneighbours: {{{others}}}\n"
                f"record: {str(record).lower()}\nsendSeconds: {send_seconds}\n"
                + (f"trainer: {json.dumps(trainers[number])}\n" if number in trainers else "")
            )

    def identity(self, number, authority, network):
        folder = self.folder(number) / "identity"
        shutil.rmtree(folder, ignore_errors=True)
        kindred("node", "init", folder)
        kindred("node", "cert", "issue", folder, "--authority", authority, "--network", network, "--peer", number)

    def folder(self, number):
        folder = self.home / f"node-{number}"
        folder.mkdir(exist_ok=True)
        return folder

    def config(self, number):
        return self.folder(number) / "node.yaml"

    def log(self, number):
        return (self.folder(number) / "log.txt").read_text()

    def start(self, number):
        with open(self.folder(number) / "log.txt", "a") as log:
            self.processes[number] = subprocess.Popen(
                (["ip", "netns", "exec", emulator.space(number)] if self.spaces else []) + [KINDRED, "node", "start", "--config", str(self.config(number))], stderr=log, stdout=log
            )

    def status(self, number):
        try:
            return json.loads((self.folder(number) / "run" / "status.json").read_text())
        except FileNotFoundError:
            return {"totals": {"round": 0}, "state": "STARTING", "process": 0}

    def round(self, number):
        return self.status(number)["totals"]["round"]

    def wait(self, what, condition, seconds=600):
        end = time.monotonic() + seconds
        while not condition():
            for number, process in enumerate(self.processes):
                if process is not None and process.poll() is not None and process.poll() != -signal.SIGKILL:
                    sys.exit(f"node {number} ended with {process.poll()}:\n{self.log(number)}")
            if time.monotonic() > end:
                logs = "\n".join(self.log(n)[-2000:] for n in range(self.peers))
                sys.exit(f"gave up waiting for {what}\n{logs}")
            time.sleep(0.05)

    def stop(self):
        for process in self.processes:
            if process is not None and process.poll() is None:
                process.terminate()
        for process in self.processes:
            if process is not None:
                process.wait(timeout=60)

    def metrics(self, number):
        lines = (self.folder(number) / "run" / "metrics.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]


def loopback_bytes():
    for line in pathlib.Path("/proc/net/dev").read_text().splitlines():
        if line.strip().startswith("lo:"):
            return int(line.split(":")[1].split()[0])
    return 0


def rounds_of_file():
    for line in EXPERIMENT.read_text().splitlines():
        if line.startswith("rounds:"):
            return int(line.split(":")[1])
    sys.exit("the experiment file has no rounds")


def compare(arguments):
    rounds = rounds_of_file()
    rows = []
    for seed in arguments.seeds:
        with tempfile.TemporaryDirectory() as home:
            simulated = json.loads(
                kindred("run", EXPERIMENT, "--seed", seed, "--out", f"{home}/simulated", "--json",
                        *(word for each in arguments.set for word in ("--set", each)))
            )
            network = Network(home, [f"seed={seed}", *arguments.set], record=True)
            before = loopback_bytes()
            began = time.monotonic()
            for number in range(4):
                network.start(number)
            network.wait("all rounds", lambda: all(network.round(n) >= rounds for n in range(4)))
            took = time.monotonic() - began
            on_wire = loopback_bytes() - before
            network.stop()
            last = [[m for m in network.metrics(n) if m["round"] == rounds and m["stage"] == "mixed"][-1] for n in range(4)]
            totals = [network.status(n)["totals"] for n in range(4)]
            framed = sum(network.status(n)["framedBytes"] for n in range(4))
            sent = sum(t["sentControl"] + t["sentModel"] for t in totals)
            accounted = simulated["traffic"]["modelBytes"] + simulated["traffic"]["controlBytes"]
            replays = [kindred("node", "replay", "--config", network.config(n)).strip() for n in range(4)]
            rows.append(
                {
                    "seed": seed,
                    "simulated": simulated["accuracy"]["local"]["mean"],
                    "nodes": sum(m["accuracy"] for m in last) / 4,
                    "accountedBytes": accounted,
                    "sentBytes": sent,
                    "framedBytes": framed,
                    "loopbackBytes": on_wire,
                    "failedSends": sum(t["failedSends"] for t in totals),
                    "seconds": round(took, 1),
                    "replays": replays,
                }
            )
            print(json.dumps(rows[-1]), flush=True)
    mean = lambda key: sum(row[key] for row in rows) / len(rows)
    print(
        f"mean accuracy: simulator {100 * mean('simulated'):.2f}, nodes {100 * mean('nodes'):.2f} points; "
        f"bytes against the simulator's accounting: sent x{mean('sentBytes') / mean('accountedBytes'):.4f}, "
        f"framed x{mean('framedBytes') / mean('accountedBytes'):.4f}, "
        f"on the loopback device x{mean('loopbackBytes') / mean('accountedBytes'):.4f}"
    )


def kill(arguments):
    rounds = 20 * (arguments.times + 1)
    settings = [f"rounds={rounds}", "training.epochs=12", "method.timeout.seconds=3"]
    with tempfile.TemporaryDirectory() as home:
        network = Network(home, settings, record=True, send_seconds=4)
        for number in range(4):
            network.start(number)
        for time_number in range(arguments.times):
            goal = 10 * (time_number + 1)
            network.wait(f"round {goal} of node 2", lambda: network.round(2) >= goal)
            time.sleep(0.07 * time_number)
            known = network.round(2)
            network.processes[2].kill()
            network.processes[2].wait()
            others = [network.round(n) for n in (0, 1, 3)]
            network.wait("the others going on", lambda: all(network.round(n) > o for n, o in zip((0, 1, 3), others)))
            network.start(2)
            network.wait("a restart", lambda: network.log(2).count("restored after round") == time_number + 1)
            line = [each for each in network.log(2).splitlines() if "restored after round" in each][-1]
            restored = int(line.split("restored after round ")[1].split()[0])
            print(f"kill {time_number + 1}: status said round {known}, restored after round {restored}; others went on past {others}", flush=True)
            if restored < known:
                sys.exit("a finished round was lost")
        network.wait("all rounds", lambda: all(network.round(n) >= rounds for n in range(4)))
        network.stop()
        torn = [line for line in network.log(2).splitlines() if "truncated" in line or "damaged" in line]
        unfinished = list((network.folder(2) / "run").rglob("*.part"))
        print(f"torn state files: {len(torn)}; unfinished ones left: {len(unfinished)}; replay of node 2: " + kindred("node", "replay", "--config", network.config(2)).strip())
        accuracies = [[m for m in network.metrics(n) if m["stage"] == "mixed"][-1]["accuracy"] for n in range(4)]
        print("last accuracies: " + ", ".join(f"{each:.3f}" for each in accuracies))


class Fleet:
    """The nodes of a fleet, as the command `fleet` starts them."""

    def __init__(self, home, peers):
        self.home = pathlib.Path(home)
        self.peers = peers

    def up(self, *settings):
        assignments = [part for each in settings for part in ("--set", each)]
        kindred("fleet", "up", ROOT / "experiments" / "nodes" / "eight-nodes.yaml", *assignments, "--detach", "--out", self.home)

    def again(self):
        kindred("fleet", "up", "--detach", "--out", self.home)

    def status(self, number):
        try:
            return json.loads((self.home / f"node-{number}" / "run" / "status.json").read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {"totals": {"round": 0, "pulled": 0}, "counts": {}}

    def totals(self, what):
        return [self.status(number)["totals"][what] for number in range(self.peers)]

    def signal(self, number, what):
        os.kill(int((self.home / f"node-{number}" / "process").read_text()), what)

    def log(self, number):
        return (self.home / f"node-{number}" / "log.txt").read_text().splitlines()


def until(what, condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"gave up waiting for {what}")
        time.sleep(0.2)


def storm(arguments):
    draw = random.Random(arguments.seed)
    home = pathlib.Path(tempfile.mkdtemp())
    fleet = Fleet(home / "fleet", 8)
    lease = 2
    fleet.up("rounds=100000", f"seed={arguments.seed}", f"method.discovery.maintenance.leaseSeconds={lease}")
    try:
        until("the first two rounds of all", lambda: min(fleet.totals("round")) >= 2, 300)
        first = fleet.totals("round")
        begun = time.monotonic()
        killed, lost, frozen = [0] * 8, 0, {}
        stops = [0.3 * arguments.seconds, 0.6 * arguments.seconds]
        while time.monotonic() - begun < arguments.seconds:
            at = time.monotonic() - begun
            for number in [each for each, end in frozen.items() if at >= end]:
                fleet.signal(number, signal.SIGCONT)
                del frozen[number]
            if stops and at >= stops[0]:
                stops.pop(0)
                for number in draw.sample(range(8), 2):
                    fleet.signal(number, signal.SIGSTOP)
                    frozen[number] = at + 30
            victim = draw.choice([each for each in range(8) if each not in frozen])
            known = fleet.totals("round")[victim]
            fleet.signal(victim, signal.SIGKILL)
            killed[victim] += 1
            time.sleep(1)
            restarts = sum("restored after round" in line for line in fleet.log(victim))
            fleet.again()
            until(f"node {victim}", lambda: sum("restored after round" in line for line in fleet.log(victim)) > restarts, 120)
            line = [each for each in fleet.log(victim) if "restored after round" in each][-1]
            lost += int(line.split("restored after round ")[1].split()[0]) < known
            time.sleep(max(0, 10 - (time.monotonic() - begun - at)))
        for number in frozen:
            fleet.signal(number, signal.SIGCONT)
        seconds = time.monotonic() - begun
        after = fleet.totals("round")
        print(f"storm: {sum(killed)} kills in {seconds:.0f} s, by node {killed}; 4 nodes stood still for 30 s each", flush=True)
        gone = [late - early for late, early in zip(after, first)]
        print(f"rounds gone meanwhile: {gone}; finished rounds lost: {lost}")
        calmed = time.monotonic()
        time.sleep(5 * lease)
        pulled = fleet.totals("pulled")
        # The same bound as in the simulator's fuzz scenarios.
        until(f"every node to pull models again; see {home}", lambda: all(b > a for a, b in zip(pulled, fleet.totals("pulled"))), 120 * lease)
        print(f"{time.monotonic() - calmed:.0f} s after the last kill every node pulls models over the overlay again", flush=True)
        before = fleet.totals("round"), fleet.totals("pulled")
        time.sleep(30)
        rounds, models = ([b - a for a, b in zip(early, fleet.totals(what))] for what, early in zip(("round", "pulled"), before))
        print(f"in the next 30 s: rounds {rounds}, models pulled {models}")
    finally:
        kindred("fleet", "down", fleet.home)
    torn = sum("damaged" in line for number in range(8) for line in fleet.log(number))
    unfinished = list(fleet.home.glob("node-*/run/**/*.part"))
    print(f"torn state files: {torn}; unfinished ones left: {len(unfinished)}")
    shutil.rmtree(home)


def spaces(arguments):
    rounds = arguments.rounds
    between = subprocess.Popen(
        [sys.executable, str(ROOT / "benchmarks" / "python" / "emulator.py"), "--spaces", str(arguments.peers),
         "--delay", str(arguments.delay), "--loss", str(arguments.loss), "--mbps", str(arguments.mbps)],
        stdout=subprocess.PIPE, text=True)
    if between.stdout.readline().strip() != "ready":
        sys.exit("no network; this needs root and TUN devices")
    try:
        with tempfile.TemporaryDirectory() as home:
            settings = [f"rounds={rounds}", f"peers={arguments.peers}", "model={name: mlp, hidden: [8000]}", "dataset.samples=600",
                        "method.timeout.seconds=300"]
            network = Network(home, settings, peers=arguments.peers, send_seconds=120, spaces=True)
            for number in range(arguments.peers):
                network.start(number)
            network.wait("the first round", lambda: all(network.round(n) >= 1 for n in range(arguments.peers)))
            began, first = time.monotonic(), [network.status(n) for n in range(arguments.peers)]
            network.wait("all rounds", lambda: all(network.round(n) >= rounds for n in range(arguments.peers)))
            took = time.monotonic() - began
            network.stop()
            last = [network.status(n) for n in range(arguments.peers)]
            again = [round(each["framedBytes"] / (each["totals"]["sentModel"] + each["totals"]["sentControl"]) - 1, 4) for each in last]
            models = [b["totals"]["sentModel"] - a["totals"]["sentModel"] for a, b in zip(first, last)]
            limit = arguments.mbps * 1e6 / 8
            print(f"{arguments.peers} namespaces, {arguments.delay:g} ms one way, {100 * arguments.loss:g} % lost, {arguments.mbps:g} Mbit/s each")
            print(f"rounds: {[each['totals']['round'] for each in last]}; failed sends: {[each['totals']['failedSends'] for each in last]}; {took:.1f} s after the first round")
            print(f"models: {[round(each / took / limit, 3) for each in models]} of the limit over all that time, training included; headers and what was sent again: {again}")
    finally:
        between.terminate()
        print("the network: " + between.communicate()[0].strip())


def strangers(_):
    for what, authority, network_id in (("another authority", "foreign", NETWORK), ("another network", "ca", "other")):
        with tempfile.TemporaryDirectory() as home:
            network = Network(home, ["rounds=2", "method.timeout.seconds=5"], send_seconds=4)
            kindred("node", "cert", "ca", network.home / "foreign")
            network.identity(3, network.home / authority, network_id)
            for number in range(4):
                network.start(number)
            network.wait("the three others", lambda: all(network.round(n) >= 2 for n in range(3)))
            network.stop()
            for number in range(4):
                for line in network.log(number).splitlines():
                    if "refused" in line:
                        print(f"{what}, log of node {number}: {line}")


def trainers_of(process):
    """The processes that a node started."""
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True).stdout
    return [int(each) for each in found.split()]


def mixed_run(seed, settings, trainers, rounds, kills):
    """Accuracy of each peer after the last round, seconds, and the log lines about trainers."""
    with tempfile.TemporaryDirectory() as home:
        network = Network(home, [f"seed={seed}", *settings], record=True, trainers=trainers)
        began = time.monotonic()
        for number in range(4):
            network.start(number)
        for time_number in range(kills):
            goal = (time_number + 1) * rounds // (kills + 1)
            network.wait(f"round {goal}", lambda: network.round(3) >= goal)
            for number in trainers:
                for trainer in trainers_of(network.status(number)["process"]):
                    os.kill(trainer, signal.SIGKILL)
        network.wait("all rounds", lambda: all(network.round(n) >= rounds for n in range(4)))
        took = time.monotonic() - began
        network.stop()
        last = [[m for m in network.metrics(n) if m["round"] == rounds and m["stage"] == "mixed"][-1] for n in range(4)]
        failures = [line.split(" ", 1)[1] for n in range(4) for line in network.log(n).splitlines() if "trainer failed" in line]
        replays = [kindred("node", "replay", "--config", network.config(n)).strip() for n in range(4)]
        return [m["accuracy"] for m in last], took, failures, replays


def mixed(arguments):
    rounds = rounds_of_file()
    python = {"command": [arguments.python, str(ROOT / "examples" / "python" / "perceptron.py")]}
    means = {"java": [], "mixed": []}
    for seed in arguments.seeds:
        for name, trainers in (("java", {}), ("mixed", {2: python, 3: python})):
            kills = arguments.kills if trainers else 0
            accuracies, took, failures, replays = mixed_run(seed, arguments.set, trainers, rounds, kills)
            means[name].append(sum(accuracies) / 4)
            print(json.dumps({"seed": seed, "run": name, "accuracies": accuracies, "seconds": round(took, 1),
                              "trainerFailures": failures, "replays": replays}), flush=True)
    show = lambda name: f"{100 * sum(means[name]) / len(means[name]):.2f}"
    print(f"mean accuracy: all in Java {show('java')}, two of four in Python {show('mixed')} points")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("compare")
    verb.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    verb.add_argument("--set", action="append", default=[], help="a setting to change, such as method=dfca")
    verb.set_defaults(run=compare)
    verb = verbs.add_parser("kill")
    verb.add_argument("--times", type=int, default=5)
    verb.set_defaults(run=kill)
    verb = verbs.add_parser("storm")
    verb.add_argument("--seconds", type=int, default=300)
    verb.add_argument("--seed", type=int, default=1)
    verb.set_defaults(run=storm)
    verb = verbs.add_parser("spaces")
    verb.add_argument("--peers", type=int, default=3)
    verb.add_argument("--rounds", type=int, default=10)
    verb.add_argument("--delay", type=float, default=20, help="milliseconds one way")
    verb.add_argument("--loss", type=float, default=0.01, help="share of packets that are dropped")
    verb.add_argument("--mbps", type=float, default=50, help="megabits a second that one node sends")
    verb.set_defaults(run=spaces)
    verbs.add_parser("strangers").set_defaults(run=strangers)
    verb = verbs.add_parser("mixed")
    verb.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    verb.add_argument("--set", action="append", default=[], help="a setting to change, such as method=dfca")
    verb.add_argument("--kills", type=int, default=0, help="how often the Python trainers are killed")
    verb.add_argument("--python", default="python3")
    verb.set_defaults(run=mixed)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
