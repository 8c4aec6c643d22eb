"""The trainer's side of the connection to a Kindred node: messages of trainer.proto, and the server.

Needs grpc and numpy only. Write a class with the methods of `Trainer` below and hand it to `serve`.
The protocol: docs/how-to/train-in-another-language.md
"""
import json
import os
import struct
import sys
import threading
from concurrent import futures

import grpc
import numpy as np

VERSION = 1
PART_BYTES = 1 << 20

# The messages of trainer.proto: fields in their order, from 1. A type in brackets is repeated.
MESSAGES = {
    "HelloRequest": [("version", "int"), ("peer", "int"), ("layout", ["Block"]), ("layers", ["string"]),
                     ("task", "string"), ("input_shape", ["int"]), ("outputs", "int"), ("data_file", "string")],
    "Block": [("name", "string"), ("shape", ["int"]), ("trained", "bool")],
    "HelloReply": [("version", "int"), ("name", "string"), ("offers", ["string"]), ("train_samples", "int"),
                   ("validation_samples", "int"), ("test_samples", "int"), ("common_samples", "int"),
                   ("label_counts", ["int"])],
    "VectorPart": [("name", "string"), ("values", "bytes")],
    "VectorName": [("name", "string")],
    "Done": [],
    "View": [("split", "string"), ("selection", "string"), ("indices", ["int"]), ("weights", "bytes")],
    "TrainRequest": [("view", "View"), ("batch", "int"), ("epochs", "int"), ("steps", "int"),
                     ("optimizer", "Optimizer"), ("proximal", ["Proximal"]), ("cosine", ["Cosine"]),
                     ("lookahead", "double"), ("layers", ["string"]), ("seed", "int"), ("velocity", "string"),
                     ("return_velocity", "bool")],
    "Optimizer": [("rule", "string"), ("learning_rate", "double"), ("weight_decay", "double"), ("clip", "double"),
                  ("momentum", "double"), ("nesterov", "bool"), ("first_decay", "double"),
                  ("second_decay", "double"), ("epsilon", "double")],
    "Proximal": [("anchor", "string"), ("mu", "double")],
    "Cosine": [("origin", "string"), ("target", "string"), ("lambda", "double")],
    "TrainReply": [("loss", "double"), ("samples", "int")],
    "EvaluateReply": [("samples", "int"), ("loss", "double"), ("accuracy", "double"), ("errors", ["Figure"])],
    "Figure": [("name", "string"), ("value", "double")],
}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value - (1 << 64) if value >> 63 else value, at


def encode(message, values):
    out = bytearray()
    for number, (name, kind) in enumerate(MESSAGES[message], 1):
        value = values.get(name)
        if not value:
            continue
        if kind == ["int"]:
            kind, value = "bytes", b"".join(varint(each) for each in value)
        for each in value if isinstance(kind, list) else [value]:
            one = kind[0] if isinstance(kind, list) else kind
            if one in ("int", "bool"):
                out += varint(number << 3) + varint(int(each))
            elif one == "double":
                out += varint(number << 3 | 1) + struct.pack("<d", each)
            else:
                content = each if one == "bytes" else each.encode() if one == "string" else encode(one, each)
                out += varint(number << 3 | 2) + varint(len(content)) + content
    return bytes(out)


def decode(message, data):
    fields = MESSAGES[message]
    empty = {"int": 0, "bool": False, "double": 0.0, "string": "", "bytes": b""}
    values = {name: [] if isinstance(kind, list) else empty.get(kind, {}) for name, kind in fields}
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            content, at = read_varint(data, at)
        elif wire == 2:
            length, at = read_varint(data, at)
            content, at = data[at:at + length], at + length
        else:
            size = 8 if wire == 1 else 4
            content, at = data[at:at + size], at + size
        if not 1 <= number <= len(fields):
            continue
        name, kind = fields[number - 1]
        one = kind[0] if isinstance(kind, list) else kind
        if one == "int" and wire == 2:
            place = 0
            while place < len(content):
                value, place = read_varint(content, place)
                values[name].append(value)
            continue
        if one == "double":
            content = struct.unpack("<d", content)[0]
        elif one == "bool":
            content = bool(content)
        elif one == "string":
            content = content.decode()
        elif one not in ("int", "bytes"):
            content = decode(one, content)
        if isinstance(kind, list):
            values[name].append(content)
        else:
            values[name] = content
    return values


def read_safetensors(file):
    with open(file, "rb") as data:
        header = json.loads(data.read(struct.unpack("<Q", data.read(8))[0]))
        start = data.tell()
        header.pop("__metadata__", None)
        tensors = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            data.seek(start + begin)
            tensors[name] = np.frombuffer(data.read(end - begin), "<f4").reshape(entry["shape"])
        return tensors


class Refused(Exception):
    """Raised by a trainer that cannot do the requested work; the node stops with this message."""


class Trainer:
    """The methods that a trainer implements. `vectors` are flat float32 arrays by name; "model" is the vector to train and to evaluate."""

    def hello(self, request):
        """Prepares the trainer and returns the fields of HelloReply, all but the version."""

    def train(self, request, vectors):
        """Returns the new model, its mean loss over the last pass and the number of samples seen.
        A trainer that offers "velocity" starts from the vector that request["velocity"] names, from zero where the
        name is empty, and returns the final velocity as a fourth value."""

    def evaluate(self, view, model):
        """Returns the fields of EvaluateReply."""

    def losses(self, view, model):
        """Returns a loss for each sample."""

    def outputs(self, view, model):
        """Returns a row for each sample."""


class _Service(grpc.GenericRpcHandler):
    def __init__(self, trainer):
        self.trainer = trainer
        self.vectors = {}
        self.calls = {
            "Hello": (grpc.unary_unary_rpc_method_handler, self.hello, "HelloRequest", "HelloReply"),
            "SetWeights": (grpc.stream_unary_rpc_method_handler, self.set_weights, "VectorPart", "Done"),
            "GetWeights": (grpc.unary_stream_rpc_method_handler, self.get_weights, "VectorName", "VectorPart"),
            "Train": (grpc.unary_unary_rpc_method_handler, self.train, "TrainRequest", "TrainReply"),
            "Evaluate": (grpc.unary_unary_rpc_method_handler, self.evaluate, "View", "EvaluateReply"),
            "Losses": (grpc.unary_stream_rpc_method_handler, self.losses, "View", "VectorPart"),
            "Outputs": (grpc.unary_stream_rpc_method_handler, self.outputs, "View", "VectorPart"),
        }

    def service(self, details):
        found = self.calls.get(details.method.rpartition("/")[2])
        if found is None or not details.method.startswith("/kindred.trainer.Trainer/"):
            return None
        kind, behaviour, question, answer = found
        return kind(behaviour, lambda data: decode(question, data), lambda values: encode(answer, values))

    def ask(self, context, work, *arguments):
        try:
            return work(*arguments)
        except Refused as refused:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(refused))

    def hello(self, request, context):
        if request["version"] != VERSION:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, f"this trainer speaks version {VERSION}")
        return {"version": VERSION, **self.ask(context, self.trainer.hello, request)}

    def set_weights(self, parts, context):
        name, content = None, []
        for part in parts:
            name = name or part["name"]
            content.append(part["values"])
        self.vectors[name] = np.frombuffer(b"".join(content), "<f4")
        return {}

    @staticmethod
    def parts(values):
        data = np.ascontiguousarray(values, "<f4").tobytes()
        for start in range(0, len(data), PART_BYTES):
            yield {"values": data[start:start + PART_BYTES]}

    def get_weights(self, request, context):
        yield from self.parts(self.vectors[request["name"]])

    def train(self, request, context):
        model, loss, samples, *velocity = self.ask(context, self.trainer.train, request, self.vectors)
        self.vectors["model"] = model
        if request["return_velocity"]:
            self.vectors["velocity"] = velocity[0]
        return {"loss": loss, "samples": samples}

    def evaluate(self, view, context):
        return self.ask(context, self.trainer.evaluate, view, self.vectors["model"])

    def losses(self, view, context):
        yield from self.parts(self.ask(context, self.trainer.losses, view, self.vectors["model"]))

    def outputs(self, view, context):
        yield from self.parts(self.ask(context, self.trainer.outputs, view, self.vectors["model"]))


def serve(trainer):
    """Listens at the address that the node gives, until standard input closes: then the node has ended or needs the trainer no longer."""
    address = os.environ.get("KINDRED_TRAINER_ADDRESS") or sys.exit("KINDRED_TRAINER_ADDRESS says where to listen")
    unlimited = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
    # One thread: a trainer has one piece of work at a time.
    server = grpc.server(futures.ThreadPoolExecutor(1), options=unlimited)
    server.add_generic_rpc_handlers((_Service(trainer),))
    server.add_insecure_port(address)
    server.start()
    sys.stdin.buffer.read()
    os._exit(0)
