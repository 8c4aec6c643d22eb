#!/usr/bin/env python3
"""A trainer of perceptrons in numpy: the models `softmax` and `mlp`, for classes.

Start it from a node's configuration:  trainer: {command: [python3, .../examples/python/perceptron.py]}
"""
import numpy as np

from kindred_trainer import Refused, Trainer, read_safetensors, serve


class Perceptron(Trainer):
    def hello(self, request):
        layers = request["layers"]
        plain = layers == [("dense", "relu")[i % 2] for i in range(len(layers))] and len(layers) % 2 == 1
        if request["task"] != "classification" or not plain:
            raise Refused(f"this trainer knows dense and relu layers for classes, not {layers} for {request['task']}")
        self.blocks, self.at = [], {}
        offset = 0
        for block in request["layout"]:
            size = int(np.prod(block["shape"]))
            self.at[block["name"]] = slice(offset, offset + size)
            self.blocks.append((slice(offset, offset + size), block["shape"]))
            offset += size
        self.size = offset
        if not request["data_file"]:
            raise Refused("this trainer has no data of its own; set trainer.data: handed")
        data = read_safetensors(request["data_file"])
        self.data = {
            split: (data[f"{split}.inputs"], data[f"{split}.labels"].astype(int))
            for split in ("train", "validation", "test", "common")
        }
        return {
            "name": f"perceptron, numpy {np.__version__}",
            "offers": ["train", "evaluate", "losses", "outputs", "some", "weighted", "proximal", "layers",
                       "velocity"],
            **{f"{split}_samples": len(labels) for split, (_, labels) in self.data.items()},
        }

    def rows(self, view):
        inputs, labels = self.data[view["split"]]
        weights = np.ones(len(labels), np.float32)
        if view["selection"] == "some":
            chosen = np.array(view["indices"], int)
            inputs, labels, weights = inputs[chosen], labels[chosen], weights[chosen]
        elif view["selection"] == "weighted":
            weights = np.frombuffer(view["weights"], "<f4")
        return inputs, labels, weights

    def layers(self, vector):
        """Weight and bias of each layer, as views into the flat vector."""
        arrays = [vector[place].reshape(shape) for place, shape in self.blocks]
        return list(zip(arrays[0::2], arrays[1::2]))

    def forward(self, model, inputs):
        """The input of each layer, and log-probabilities."""
        seen = [inputs]
        *hidden, last = self.layers(model)
        for weight, bias in hidden:
            seen.append(np.maximum(seen[-1] @ weight.T + bias, 0))
        scores = seen[-1] @ last[0].T + last[1]
        scores = scores - scores.max(axis=1, keepdims=True)
        return seen, scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))

    def slope(self, model, inputs, labels, weights, gradient):
        """Writes the gradient of the sum of the weighted losses by the number of samples; returns that sum."""
        seen, answers = self.forward(model, inputs)
        rows = np.arange(len(labels))
        error = np.exp(answers)
        error[rows, labels] -= 1
        error *= (weights / len(weights))[:, None]
        slopes = self.layers(gradient)
        for number in reversed(range(len(slopes))):
            weight, bias = slopes[number]
            weight[...] = error.T @ seen[number]
            bias[...] = error.sum(axis=0)
            if number:
                error = (error @ self.layers(model)[number][0]) * (seen[number] > 0)
        return float(-(weights * answers[rows, labels]).sum())

    def train(self, request, vectors):
        rule = request["optimizer"]
        if rule["rule"] != "sgd":
            raise Refused(f"this trainer knows sgd, not {rule['rule']}")
        inputs, labels, weights = self.rows(request["view"])
        model = vectors["model"].copy()
        gradient, velocity = np.zeros_like(model), np.zeros_like(model)
        if request["velocity"]:
            velocity = vectors[request["velocity"]].copy()
        moved = self.moved(request["layers"])
        batch = min(request["batch"] or len(labels), len(labels))
        per_pass = -(-len(labels) // batch)
        steps = request["steps"] or request["epochs"] * per_pass
        random = np.random.default_rng(request["seed"] % (1 << 64))
        samples, loss, seen = 0, 0.0, 0
        for step in range(steps):
            if step % per_pass == 0:
                order = random.permutation(len(labels))
                loss, seen = 0.0, 0
            chosen = order[step % per_pass * batch:][:batch]
            loss += self.slope(model, inputs[chosen], labels[chosen], weights[chosen], gradient)
            seen += len(chosen)
            samples += len(chosen)
            for term in request["proximal"]:
                gradient += np.float32(term["mu"]) * (model - vectors[term["anchor"]])
            gradient *= moved
            norm = float(np.linalg.norm(gradient))
            if rule["clip"] and norm > rule["clip"]:
                gradient *= np.float32(rule["clip"] / norm)
            pull = gradient + np.float32(rule["weight_decay"]) * model * moved
            velocity = np.where(moved, np.float32(rule["momentum"]) * velocity + pull, velocity)
            along = pull + np.float32(rule["momentum"]) * velocity if rule["nesterov"] else velocity
            model -= np.float32(rule["learning_rate"]) * along * moved
        return model, loss / max(seen, 1), samples, velocity

    def moved(self, layers):
        """1 for weights that are trained, 0 for the others."""
        mask = np.zeros(self.size, np.float32)
        for name, place in self.at.items():
            if not layers or any(name == layer or name.startswith(layer + ".") for layer in layers):
                mask[place] = 1
        return mask

    def evaluate(self, view, model):
        inputs, labels, _ = self.rows(view)
        _, answers = self.forward(model, inputs)
        return {
            "samples": len(labels),
            "loss": float(-answers[np.arange(len(labels)), labels].mean()),
            "accuracy": float((answers.argmax(axis=1) == labels).mean()),
        }

    def losses(self, view, model):
        inputs, labels, _ = self.rows(view)
        return -self.forward(model, inputs)[1][np.arange(len(labels)), labels]

    def outputs(self, view, model):
        inputs, _, _ = self.rows(view)
        return np.exp(self.forward(model, inputs)[1])


if __name__ == "__main__":
    serve(Perceptron())
