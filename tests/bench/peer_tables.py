"""The table of bench_peers.c as NumPy and PyTorch users make it: one line on standard input a
table, one line on standard output with the CPU seconds it took."""

import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"


def numpy_table(length, dim):
    import numpy

    frequencies = (10000.0 ** (-numpy.arange(0, dim, 2) / dim)).astype(numpy.float32)
    positions = numpy.arange(length, dtype=numpy.float32)

    def table():
        angles = positions[:, None] * frequencies
        return numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], axis=1)

    return numpy.__version__, table


def torch_table(length, dim):
    import torch

    torch.set_num_threads(1)
    frequencies = 10000.0 ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)
    positions = torch.arange(length, dtype=torch.float32)

    def table():
        angles = positions[:, None] * frequencies
        return torch.cat([torch.sin(angles), torch.cos(angles)], dim=1)

    return torch.__version__, table


def main():
    maker = {"numpy": numpy_table, "torch": torch_table}[sys.argv[1]]
    try:
        version, table = maker(int(sys.argv[2]), int(sys.argv[3]))
    except ImportError:
        return
    print(version, flush=True)
    for _ in sys.stdin:
        begin = time.process_time_ns()
        table()
        print(time.process_time_ns() - begin, flush=True)


main()
