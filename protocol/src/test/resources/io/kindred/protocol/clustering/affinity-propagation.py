"""Writes affinity-propagation.txt with scikit-learn; the matrices are drawn here and in the test by
the same integer arithmetic, so that only parameters and results are stored. scikit-learn adds noise
to break ties: a drawn matrix is kept where five seeds of that noise all settle on one partition."""

import sys
import warnings

import numpy as np
import sklearn
from sklearn.cluster import affinity_propagation
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

MASK = (1 << 64) - 1


class Draws:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def unit(self):
        return (self.next() >> 44) / (1 << 20)


def drawn(kind, seed):
    draws = Draws(seed)
    n = 3 + draws.next() % 38
    groups = 2 + draws.next() % 4
    group = [draws.next() % groups for _ in range(n)]
    s = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            u = draws.unit()
            if kind == "uniform":
                s[i, j] = 2 * u - 1
            else:
                s[i, j] = 0.5 + 0.5 * u if group[i] == group[j] else 0.5 * u - 0.125
            s[j, i] = s[i, j]
    return s


def by_distance(points):
    """Points are whole numbers of 1/1024."""
    p = np.asarray(points, dtype=np.float64)
    return -((p[:, None] - p[None]) ** 2).sum(-1) / (1 << 20)


def cluster(s, preference, damping, iterations, noise):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exemplars, labels = affinity_propagation(
            s.astype(np.float32).astype(np.float64), preference=preference, damping=damping,
            max_iter=iterations, convergence_iter=15, random_state=noise)
    settled = not any(issubclass(w.category, ConvergenceWarning) for w in caught)
    return settled, [int(exemplars[l]) if l >= 0 else -1 for l in labels]


def row(*fields):
    print(";".join(fields))


def numbers(values):
    return " ".join(str(int(v)) for v in values)


def random_matrices(kind, wanted):
    kept, seed = 0, 0
    while kept < wanted:
        s = drawn(kind, seed)
        preference = np.median(s[~np.eye(len(s), dtype=bool)])
        results = [cluster(s, preference, 0.7, 200, noise) for noise in range(5)]
        if all(r[0] and r[1] == results[0][1] for r in results):
            row(kind, str(seed), "median", "0.7", "200", numbers(results[0][1]))
            kept += 1
        seed += 1
    print(f"# {kind}: kept {kept} of {seed}")


def documented(name, points, preference, iterations=200, damping=0.5):
    points = np.asarray(points)
    s = by_distance(points)
    p = np.median(s) if preference == "whole-median" else preference
    settled, exemplars = cluster(s, p, damping, iterations, 0)
    row("points", name, repr(float(p)), str(damping), str(iterations), numbers(exemplars),
        "|".join(numbers(point) for point in points))


def blobs(count, spread, shift):
    centers = np.array([[1, 1], [-1, -1], [1, -1]]) + shift
    points, _ = make_blobs(n_samples=count, centers=centers, cluster_std=spread, random_state=0)
    return np.rint(points * 1024)


print(f"# scikit-learn {sklearn.__version__}, numpy {np.__version__}")
print("# kind; seed or name; preference; damping; iterations; exemplar of each; points in 1/1024")
random_matrices("uniform", 50)
random_matrices("planted", 50)
documented("six-points", np.array([[1, 2], [1, 4], [1, 0], [4, 2], [4, 4], [4, 0]]) * 1024, "whole-median")
sixty = blobs(60, 0.4, 10)
documented("sixty-blobs", sixty, float(np.median(by_distance(sixty)) * 10))
# At its own damping of 0.5 this case turns on the last bits: noise of 1e-11 of the range changes the
# partition, in scikit-learn as well. At 0.7 noise of 1e-7 does not.
documented("three-hundred-blobs", blobs(300, 0.5, 0), -50.0, damping=0.7)
two = np.array([[-1, 1], [1, -1]]) * 1024
documented("two-liked", two, 0.0)
documented("two-disliked", two, -10.0)
documented("one-iteration", np.array([[0, 0], [1, 1], [-2, -2]]) * 1024, -10.0, 1)
documented("two-iterations", np.array(
    [[1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 0, 0], [0, 0, 1, 0, 0, 1]]) * 1024, "whole-median", 2)
sys.stdout.flush()
