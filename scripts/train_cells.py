#!/usr/bin/python3
"""Trains the cell network of src/robot/vision/cell_network.h and writes its weights.

Needs Debian's python3-torch. To make the committed weights again:
  ninja -C build/release cell_samples
  for k in 1 2 3 4; do build/release/bin/cell_samples rendered 5000 ${k}00000 /tmp/cells$k.bin; done
  scripts/train_cells.py /tmp/cells[123].bin --boards 120000 --batch 32 --model /tmp/first.pt
  scripts/train_cells.py /tmp/cells?.bin --resume /tmp/first.pt --boards 260000 --rate 1.5e-3 \\
    --out src/robot/vision/cell_weights.inc
Photographs are never trained on; --check FILE prints how a file of `cell_samples photos` is read.
"""
import argparse
import base64
import math
import time

import numpy
import torch
from torch import nn
from torch.nn import functional

CELLS, SIDE, REACH = 42, 16, 1.45
RECORD = CELLS + CELLS * SIDE * SIDE * 3
NO_CELL, UNCLEAR = 3, 4


def load(path):
    data = numpy.fromfile(path, dtype=numpy.uint8).reshape(-1, RECORD)
    labels = torch.from_numpy(data[:, :CELLS].astype(numpy.int64))
    patches = torch.from_numpy(data[:, CELLS:].reshape(-1, CELLS, SIDE, SIDE, 3).copy())
    return labels, patches


def ring():
    at = (torch.arange(SIDE) + 0.5) * (2 * REACH / SIDE) - REACH
    distance = torch.sqrt(at[:, None] ** 2 + at[None, :] ** 2)
    return (distance > 1.2) & (distance < 1.45)


RING = ring()


def normalised(patches):
    """Colours relative to the frame's, in units of their spread over the board."""
    x = patches.float()
    around = x[:, :, RING, :].flatten(1, 2)
    frame = around.median(dim=1).values
    x = x - frame[:, None, None, None, :]
    spread = torch.sqrt((x * x).mean(dim=(1, 2, 3, 4))) + 8
    return x / spread[:, None, None, None, None]


class Block(nn.Module):
    def __init__(self, width, heads, hidden):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.mix = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x):
        b, n, w = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, self.heads, w // self.heads).unbind(2)
        weight = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(w // self.heads)
        seen = torch.einsum("bhij,bjhd->bihd", weight.softmax(-1), v).reshape(b, n, w)
        x = x + self.mix(seen)
        return x + self.down(torch.relu(self.up(self.norm2(x))))


class CellNet(nn.Module):
    def __init__(self, width=32, heads=2, hidden=64, blocks=3):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, 2, 1)
        self.conv2 = nn.Conv2d(16, 24, 3, 2, 1)
        self.conv3 = nn.Conv2d(24, 32, 3, 2, 1)
        self.embed = nn.Linear(128, width)
        self.place = nn.Parameter(torch.randn(CELLS, width) * 0.02)
        self.blocks = nn.ModuleList(Block(width, heads, hidden) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 4)

    def forward(self, x):  # b, 42, 16, 16, 3
        b = x.shape[0]
        x = x.flatten(0, 1).permute(0, 3, 1, 2).contiguous()
        x = torch.relu(self.conv1(x))
        x = torch.relu(self.conv2(x))
        x = torch.relu(self.conv3(x)).flatten(1)
        x = self.embed(x).view(b, CELLS, -1) + self.place
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def swapped(labels):
    out = labels.clone()
    out[labels == 1] = 2
    out[labels == 2] = 1
    return out


def loss_of(logits, labels):
    """Which colour comes first is not the network's business: the better naming counts."""
    losses = []
    for y in (labels, swapped(labels)):
        cell = functional.cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=UNCLEAR, reduction="none")
        losses.append(cell.view(labels.shape).sum(1))
    return torch.minimum(*losses).mean() / CELLS


def augmented(labels, patches, dice):
    order = torch.randperm(3, generator=dice)
    patches = patches[..., order]
    if torch.rand(1, generator=dice) < 0.5:
        mirror = torch.arange(CELLS).view(6, 7).flip(1).flatten()
        labels, patches = labels[:, mirror], patches[:, mirror].flip(3)
    return labels, patches


def report(net, labels, patches, what):
    net.eval()
    with torch.no_grad():
        parts = [net(normalised(p)).softmax(-1) for p in patches.split(50)]
    net.train()
    p = torch.cat(parts)
    sure, read = p[..., :3].max(-1)
    exact, wrong_sure, cells = [], [], []
    known = labels < NO_CELL
    for y in (labels, swapped(labels)):
        wrong = (read != y) & known
        exact.append(wrong.sum(1) == 0)
        cells.append(wrong.sum(1))
        wrong_sure.append((wrong & (sure > 0.99)).sum(1))
    right = exact[0] | exact[1]
    errors = torch.minimum(*cells)
    low = torch.where(known, sure, torch.ones_like(sure)).min(1).values
    good = low > 0.9
    print(
        f"{what}: boards {right.float().mean():.4f} ({right.sum()}/{len(right)}) cells "
        f"{1 - errors.sum() / known.sum():.5f} sure-wrong cells "
        f"{torch.minimum(*wrong_sure).sum()} good {good.sum()} good-but-wrong {(good & ~right).sum()}",
        flush=True,
    )
    return right, low


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", nargs="*")
    parser.add_argument("--check", action="append", default=[])
    parser.add_argument("--boards", type=int, default=200000, help="to see in training")
    parser.add_argument("--model", default="/tmp/cells.pt")
    parser.add_argument("--resume")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out")
    o = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    net = CellNet()
    if o.resume:
        net.load_state_dict(torch.load(o.resume))
    checks = [(path, *load(path)) for path in o.check]
    if o.samples and o.boards:
        parts = [load(path) for path in o.samples]
        labels, patches = torch.cat([p[0] for p in parts]), torch.cat([p[1] for p in parts])
        train(net, labels, patches, checks, o)
    for path, labels, patches in checks:
        report(net, labels, patches, path)
    if o.out:
        write_weights(net, o.out)


def train(net, labels, patches, checks, o):
    steps = o.boards // o.batch
    optimiser = torch.optim.AdamW(net.parameters(), lr=o.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, o.rate, steps, pct_start=0.1)
    dice = torch.Generator().manual_seed(o.seed)
    total, start = 0.0, time.time()
    for step in range(steps):
        pick = torch.randint(len(labels), (o.batch,), generator=dice)
        y, x = augmented(labels[pick], patches[pick], dice)
        loss = loss_of(net(normalised(x)), y)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        total += float(loss)
        if (step + 1) % 1000 == 0:
            print(
                f"step {step + 1}/{steps} loss {total / 1000:.4f} {time.time() - start:.0f} s",
                flush=True,
            )
            total = 0
            torch.save(net.state_dict(), o.model)
            if (step + 1) % 2000 == 0:
                for path, cy, cx in checks:
                    report(net, cy, cx, path)


def rows_of(net):
    """Every weight as rows, in the order in which cell_network.cc reads them."""
    w = net.state_dict()
    names = ["conv1", "conv2", "conv3", "embed", "place"]
    for i in range(len(net.blocks)):
        names += [f"blocks.{i}.{part}" for part in ("norm1", "qkv", "mix", "norm2", "up", "down")]
    for name in names + ["norm", "head"]:
        if name == "place":
            yield w[name]
            continue
        weight = w[name + ".weight"]
        if weight.dim() == 4:  # channels of a pixel together
            weight = weight.permute(0, 2, 3, 1).flatten(1)
        elif name == "embed":  # the last picture likewise
            weight = weight.view(-1, 32, 2, 2).permute(0, 2, 3, 1).flatten(1)
        yield weight if weight.dim() == 2 else weight[None]
        yield w[name + ".bias"][None]


def write_weights(net, path):
    data = bytearray()
    for rows in rows_of(net):
        for row in rows.numpy():
            scale = max(float(numpy.abs(row).max()), 1e-6) / 127
            data += numpy.float32(scale).tobytes()
            data += numpy.round(row / scale).astype(numpy.int8).tobytes()
    text = base64.b64encode(bytes(data)).decode()
    with open(path, "w", encoding="ascii") as out:
        for at in range(0, len(text), 400):
            out.write(f'"{text[at:at + 400]}"\n')


if __name__ == "__main__":
    main()
