# SPDX-License-Identifier: MIT
"""Exports networks with torch.onnx and prints, for each, its name and the multiplications that torch
itself makes in a forward pass: those of the matrix products and convolutions that reach its
dispatcher. Usage: torch_exports.py FOLDER. Exit code 77 without torch."""
import math
import sys
import warnings

try:
    import torch
    import torch.onnx
    from torch import nn
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError:
    sys.exit(77)


class Counter(TorchDispatchMode):
    """Adds up products by the shapes that reach the dispatcher."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        name = func.__name__.split(".")[0]
        if name in ("mm", "bmm"):
            self.count += args[0].numel() * args[1].shape[-1]
        elif name in ("addmm", "baddbmm"):
            self.count += args[1].numel() * args[2].shape[-1]
        elif name == "convolution":
            data, weight, transposed = args[0], args[1], args[6]
            pixels = data if transposed else result
            self.count += pixels.numel() * weight.shape[1] * math.prod(weight.shape[2:])
        return result


def conv(i, o, k=3, **more):
    return nn.Sequential(nn.Conv2d(i, o, k, bias=False, **more), nn.BatchNorm2d(o), nn.ReLU())


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(16, 32, stride=2, padding=1), conv(32, 32, padding=1))
        self.side = nn.Conv2d(16, 32, 1, stride=2)

    def forward(self, x):
        return torch.relu(self.body(x) + self.side(x))


class Inception(nn.Module):
    def __init__(self):
        super().__init__()
        self.ways = nn.ModuleList([conv(24, 8, 1), conv(24, 12, 3, padding=1),
                                   conv(24, 6, (1, 7), padding=(0, 3))])
        self.head = nn.Linear(26, 10)

    def forward(self, x):
        return self.head(torch.cat([way(x) for way in self.ways], 1).mean((2, 3)))


class Excite(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = conv(8, 48, 1)
        self.deep = conv(48, 48, 5, stride=2, padding=2, groups=48)
        self.down, self.up = nn.Conv2d(48, 12, 1), nn.Conv2d(12, 48, 1)
        self.last = nn.Conv2d(48, 16, 1)

    def forward(self, x):
        x = self.deep(self.first(x))
        scale = self.up(torch.relu(self.down(x.mean((2, 3), keepdim=True))))
        return self.last(x * torch.sigmoid(scale))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = conv(3, 16, 3, stride=2, padding=1)
        self.middle = conv(16, 32, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1)
        self.out = nn.ConvTranspose2d(32, 4, 2, stride=2)

    def forward(self, x):
        low = self.down(x)
        return self.out(torch.cat([low, self.up(self.middle(low))], 1))


class Recurrent(nn.Module):
    def __init__(self, kind, **more):
        super().__init__()
        self.cells = kind(20, 24, **more)
        self.head = nn.Linear(48 if more.get("bidirectional") else 24, 7)

    def forward(self, x):
        return self.head(self.cells(x)[0])


class Attention(nn.Module):
    """A layer of an encoder, with heads as published code writes them."""

    def __init__(self, width=64, heads=4):
        super().__init__()
        self.heads, self.each = heads, width // heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.forward1, self.forward2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm = nn.LayerNorm(width)

    def split(self, x):
        return x.reshape(1, -1, self.heads, self.each).transpose(1, 2)

    def forward(self, x):
        q, k, v = (self.split(part) for part in self.qkv(self.norm(x)).chunk(3, -1))
        weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(self.each), -1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(x.shape))
        return x + self.forward2(nn.functional.gelu(self.forward1(x)))


class Einsum(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k = nn.Linear(32, 32), nn.Linear(32, 32)

    def forward(self, x):
        q, k = self.q(x).reshape(11, 4, 8), self.k(x).reshape(11, 4, 8)
        return torch.einsum("ihd,jhd->hij", q, k)


IMAGE = (1, 3, 32, 32)
NETWORKS = [
    ("mlp", nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.Linear(64, 10)), (1, 40)),
    ("lenet", nn.Sequential(nn.Conv2d(3, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5),
                            nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120),
                            nn.Linear(120, 10)), IMAGE),
    ("residual", Residual(), (1, 16, 17, 17)),
    ("inception", Inception(), (1, 24, 12, 12)),
    ("excite", Excite(), (1, 8, 20, 20)),
    ("unet", UNet(), IMAGE),
    ("dilated", nn.Sequential(conv(3, 8, 3, dilation=2), conv(8, 8, 3, padding=3, dilation=3,
                                                              groups=2)), IMAGE),
    ("signal", nn.Sequential(nn.Conv1d(4, 12, 9, stride=4, padding=4), nn.ReLU(),
                             nn.Conv1d(12, 20, 3, dilation=2)), (1, 4, 100)),
    ("lstm", Recurrent(nn.LSTM), (13, 1, 20)),
    ("gru_both_ways", Recurrent(nn.GRU, bidirectional=True), (9, 1, 20)),
    ("attention", Attention(), (1, 21, 64)),
    ("einsum", Einsum(), (11, 32)),
]

warnings.simplefilter("ignore")
for name, network, shape in NETWORKS:
    network.eval()
    example = torch.zeros(shape)
    with torch.no_grad():
        with Counter() as counter:
            network(example)
        torch.onnx.export(network, example, f"{sys.argv[1]}/{name}.onnx", opset_version=13)
    print(name, counter.count)
