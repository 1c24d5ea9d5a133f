"""Marble diagrams of the site, drawn from runs in virtual time that a test of the repository records and compares."""
import html
import json

FRAME, ROW, LETTER = 18, 38, 8.2
COLOURS = 6


class Diagrams:
    """The diagrams that a file has, and those of them that were drawn."""

    def __init__(self, path):
        # The rows of the diagrams, by the text that the documentation has for a diagram.
        self.rows, self.drawn = {}, set()
        for line in path.read_text().splitlines():
            self.rows.update(json.loads(line))

    def __contains__(self, text):
        return text in self.rows

    def picture(self, text):
        self.drawn.add(text)
        return picture(self.rows[text])

    def undrawn(self):
        """The labels of the diagrams that no page shows."""
        return [rows[-1]["label"] for text, rows in self.rows.items() if text not in self.drawn]


def events(row):
    return [(int(frame), text) for frame, text in (event.split(":", 1) for event in row["events"])]


def description(row):
    """The row in words, for readers who do not see the picture."""
    parts = []
    for frame, text in events(row):
        what = {"|": "completes", "X": "fails", "X'": "fails", "^": "begins"}.get(text, text)
        parts.append(f"{what} at {frame}")
    return f"{row['label']}: {', '.join(parts) or 'no events'}."


def drawn_row(row, top, left, right):
    middle = top + ROW / 2
    marks, free = [], 0.0
    end = right
    for frame, text in events(row):
        is_end = text in ("|", "X", "X'")
        width = 12 if is_end or text == "^" else max(22, LETTER * len(text) + 10)
        # Events of one frame are drawn beside each other, and so are events after a long text.
        x = max(left + frame * FRAME + 11 - width / 2, free)
        free = x + width + 1
        centre = x + width / 2
        if is_end:
            end = centre
        if text == "|":
            marks.append(f'<path d="M{centre:g} {middle - 11:g}v22"/>')
        elif is_end:
            marks.append(f'<path class="failure" d="M{centre - 7:g} {middle - 7:g}l14 14m0 -14l-14 14"/>')
        elif text == "^":
            marks.append(f'<path d="M{centre - 5:g} {middle + 9:g}l5 -9l5 9"/>')
        else:
            colour = next((ord(letter) for letter in text if letter.isalnum()), 0) % COLOURS
            marks.append(
                f'<rect class="m{colour}" x="{x:g}" y="{middle - 11:g}" width="{width:g}" height="22" rx="11"/>'
                f'<text x="{centre:g}" y="{middle + 4.5:g}" text-anchor="middle">{html.escape(text)}</text>')
    begin = left + row["start"] * FRAME
    is_open = end == right
    arrow = f'<path d="M{right - 6:g} {middle - 5:g}l6 5l-6 5"/>' if is_open else ""
    return (
        f'<text class="label" x="0" y="{middle + 4.5:g}">{html.escape(row["label"])}</text>'
        f'<path d="M{begin:g} {middle:g}H{end:g}"/>{arrow}{"".join(marks)}')


def width_of(row):
    """The width that the marks of a row need."""
    free = 0.0
    for frame, text in events(row):
        width = max(22, LETTER * len(text) + 10)
        free = max(frame * FRAME + 11 - width / 2, free) + width + 1
    return free


def picture(rows):
    """A diagram as SVG."""
    left = max(len(row["label"]) for row in rows) * LETTER + 20
    right = left + max(max(width_of(row) for row in rows), 6 * FRAME) + 14
    text = " ".join(description(row) for row in rows)
    drawn = "".join(drawn_row(row, index * ROW, left, right) for index, row in enumerate(rows))
    return (
        f'<div class="marbles" tabindex="0"><svg role="img" width="{right + 2:g}" height="{len(rows) * ROW}"'
        f' aria-label="{html.escape(text)}">{drawn}</svg></div>')
