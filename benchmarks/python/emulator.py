#!/usr/bin/env python3
"""A network of a few namespaces with delay, loss and a limited rate, for real nodes. Needs root, Linux and TUN.

  benchmarks/python/emulator.py --spaces 3 --delay 20 --loss 0.01 --mbps 50

Namespaces kindred-0, kindred-1, ... get the addresses 10.77.0.1, 10.77.0.2, ... Every packet between them is read here, dropped by
a seeded lot, held back until its sender's rate allows for it and its delay is over, and written to where it goes. Runs until it
is told to stop, then prints what passed as one JSON object.
"""
import argparse
import fcntl
import heapq
import json
import os
import random
import select
import signal
import struct
import subprocess
import time

SET_INTERFACE = 0x400454CA
TUN_WITHOUT_HEADER = 0x1001
# A queue in front of a rate-limited link, as in routers.
QUEUE_SECONDS = 0.2
BIN_SECONDS = 0.5


def ip(*words):
    subprocess.run(["ip", *map(str, words)], check=True)


def space(number):
    return f"kindred-{number}"


def address(number):
    return f"10.77.0.{number + 1}"


def attach(number):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    name = f"kindred{number}"
    fcntl.ioctl(device, SET_INTERFACE, struct.pack("16sH", name.encode(), TUN_WITHOUT_HEADER))
    subprocess.run(["ip", "netns", "del", space(number)], stderr=subprocess.DEVNULL)
    ip("netns", "add", space(number))
    ip("link", "set", name, "netns", space(number))
    ip("-n", space(number), "addr", "add", f"{address(number)}/24", "dev", name)
    ip("-n", space(number), "link", "set", name, "up")
    ip("-n", space(number), "link", "set", "lo", "up")
    return device


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spaces", type=int, default=3)
    parser.add_argument("--delay", type=float, default=20, help="milliseconds one way")
    parser.add_argument("--loss", type=float, default=0.01, help="share of packets that are dropped")
    parser.add_argument("--mbps", type=float, default=50, help="megabits a second that one namespace sends")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lot = random.Random(arguments.seed)
    devices = [attach(number) for number in range(arguments.spaces)]
    seconds_per_byte = 8 / (arguments.mbps * 1e6)
    free = [0.0] * arguments.spaces
    passed, lost, crowded = [0] * arguments.spaces, 0, 0
    packets = 0
    bins = [{} for _ in devices]
    under_way = []
    stopping = []
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(True))
    signal.signal(signal.SIGINT, lambda *_: stopping.append(True))
    print("ready", flush=True)
    while not stopping:
        now = time.monotonic()
        while under_way and under_way[0][0] <= now:
            _, _, target, packet = heapq.heappop(under_way)
            try:
                os.write(devices[target], packet)
            except OSError:
                crowded += 1
        wait = min(0.1, under_way[0][0] - now) if under_way else 0.1
        ready, _, _ = select.select(devices, [], [], max(0, wait))
        for device in ready:
            source = devices.index(device)
            for _ in range(64):
                try:
                    packet = os.read(device, 65536)
                except BlockingIOError:
                    break
                target = packet[19] - 1 if packet[0] >> 4 == 4 else -1
                if not 0 <= target < arguments.spaces:
                    continue
                now = time.monotonic()
                packets += 1
                if lot.random() < arguments.loss:
                    lost += 1
                    continue
                start = max(now, free[source])
                if start - now > QUEUE_SECONDS:
                    crowded += 1
                    continue
                free[source] = start + len(packet) * seconds_per_byte
                passed[source] += len(packet)
                slot = int(free[source] / BIN_SECONDS)
                bins[source][slot] = bins[source].get(slot, 0) + len(packet)
                heapq.heappush(under_way, (free[source] + arguments.delay / 1e3, packets, target, packet))
    limit = BIN_SECONDS / seconds_per_byte
    # Half seconds in which a namespace had more to send than heartbeats.
    busy = [[size / limit for size in each.values() if size > 0.1 * limit] for each in bins]
    print(json.dumps({
        "packets": packets, "lost": lost, "crowdedOut": crowded, "bytes": passed,
        "busySeconds": [round(BIN_SECONDS * len(each), 1) for each in busy],
        "shareOfLimitWhenBusy": [round(sum(each) / len(each), 3) if each else 0 for each in busy],
    }), flush=True)
    for number in range(arguments.spaces):
        subprocess.run(["ip", "netns", "del", space(number)])


if __name__ == "__main__":
    main()
