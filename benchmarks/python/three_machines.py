#!/usr/bin/env python3
"""Follows docs/tutorial/three-machines.md with the launcher, times each command, and proves which files a node opens.

  benchmarks/python/three_machines.py --home machines

A machine is a folder of HOME; the script replaces host names and ports, and copies what `scp` sends. Every `kindred node start` runs
under strace, which lists all files that the process and its children open. After the page, nodes with `method: local` learn from
the tables of south and east too, so that all three owners are compared alone and together. Needs strace.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tutorial" / "three-machines.md"
MACHINES = ["north", "south", "east"]
BLOCK = re.compile(r"```(sh|yaml)\n# (?:(\S+) )?on (\S+)\n(.*?)```", re.DOTALL)
OPENED = re.compile(r'(?:open|openat|openat2)\([^"]*"([^"]*)"[^=]*= \d')


class Machines:
    def __init__(self, home, program):
        self.home = home
        self.program = program
        self.nodes = []
        self.spent = 0.0
        held = [socket.socket() for _ in range(6)]
        for each in held:
            each.bind(("127.0.0.1", 0))
        self.ports = dict(zip(MACHINES + ["alone-north", "alone-south", "alone-east"], (each.getsockname()[1] for each in held)))
        for each in held:
            each.close()
        for machine in MACHINES:
            (home / machine).mkdir(parents=True)

    def local(self, machine, text):
        for other in MACHINES:
            text = text.replace(f"{other}:7400", f"127.0.0.1:{self.ports[other]}")
        return text.replace("0.0.0.0:7400", f"127.0.0.1:{self.ports[machine]}").replace("127.0.0.1:7410", f"127.0.0.1:{self.ports['alone-' + machine]}")

    def follow(self, machine, line):
        folder = self.home / machine
        environment = {**os.environ, "KINDRED_HOME": str(ROOT), "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}"}
        if line.startswith("scp "):
            *files, target = line.split()[1:]
            receiver, place = target.split(":")
            for each in files:
                if each.endswith((".csv", ".key")):
                    sys.exit(f"{line} sends a table or a key")
                shutil.copy(folder / each, self.home / receiver / (place or "."))
            print(f"{machine}: {line}", flush=True)
            return
        if line.startswith("kindred node start"):
            number = len(self.nodes)
            trace = self.home / f"{machine}-{number}.trace"
            with open(folder / f"log-{number}.txt", "w") as log:
                process = subprocess.Popen(["strace", "-f", "-e", "trace=%file", "--seccomp-bpf", "-o", str(trace), "sh", "-c", line], cwd=folder, env=environment, stdout=log, stderr=log)
            self.nodes.append((machine, process, folder / f"log-{number}.txt", trace, time.monotonic()))
            print(f"{machine}: {line}", flush=True)
            return
        if "preflight" not in line:
            self.await_nodes()
        began = time.monotonic()
        done = subprocess.run(["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)
        took = time.monotonic() - began
        self.spent += took
        print(f"{machine}: {line}   [{took:.1f} s]", flush=True)
        for each in (done.stdout + done.stderr).strip().splitlines():
            print(f"    {each}", flush=True)
        if done.returncode != 0:
            sys.exit(f"exit {done.returncode}")

    def await_nodes(self):
        for number, (machine, process, log, _, began) in enumerate(self.nodes):
            if began is None:
                continue
            while "the model of round 20 is " not in log.read_text():
                if process.poll() is not None:
                    sys.exit(f"node {machine} ended:\n{log.read_text()}")
                time.sleep(0.1)
            print(f"    {machine}: all rounds done and model deployed after {time.monotonic() - began:.1f} s", flush=True)
            self.nodes[number] = (machine, process, log, None, None)

    def stop(self):
        # strace passes no signal on, so the nodes themselves are told.
        for status in self.home.glob("*/run*/status.json"):
            os.kill(json.loads(status.read_text())["process"], signal.SIGTERM)
        for _, process, _, _, _ in self.nodes:
            process.wait(timeout=60)


def opened(home):
    """Of each node: files below HOME that it opened or asked about outside of its own folder, and its own ones."""
    for trace in sorted(home.glob("*.trace")):
        machine = trace.name.split("-")[0]
        own, foreign, asked, calls = set(), set(), set(), 0
        for line in trace.read_text(errors="replace").splitlines():
            calls += 1
            for path in OPENED.findall(line):
                where = pathlib.Path(os.path.normpath(home / machine / path))
                if home in where.parents and where.parent != home / "bin":
                    (own if home / machine in [where, *where.parents] else foreign).add(str(where.relative_to(home)))
                elif where.suffix in (".csv", ".npz", ".safetensors", ".gz", ".parquet"):
                    foreign.add(str(where))
            for other in MACHINES:
                if other != machine and f"{home}/{other}" in line:
                    asked.add(line)
        data = sorted(each for each in own if each.endswith(".csv"))
        print(f"{trace.name}: {calls} calls with a file name; own files opened: {len(own)}, of them tables: {data}; files of others opened: {sorted(foreign)}; calls that name another machine's folder: {len(asked)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", required=True, help="a new folder for the machines")
    parser.add_argument("--kindred", default=str(ROOT / "kindred"), help="the launcher to use")
    arguments = parser.parse_args()
    home = pathlib.Path(arguments.home).resolve()
    machines = Machines(home, arguments.kindred)
    (home / "bin").mkdir()
    (home / "bin" / "kindred").symlink_to(pathlib.Path(arguments.kindred).resolve())
    began = time.monotonic()
    for kind, file, machine, text in BLOCK.findall(PAGE.read_text()):
        if kind == "yaml":
            (home / machine / file).write_text(machines.local(machine, text))
        else:
            for line in text.strip().splitlines():
                machines.follow(machine, line)
    machines.await_nodes()
    print(f"the page took {time.monotonic() - began:.0f} s, of which commands other than 'node start' took {machines.spent:.0f} s")
    for machine in ("south", "east"):
        shutil.copy(home / "north" / "alone.task.yaml", home / machine)
        shutil.copy(home / "north" / "new.csv", home / machine)
        text = (home / "north" / "alone.yaml").read_text().replace("north.csv", f"{machine}.csv")
        (home / machine / "alone.yaml").write_text(text.replace(str(machines.ports["alone-north"]), str(machines.ports[f"alone-{machine}"])))
        machines.follow(machine, "kindred node start --config alone.yaml")
    for machine in ("south", "east"):
        machines.follow(machine, "kindred predict --model deployed/model.json --data new.csv --label species --out predicted.csv")
        machines.follow(machine, "kindred predict --model alone/model.json --data new.csv --label species --out alone.csv")
    machines.stop()
    opened(home)


if __name__ == "__main__":
    main()
