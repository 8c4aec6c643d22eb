#!/usr/bin/env python3
"""Eight nodes with own data under kills, pauses, a full disk, a wrong clock and new certificates. Needs root, cc and a node archive.

  scripts/dist node && mkdir archive && tar -xzf target/kindred-node-*.tar.gz -C archive --strip-components 1
  benchmarks/python/soak.py --kindred archive/kindred --seconds 3600 --home soak

Node 0 is never killed or paused, so that its memory and open files are those of one process. A random node of 1 to 7 is killed
with SIGKILL every 20 s and started again after a second, and a random one is paused for 15 s every minute. The disk of node 3 is
full for the second fifth of the time. The clock of node 5 is an hour ahead for a tenth, right for a tenth, and an hour behind for a
tenth of the time. All certificates are renewed in the middle. The last minute is without faults; then node 7 is revoked, by a list
that only node 0 gets. Report and events: HOME/soak.jsonl.
"""
import argparse
import json
import mmap
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

NODES = 8
WATCHED, FULL_DISK, WRONG_CLOCK = 0, 3, 5
CLASSES = ["fern", "iris", "lily", "rose"]
HOUR = 3600

# The wall clock of a process, moved by the seconds in a file; monotonic clocks stay right.
CLOCK = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile int64_t *offset;
__attribute__((constructor)) static void load(void) {
  const char *file = getenv("CLOCK_OFFSET");
  int opened = file ? open(file, O_RDONLY) : -1;
  if (opened < 0) return;
  void *mapped = mmap(0, 8, PROT_READ, MAP_SHARED, opened, 0);
  close(opened);
  if (mapped != MAP_FAILED) offset = mapped;
}
int clock_gettime(clockid_t id, struct timespec *to) {
  int result = syscall(SYS_clock_gettime, id, to);
  if (result == 0 && offset && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) to->tv_sec += *offset;
  return result;
}
int gettimeofday(struct timeval *restrict to, void *restrict zone) {
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  to->tv_sec = now.tv_sec;
  to->tv_usec = now.tv_nsec / 1000;
  return result;
}
time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}
"""


class Soak:
    def __init__(self, arguments):
        self.home = pathlib.Path(arguments.home).resolve()
        self.program = str(pathlib.Path(arguments.kindred).resolve())
        self.seconds = arguments.seconds
        self.draw = random.Random(arguments.seed)
        self.processes = [None] * NODES
        self.paused = {}
        self.home.mkdir(parents=True)
        self.report = open(self.home / "soak.jsonl", "a", buffering=1)

    def folder(self, number):
        return self.home / f"node-{number}"

    def kindred(self, *words, **options):
        return subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, **options)

    def must(self, *words):
        done = self.kindred(*words)
        if done.returncode != 0:
            sys.exit(f"kindred {' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}")

    def say(self, event, **values):
        line = {"at": round(self.at(), 1), "event": event, **values}
        self.report.write(json.dumps(line) + "\n")

    def at(self):
        return time.monotonic() - self.begun if hasattr(self, "begun") else 0

    def prepare(self):
        source = self.home / "clock.c"
        source.write_text(CLOCK)
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(self.home / "clock.so"), str(source)], check=True)
        self.offset_file = self.home / "clock.offset"
        self.offset_file.write_bytes(struct.pack("<q", 0))
        with open(self.offset_file, "r+b") as file:
            self.offset = mmap.mmap(file.fileno(), 8)
        held = [socket.socket() for _ in range(NODES)]
        for each in held:
            each.bind(("127.0.0.1", 0))
        ports = [each.getsockname()[1] for each in held]
        for each in held:
            each.close()
        self.must("node", "cert", "ca", self.home / "ca")
        for number in range(NODES):
            folder = self.folder(number)
            folder.mkdir()
            if number == FULL_DISK:
                subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(folder)], check=True)
            (folder / "mine.csv").write_text(self.table(number))
            (folder / "soak.task.yaml").write_text(TASK)
            others = ", ".join(f"{i}: 127.0.0.1:{ports[i]}" for i in range(NODES) if i in (0, (number + 1) % NODES) and i != number)
            (folder / "node.yaml").write_text(
                "task: soak.task.yaml\ndata: {name: csv, file: mine.csv}\n"
                f"listen: 127.0.0.1:{ports[number]}\nneighbours: {{{others}}}\n"
                "memoryMegabytes: 320\ngatherSeconds: 60\ndeployment: {everyRounds: 20}\n")
            self.must("node", "init", folder / "identity")
            self.must("node", "cert", "issue", folder / "identity", "--authority", self.home / "ca", "--network", "soak", "--peer", number)

    def table(self, number):
        """Most rows are of two classes; which two differs between nodes."""
        rows = ["a,b,c,d,label"]
        for _ in range(100 + 20 * number):
            kind = (number + self.draw.randrange(2)) % 4 if self.draw.random() < 0.9 else self.draw.randrange(4)
            rows.append(",".join(f"{5 + 2 * (column == kind) + self.draw.gauss(0, 1):.3f}" for column in range(4)) + "," + CLASSES[kind])
        return "\n".join(rows) + "\n"

    def start(self, number):
        environment = {**os.environ, "KINDRED_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:ActiveProcessorCount=2"}
        if number == WRONG_CLOCK:
            environment |= {"LD_PRELOAD": str(self.home / "clock.so"), "CLOCK_OFFSET": str(self.offset_file)}
        # The log is outside of the node's folder: a process whose log goes to a full disk says nothing about it.
        with open(self.home / f"log-{number}.txt", "a") as log:
            self.processes[number] = subprocess.Popen(
                [self.program, "node", "start", "--config", str(self.folder(number) / "node.yaml")], stdout=log, stderr=log, env=environment)

    def status(self, number):
        try:
            return json.loads((self.folder(number) / "run" / "status.json").read_text())
        except (OSError, json.JSONDecodeError):
            return {}

    def rounds(self):
        return [self.status(n).get("totals", {}).get("round", -1) for n in range(NODES)]

    def measure(self):
        memory, files = [], []
        for process in self.processes:
            try:
                text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                memory.append(int(text.split("VmRSS:")[1].split()[0]) // 1024)
                files.append(len(os.listdir(f"/proc/{process.pid}/fd")))
            except (OSError, IndexError):
                memory.append(None)
                files.append(None)
        self.say("measured", rounds=self.rounds(), rssMegabytes=memory, openFiles=files, load=os.getloadavg()[0],
                 watchedHeard=len([1 for each in self.status(WATCHED).get("heard", {}).values() if (each.get("secondsAgo") or 1e9) < 60]))

    def run(self):
        self.prepare()
        self.begun = time.monotonic()
        for number in range(NODES):
            self.start(number)
        while min(self.rounds()) < 2:
            time.sleep(1)
            if self.at() > 600:
                sys.exit("the nodes do not learn")
        self.say("all nodes learn", rounds=self.rounds())
        self.begun = time.monotonic()
        self.watched = self.processes[WATCHED].pid
        plan = [(0.2, self.fill), (0.4, self.free), (0.3, lambda: self.clock(HOUR)), (0.4, lambda: self.clock(0)), (0.5, self.renew),
                (0.6, lambda: self.clock(-HOUR)), (0.7, lambda: self.clock(0))]
        plan = sorted(((share * self.seconds, do) for share, do in plan), key=lambda each: each[0])
        kills, pauses, next_kill, next_pause, next_measure = [0] * NODES, [0] * NODES, 20, 30, 0
        restart = {}
        while self.at() < self.seconds - 60:
            at = self.at()
            while plan and at >= plan[0][0]:
                plan.pop(0)[1]()
            for number in [n for n, when in restart.items() if at >= when]:
                del restart[number]
                self.start(number)
            for number in [n for n, when in self.paused.items() if at >= when]:
                self.resume(number)
            for number, process in enumerate(self.processes):
                if number not in restart and process.poll() is not None:
                    self.say("ended by itself", node=number, code=process.returncode)
                    restart[number] = at + 1
            if at >= next_kill:
                next_kill += 20
                victim = self.draw.choice([n for n in range(1, NODES) if n not in self.paused and n not in restart])
                self.processes[victim].kill()
                self.processes[victim].wait()
                kills[victim] += 1
                restart[victim] = at + 1
            if at >= next_pause:
                next_pause += 60
                victim = self.draw.choice([n for n in range(1, NODES) if n not in self.paused and n not in restart])
                self.processes[victim].send_signal(signal.SIGSTOP)
                pauses[victim] += 1
                self.paused[victim] = at + 15
            if at >= next_measure:
                next_measure += 60
                self.measure()
            time.sleep(0.2)
        for number in restart:
            self.start(number)
        for number in list(self.paused):
            self.resume(number)
        self.say("faults end", kills=kills, pauses=pauses, rounds=self.rounds())
        time.sleep(max(60, self.seconds - self.at()))
        self.measure()
        self.judge(kills, pauses)

    def resume(self, number):
        self.processes[number].send_signal(signal.SIGCONT)
        self.paused.pop(number)

    def fill(self):
        ballast = self.folder(FULL_DISK) / "ballast"
        try:
            with open(ballast, "wb", buffering=0) as file:
                while True:
                    file.write(b"0" * 4096)
        except OSError:
            pass
        self.say("disk full", node=FULL_DISK, ballast=ballast.stat().st_size)

    def free(self):
        (self.folder(FULL_DISK) / "ballast").unlink()
        self.say("disk free", node=FULL_DISK, unwritten=self.status(FULL_DISK).get("unwritten"))

    def clock(self, seconds):
        self.offset[:] = struct.pack("<q", seconds)
        self.say("clock", node=WRONG_CLOCK, offsetSeconds=seconds)

    def renew(self):
        """Takes longer than a second on a busy machine, and the other faults go on meanwhile."""
        threading.Thread(target=self.renew_all).start()

    def renew_all(self):
        before = [self.status(n).get("certificateUntil") for n in range(NODES)]
        for number in range(NODES):
            self.must("node", "cert", "renew", self.folder(number) / "identity", "--authority", self.home / "ca", "--days", 120)
        self.say("certificates renewed", until=before)

    def revoke(self, revoked):
        """Gives one node the list that revokes another node, and waits until all others have refused the revoked one."""
        self.must("node", "cert", "revoke", self.folder(revoked) / "identity", "--authority", self.home / "ca", "--copy-to", self.folder(0) / "identity")
        began, seconds = time.monotonic(), [None] * revoked
        while None in seconds and time.monotonic() < began + 120:
            for number in range(revoked):
                if seconds[number] is None and self.status(number).get("refused", {}).get("revoked-certificate"):
                    seconds[number] = round(time.monotonic() - began, 1)
            time.sleep(0.1)
        self.say("revoked", node=revoked, secondsUntilRefused=seconds)

    def judge(self, kills, pauses):
        statuses = [self.status(n) for n in range(NODES)]
        heard = [sorted(int(peer) for peer, each in status.get("heard", {}).items() if (each.get("secondsAgo") if each.get("secondsAgo") is not None else 1e9) < 60) for status in statuses]
        same = self.processes[WATCHED].pid == self.watched
        self.revoke(NODES - 1)
        for process in self.processes:
            process.terminate()
        codes = [process.wait(timeout=120) for process in self.processes]
        torn, accuracy, audits, logs, asked = {}, [], [], {}, []
        for number in range(NODES):
            run = self.folder(number) / "run"
            lines = (run / "metrics.jsonl").read_text().splitlines()
            bad = 0
            last = None
            for line in lines:
                try:
                    last = json.loads(line)
                except json.JSONDecodeError:
                    bad += 1
            accuracy.append(last and last.get("accuracy"))
            log = (self.home / f"log-{number}.txt").read_text()
            torn[number] = {"metrics": bad, "states": log.count("damaged"), "unfinished": [str(p) for p in run.rglob("*.part")]}
            # A node asks peers of its view only.
            lines = [json.loads(line) for line in (run / "audit.jsonl").read_text().splitlines() if '"asked"' in line]
            asked.append(sorted({line["peer"] for line in lines[-60:]}))
            done = self.kindred("node", "audit", "verify", "--config", self.folder(number) / "node.yaml")
            audits.append([done.returncode, (done.stdout + done.stderr).strip()])
            for line in log.splitlines():
                words = line.split(" ", 1)[1] if " " in line else line
                key = "".join("N" if c.isdigit() else c for c in words)[:70]
                logs[key] = logs.get(key, 0) + 1
        self.say("judged", rounds=[s.get("totals", {}).get("round") for s in statuses], heardInLastMinute=heard, peersOfTheLast60Requests=asked, watchedIsOneProcess=same,
                 exitCodes=codes, torn=torn, accuracy=accuracy, audits=audits, kills=kills, pauses=pauses,
                 certificateUntil=[s.get("certificateUntil") for s in statuses], refused=[s.get("refused") for s in statuses],
                 logLines=dict(sorted(logs.items(), key=lambda each: -each[1])[:60]))

    def close(self):
        for number, process in enumerate(self.processes):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()
        mounted = self.folder(FULL_DISK)
        if os.path.ismount(mounted):
            kept = self.home / "node-3-kept"
            shutil.copytree(mounted, kept)
            subprocess.run(["umount", str(mounted)], check=True)


TASK = """name: soak
inputs:
  columns: [{name: a, mean: 5, deviation: 2}, {name: b, mean: 5, deviation: 2}, {name: c, mean: 5, deviation: 2}, {name: d, mean: 5, deviation: 2}]
classes: [fern, iris, lily, rose]
method: {name: kin, k: 3, timeout: {seconds: 10}}
model: {name: mlp, hidden: [16]}
training: {epochs: 1, batch: 16, learningRate: 0.05, momentum: 0.9, velocity: keep}
rounds: 100000
roundSeconds: 3
heldOut: {test: 0.3}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kindred", required=True, help="the launcher of an unpacked node archive")
    parser.add_argument("--home", required=True, help="a new folder for nodes, logs and report")
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    soak = Soak(parser.parse_args())
    try:
        soak.run()
    finally:
        soak.close()


if __name__ == "__main__":
    main()
