"""Steps per second of plain PyTorch on the workloads of TrainingSpeed, one thread in this process.

Usage: training_speed.py WORKLOAD SECONDS. Prints one number: steps per second, the median of six windows.
SGD with momentum 0.9, cross-entropy, float32, synthetic data, as the Java side does.
Usage: training_speed.py blas. Prints the version of PyTorch and the library that multiplies its matrices; the word
"reference" follows if that is the reference BLAS, which is many times slower than any other.
"""
import os
import re
import statistics
import sys
import time

import torch
from torch import nn

torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, channels, filters, stride):
        super().__init__()
        self.path = nn.Sequential(
            nn.Conv2d(channels, filters, 3, stride, 1, bias=False), nn.BatchNorm2d(filters), nn.ReLU(),
            nn.Conv2d(filters, filters, 3, 1, 1, bias=False), nn.BatchNorm2d(filters))
        self.shortcut = nn.Sequential()
        if stride != 1 or channels != filters:
            self.shortcut = nn.Sequential(
                nn.Conv2d(channels, filters, 1, stride, bias=False), nn.BatchNorm2d(filters))

    def forward(self, x):
        return torch.relu(self.path(x) + self.shortcut(x))


def resnet18(classes):
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for filters, stride in ((64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)):
        layers.append(Block(channels, filters, stride))
        channels = filters
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, classes))


def workload(name):
    if name == "W1":
        return nn.Sequential(
            nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, 10)), (1, 28, 28), 64, 10
    if name == "W1u":
        return nn.Sequential(
            nn.Conv2d(1, 32, 5), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, 10)), (1, 28, 28), 64, 10
    if name == "W2":
        return nn.Sequential(
            nn.Conv2d(3, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
            nn.Linear(84, 10)), (3, 32, 32), 16, 10
    if name == "W3":
        return nn.Sequential(nn.Linear(784, 2048), nn.ReLU(), nn.Linear(2048, 10)), (784,), 64, 10
    if name == "W3b":
        return nn.Sequential(nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10)), (784,), 32, 10
    if name == "W4":
        return resnet18(200), (3, 64, 64), 64, 200
    raise SystemExit("no workload " + name)


def training(name):
    model, shape, batch, classes = workload(name)
    x = torch.randn(batch, *shape)
    y = torch.randint(0, classes, (batch,))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9)

    def step():
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

    return step


def blas_among(libraries):
    """The BLAS among the files that a process has mapped; empty if it is part of PyTorch itself."""
    fast = [each for each in libraries if re.search("openblas|mkl|blis|atlas", each)]
    plain = [each for each in libraries if os.path.basename(each).startswith("libblas.so")]
    if fast:
        return fast[0]
    return plain[0] + " reference" if plain else ""


def blas():
    torch.mm(torch.ones(2, 2), torch.ones(2, 2))
    with open("/proc/self/maps") as maps:
        libraries = sorted({line.split(None, 5)[5].strip() for line in maps if "/" in line})
    found = blas_among(libraries)
    built_in = re.search("BLAS_INFO=([a-z]+)", torch.__config__.show())
    return found or "built in: " + (built_in.group(1) if built_in else "unknown")


def main():
    if sys.argv[1] == "blas":
        print("torch", torch.__version__, blas())
        return
    step = training(sys.argv[1])
    seconds = float(sys.argv[2])
    end = time.perf_counter() + seconds / 3
    while time.perf_counter() < end:
        step()
    rates = []
    for _ in range(6):
        start = time.perf_counter()
        count = 0
        while time.perf_counter() - start < seconds / 6 or count == 0:
            step()
            count += 1
        rates.append(count / (time.perf_counter() - start))
    print(statistics.median(rates))


main()
