"""Reads the pictures of a running posencd with somebody else's decoder, and measures them.

    python pictures.py POSENCD

starts that program on a free port. Each PNG is decoded by Pillow. Where its heat maps and its colour
bar stand, the SVG of the same result says. Then each cell's colour is looked up in the colour bar,
whose height says what value it stands for, and held against the value in the JSON reply. Needs numpy
and Pillow.
"""

import base64
import io
import json
import sys
import xml.etree.ElementTree

import numpy
import PIL.Image
from running import Checks, Server

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"

# Each has one tensor, drawn in full, whose cells are at least one pixel: name, query, tensor.
HEATMAPS = [
    ("sinusoidal", {"length": 128, "dim": 64}, "encoding"),
    ("sinusoidal", {"length": 3, "dim": 2}, "encoding"),
    ("rope", {"length": 40, "dim": 16}, "sin"),
    ("alibi", {"heads": 2, "query_length": 9, "key_length": 13}, "bias"),
    ("t5", {"bidirectional": "true", "query_length": 20, "key_length": 20}, "bucket"),
    ("sandwich", {"heads": 2, "query_length": 12, "key_length": 12}, "bias"),
]
PLOTS = [
    ("rope", {"length": 4, "dim": 64}, "inv_freq"),
    ("alibi", {"heads": 12, "query_length": 1, "key_length": 1}, "slopes"),
]

# A label's baseline stands this far below the mark that it labels.
BASELINE = 8

checks = Checks()
check = checks.check


def decode(data):
    """Pixels [height, width, 3]; Pillow checks the sums of all chunks on the way."""
    image = PIL.Image.open(io.BytesIO(data))
    check("the picture is PNG", image.format == "PNG")
    return numpy.asarray(image.convert("RGB"), dtype=int)


def panels(svg):
    """Each picture inside an SVG: where it stands, and its pixels."""
    for image in svg.iter(SVG + "image"):
        left, top, width, height = (int(image.get(k)) for k in ("x", "y", "width", "height"))
        data = base64.b64decode(image.get(LINK).split(",", 1)[1])
        yield (slice(top, top + height), slice(left, left + width)), decode(data)


def bar_range(svg, place):
    """Values at the lower and the upper end of the colour bar, by two of its labels."""
    edge = place[1].stop
    labels = []
    for text in svg.iter(SVG + "text"):
        if text.get("text-anchor") == "start" and edge < float(text.get("x")) < edge + 60:
            value = float(text.text)
            if numpy.isfinite(value):
                labels.append((float(text.get("y")) - BASELINE, value))
    (low_y, low), (high_y, high) = max(labels), min(labels)
    slope = (high - low) / (high_y - low_y)
    return low + (place[0].stop - low_y) * slope, low + (place[0].start - low_y) * slope


def bar_values(pixels, place, ends):
    """The colours of the bar, and the value of each."""
    rows = pixels[place][:, 14]
    at = (numpy.arange(len(rows)) + 0.5) / len(rows)
    return rows, ends[1] + (ends[0] - ends[1]) * at


def check_cells(what, pixels, place, values, bar):
    """Each cell's middle has a colour of the bar that stands for a value near the cell's own."""
    rows, columns = values.shape
    height, width = place[0].stop - place[0].start, place[1].stop - place[1].start
    y = place[0].start + ((numpy.arange(rows) + 0.5) * height / rows).astype(int)
    x = place[1].start + ((numpy.arange(columns) + 0.5) * width / columns).astype(int)
    colours, bar_value = bar
    worst = 0
    for i in range(rows):
        for j in range(columns):
            if not numpy.isfinite(values[i, j]):
                check(f"{what}: infinite cells have no colour of the bar",
                      not (colours == pixels[y[i], x[j]]).all(axis=1).any())
                continue
            is_same = (colours == pixels[y[i], x[j]]).all(axis=1)
            if not is_same.any():
                worst = numpy.inf
                continue
            worst = max(worst, numpy.abs(bar_value[is_same] - values[i, j]).min())
    span = abs(bar_value[0] - bar_value[-1])
    check(f"{what}: colours of cells", worst <= span / 100, (worst, span))


def check_heatmap(server, name, query, tensor):
    what = f"{name} {query} {tensor}"
    path = "/v1/" + name
    reply = json.load(server.get(path, query))["tensors"][tensor]
    values = numpy.array(
        [float(n) for n in numpy.array(reply["data"], dtype=object).ravel()], dtype="float64"
    ).reshape(-1, *reply["shape"][-2:])
    svg = xml.etree.ElementTree.fromstring(
        server.get(path, {**query, "tensor": tensor, "format": "svg"}).read()
    )
    pixels = decode(server.get(path, {**query, "tensor": tensor, "format": "png"}).read())
    *maps, (bar_place, _) = panels(svg)

    check(f"{what}: size", list(pixels.shape[1::-1]) == [int(n) for n in svg.get("viewBox").split()[2:]])
    check(f"{what}: one panel for each matrix", len(maps) == len(values))
    bar = bar_values(pixels, bar_place, bar_range(svg, bar_place))
    for (place, inside), matrix in zip(maps, values):
        check(f"{what}: png and svg agree", numpy.array_equal(pixels[place], inside))
        check_cells(what, pixels, place, matrix, bar)


def check_plot(server, name, query, tensor):
    """A line plot has as many points as the tensor has elements, and ink in the PNG."""
    what = f"{name} {query} {tensor}"
    path = "/v1/" + name
    choice = {**query, "tensor": tensor}
    svg = xml.etree.ElementTree.fromstring(server.get(path, {**choice, "format": "svg"}).read())
    pixels = decode(server.get(path, {**choice, "format": "png"}).read())
    title = svg.find(SVG + "title").text

    check(f"{what}: title", name in title and tensor in title, title)
    check(f"{what}: ink", (pixels.min(axis=2) < 128).sum() > 500)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with Server(sys.argv[1]) as server:
        for name, query, tensor in HEATMAPS:
            check_heatmap(server, name, query, tensor)
        for name, query, tensor in PLOTS:
            check_plot(server, name, query, tensor)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
